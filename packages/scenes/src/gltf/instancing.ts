/** Instances of EXT_mesh_gpu_instancing: attributes and placement. */
import type { InstancedMesh } from '@gltf-transform/extensions';
import { type AttributeSource, RenderError } from '@tessera/frame';
import { composeMatrix, type Matrix4 } from '../math/matrix.ts';
import { normalizeQuaternion } from '../math/vector.ts';
import { floatValues } from './format/accessor-values.ts';
import type { GeometryReader } from './primitive-geometry.ts';

/** Consecutive instances that all mirror or all do not, so that they share one front face. */
export interface InstanceRun {
  readonly first: number;
  readonly count: number;
  readonly isMirrored: boolean;
  readonly attributes: Readonly<Record<string, AttributeSource>>;
}

/** Instances of one node. */
export interface Instances {
  readonly count: number;
  /** Matrices from instance to node. */
  readonly matrices: readonly Matrix4[];
  readonly runs: readonly InstanceRun[];
}

const INPUTS = {
  TRANSLATION: { input: 'a_instanceTranslation', neutral: [0, 0, 0, 1] },
  ROTATION: { input: 'a_instanceRotation', neutral: [0, 0, 0, 1] },
  SCALE: { input: 'a_instanceScale', neutral: [1, 1, 1, 1] },
} as const;

/**
 * Reads the instances of a node.
 *
 * @param path Path of the node in the JSON, for messages.
 * @param maxInstances Upper bound; a larger number is rejected before the instances are read.
 */
export function readInstances(
  geometry: GeometryReader,
  instancing: InstancedMesh,
  path: string,
  maxInstances: number,
): Instances {
  const count = instancing.listAttributes()[0]?.getCount() ?? 0;
  if (count > maxInstances) {
    throw new RenderError('LIMIT_EXCEEDED', `${path}: ${count} instances; at most ${maxInstances}`);
  }
  const read = (semantic: keyof typeof INPUTS): Float32Array | null => {
    const accessor = instancing.getAttribute(semantic);
    return accessor && floatValues(accessor);
  };
  const translations = read('TRANSLATION');
  const rotations = read('ROTATION');
  const scales = read('SCALE');
  const matrices: Matrix4[] = [];
  const isMirrored: boolean[] = [];
  for (let i = 0; i < count; i++) {
    const [tx, ty, tz] = translations?.subarray(3 * i, 3 * i + 3) ?? [0, 0, 0];
    const [qx, qy, qz, qw] = rotations?.subarray(4 * i, 4 * i + 4) ?? [0, 0, 0, 1];
    const [sx, sy, sz] = scales?.subarray(3 * i, 3 * i + 3) ?? [1, 1, 1];
    const matrix = composeMatrix([tx, ty, tz], normalizeQuaternion([qx, qy, qz, qw]), [sx, sy, sz]);
    if (!matrix.every(Number.isFinite)) {
      throw new RenderError(
        'MODEL_INVALID',
        `${path}: instance ${i} has a matrix that is not finite`,
      );
    }
    matrices.push(matrix);
    isMirrored.push(sx * sy * sz < 0);
  }
  const runs: InstanceRun[] = [];
  for (let first = 0; first < count; ) {
    let end = first + 1;
    while (end < count && isMirrored[end] === isMirrored[first]) end++;
    const attributes = instanceAttributes(geometry, instancing, first);
    runs.push({ first, count: end - first, isMirrored: isMirrored[first], attributes });
    first = end;
  }
  return { count, matrices, runs };
}

function instanceAttributes(
  geometry: GeometryReader,
  instancing: InstancedMesh,
  first: number,
): Record<string, AttributeSource> {
  const attributes: Record<string, AttributeSource> = {};
  for (const [semantic, { input, neutral }] of Object.entries(INPUTS)) {
    const accessor = instancing.getAttribute(semantic);
    const source: AttributeSource =
      accessor === null ? { kind: 'constant', value: neutral } : geometry.attribute(accessor, 1);
    attributes[input] =
      source.kind === 'buffer'
        ? { ...source, offsetBytes: source.offsetBytes + first * source.strideBytes }
        : source;
  }
  return attributes;
}
