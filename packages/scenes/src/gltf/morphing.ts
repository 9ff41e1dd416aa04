/** Selection of the morph targets that the vertex shader adds. */
import type { Accessor, Primitive } from '@gltf-transform/core';
import type { AttributeSource } from '@tessera/frame';
import { BoundingBox } from '../math/bounding-box.ts';
import type { MorphTargetFeatures } from './features/surface-features.ts';
import type { ImportWarnings } from './import-warnings.ts';
import type { GeometryReader } from './primitive-geometry.ts';

/** Number of vertex shader inputs that OpenGL ES 3.0 guarantees (MAX_VERTEX_ATTRIBS). */
const MAX_VERTEX_INPUTS = 16;
/** Maximum number of targets in use at once. */
const MAX_MORPH_TARGETS = 8;

/** Morph targets in use by a surface. */
export interface Morphing {
  readonly features: MorphTargetFeatures;
  readonly weights: readonly number[];
  readonly attributes: Readonly<Record<string, AttributeSource>>;
  /** Bounds of the displacement that the targets can add to a vertex. */
  readonly bulge: BoundingBox;
  /** Displacements of positions, with their weights. */
  readonly displacements: readonly { readonly positions: Accessor; readonly weight: number }[];
}

const INPUT_BY_SEMANTIC = {
  POSITION: 'a_morphPosition',
  NORMAL: 'a_morphNormal',
  TANGENT: 'a_morphTangent',
} as const;
const NO_CHANGE: AttributeSource = { kind: 'constant', value: [0, 0, 0, 0] };

/**
 * Selects the targets with the largest weights, as many as there are free vertex inputs.
 *
 * @param path Path of the primitive in the JSON, for messages.
 * @param usedInputs Number of vertex inputs in use.
 * @param isUsed Attributes that the surface reads.
 */
export function chooseMorphTargets(
  primitive: Primitive,
  path: string,
  weights: readonly number[],
  usedInputs: number,
  isUsed: { readonly normals: boolean; readonly tangents: boolean },
  geometry: GeometryReader,
  warnings: ImportWarnings,
): Morphing {
  const active = primitive
    .listTargets()
    .map((target, i) => ({ target, weight: weights[i] ?? 0, i }))
    .filter(({ weight }) => weight !== 0)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || a.i - b.i);
  const features: MorphTargetFeatures = {
    hasPosition: active.some(({ target }) => target.getAttribute('POSITION') !== null),
    hasNormal:
      isUsed.normals && active.some(({ target }) => target.getAttribute('NORMAL') !== null),
    hasTangent:
      isUsed.tangents && active.some(({ target }) => target.getAttribute('TANGENT') !== null),
  };
  const semantics = (['POSITION', 'NORMAL', 'TANGENT'] as const).filter(
    (semantic) =>
      ({
        POSITION: features.hasPosition,
        NORMAL: features.hasNormal,
        TANGENT: features.hasTangent,
      })[semantic],
  );
  const room =
    semantics.length === 0 ? 0 : Math.floor((MAX_VERTEX_INPUTS - usedInputs) / semantics.length);
  const chosen = active.slice(0, Math.min(room, MAX_MORPH_TARGETS));
  if (semantics.length > 0 && chosen.length < active.length) {
    warnings.add(
      `${path}.targets: ${active.length} targets have weight, the ${chosen.length} with the largest are used`,
    );
  }
  const attributes: Record<string, AttributeSource> = {};
  const displacements: { positions: Accessor; weight: number }[] = [];
  const bulge = new BoundingBox();
  bulge.addPoint(0, 0, 0);
  chosen.forEach(({ target, weight, i }, k) => {
    for (const semantic of semantics) {
      const accessor = target.getAttribute(semantic);
      attributes[`${INPUT_BY_SEMANTIC[semantic]}${k}`] =
        accessor === null ? NO_CHANGE : geometry.attribute(accessor);
    }
    const positions = target.getAttribute('POSITION');
    if (positions === null) return;
    displacements.push({ positions, weight });
    const { min, max } = geometry.box(positions, `${path}.targets[${i}].POSITION`);
    for (let axis = 0; axis < 3; axis++) {
      bulge.min[axis] += Math.min(0, min[axis] * weight, max[axis] * weight);
      bulge.max[axis] += Math.max(0, min[axis] * weight, max[axis] * weight);
    }
  });
  const chosenWeights = chosen.map(({ weight }) => weight);
  return { features, weights: chosenWeights, attributes, bulge, displacements };
}
