/** Joints of skinned vertices: checked, and bounded for the camera. */
import type { Accessor, Primitive } from '@gltf-transform/core';
import { RenderError } from '@tessera/frame';
import { BoundingBox } from '../math/bounding-box.ts';
import type { Matrix4 } from '../math/matrix.ts';
import { floatValues, rawValues } from './format/accessor-values.ts';

/**
 * Length of the shortest joint array. Longer ones are this times a power of two, so that there are
 * few distinct programs.
 */
const MIN_JOINT_CAPACITY = 16;

/** Returns the length of the joint array for a number of joints. */
export function jointCapacity(jointCount: number): number {
  let capacity = MIN_JOINT_CAPACITY;
  while (capacity < jointCount) capacity *= 2;
  return capacity;
}

/**
 * Returns joint matrices in the form of the uniform array; matrices after the last joint are zero.
 */
export function packJointMatrices(matrices: readonly Matrix4[]): Float32Array {
  const packed = new Float32Array(jointCapacity(matrices.length) * 16);
  for (const [i, matrix] of matrices.entries()) packed.set(matrix, 16 * i);
  return packed;
}

/**
 * Returns a bounding box of the skinned vertices. For each joint it transforms the box of the
 * vertices that depend on it. A skinned vertex lies between the positions that its joints give it,
 * so it is inside the union.
 *
 * @param path Path of the primitive in the JSON, for messages.
 * @param bulge Bounds of the displacement by morph targets.
 * @throws {RenderError} MODEL_INVALID if a vertex names a joint that the skin does not have.
 */
export function boxSkinnedVertices(
  primitive: Primitive,
  path: string,
  matrices: readonly Matrix4[],
  bulge: BoundingBox,
): BoundingBox {
  const positions = floatValues(requireAttribute(primitive, 'POSITION'));
  const joints = rawValues(requireAttribute(primitive, 'JOINTS_0'));
  const weights = floatValues(requireAttribute(primitive, 'WEIGHTS_0'));
  const boxes = matrices.map(() => new BoundingBox());
  for (let i = 0; i < joints.length; i++) {
    const vertex = i >> 2;
    if (joints[i] >= matrices.length) {
      throw new RenderError(
        'MODEL_INVALID',
        `${path}.attributes.JOINTS_0: joint ${joints[i]} at vertex ${vertex} exceeds the ${matrices.length} joints of the skin`,
      );
    }
    if (!(weights[i] > 0)) continue;
    boxes[joints[i]].addPoint(
      positions[3 * vertex],
      positions[3 * vertex + 1],
      positions[3 * vertex + 2],
    );
  }
  const all = new BoundingBox();
  boxes.forEach((box, i) => {
    if (!box.isEmpty()) all.addBox(inflate(box, bulge).transformed(matrices[i]));
  });
  return all;
}

function requireAttribute(primitive: Primitive, semantic: string): Accessor {
  const accessor = primitive.getAttribute(semantic);
  if (accessor === null)
    throw new Error(`the checks accepted a skinned primitive without ${semantic}`);
  return accessor;
}

/** Returns the box of all sums of a point of one box and a point of the other. */
export function inflate(box: BoundingBox, bulge: BoundingBox): BoundingBox {
  const sum = new BoundingBox();
  if (box.isEmpty() || bulge.isEmpty()) return sum;
  sum.addPoint(box.min[0] + bulge.min[0], box.min[1] + bulge.min[1], box.min[2] + bulge.min[2]);
  sum.addPoint(box.max[0] + bulge.max[0], box.max[1] + bulge.max[1], box.max[2] + bulge.max[2]);
  return sum;
}
