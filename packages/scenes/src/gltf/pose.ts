/** Where the nodes of a scene are at a time: world matrices, joint matrices, morph weights. */
import { RenderError } from '@tessera/frame';
import { composeMatrix, IDENTITY, type Matrix4, multiplyMatrices } from '../math/matrix.ts';
import { normalizeQuaternion, type Quaternion, type Vec3 } from '../math/vector.ts';
import type { AnimatedProperties } from './animate.ts';
import type { GltfModel, GltfNode } from './gltf-model.ts';
import type { ModelStorage } from './model-storage.ts';

export interface Pose {
  /** Nodes of the scene, parents before children. */
  readonly nodeIndices: readonly number[];
  /** From node to world, for the nodes of the scene. */
  readonly worldMatrices: ReadonlyMap<number, Matrix4>;
  readonly animated: ReadonlyMap<number, AnimatedProperties>;
}

/**
 * Walks the scene's nodes from the roots.
 *
 * @param animated By node; properties that are missing stay as the model has them.
 * @throws {RenderError} MODEL_INVALID if a matrix overflows.
 */
export function poseScene(
  model: GltfModel,
  sceneIndex: number,
  animated: ReadonlyMap<number, AnimatedProperties>,
): Pose {
  const worldMatrices = new Map<number, Matrix4>();
  const nodeIndices: number[] = [];
  const waiting = (model.scenes[sceneIndex] ?? []).map((node) => ({ node, parent: IDENTITY }));
  waiting.reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, parent } = next;
    // A scene may name a node and its ancestor; the node is drawn once, in the place of the first.
    if (worldMatrices.has(node)) continue;
    const world = multiplyMatrices(parent, localMatrix(model.nodes[node], animated.get(node)));
    if (!world.every(Number.isFinite)) {
      throw new RenderError('MODEL_INVALID', `nodes[${node}]: the matrix to the world overflows`);
    }
    worldMatrices.set(node, world);
    nodeIndices.push(node);
    const { children } = model.nodes[node];
    for (let i = children.length - 1; i >= 0; i--) {
      waiting.push({ node: children[i], parent: world });
    }
  }
  return { nodeIndices, worldMatrices, animated };
}

function localMatrix(node: GltfNode, animated: AnimatedProperties = {}): Matrix4 {
  const { transform } = node;
  if (transform.kind === 'matrix') return transform.matrix;
  return composeMatrix(
    toVec3(animated.translation) ?? transform.translation,
    normalizeQuaternion(toQuaternion(animated.rotation) ?? transform.rotation),
    toVec3(animated.scale) ?? transform.scale,
  );
}

/** Weights of the morph targets of a node's mesh at the pose's time. */
export function morphWeights(model: GltfModel, pose: Pose, nodeIndex: number): readonly number[] {
  const node = model.nodes[nodeIndex];
  const ofMesh = node.meshIndex === null ? [] : model.meshes[node.meshIndex].weights;
  return pose.animated.get(nodeIndex)?.weights ?? node.weights ?? ofMesh;
}

/**
 * The matrices that carry a skinned vertex from its bind pose to the world, one a joint.
 *
 * @throws {RenderError} MODEL_INVALID if a joint is not in the scene or a matrix is not finite.
 */
export function jointMatrices(
  model: GltfModel,
  pose: Pose,
  storage: ModelStorage,
  skinIndex: number,
): readonly Matrix4[] {
  const { joints, inverseBindMatrices } = model.skins[skinIndex];
  const bind = inverseBindMatrices === null ? null : storage.floats(inverseBindMatrices);
  return joints.map((joint, i) => {
    const world = pose.worldMatrices.get(joint);
    if (world === undefined) {
      throw new RenderError(
        'MODEL_INVALID',
        `skins[${skinIndex}].joints[${i}]: node ${joint} is not in the scene`,
      );
    }
    if (bind === null) return world;
    const matrix = multiplyMatrices(world, Array.from(bind.subarray(16 * i, 16 * i + 16)));
    if (!matrix.every(Number.isFinite)) {
      throw new RenderError(
        'MODEL_INVALID',
        `skins[${skinIndex}].inverseBindMatrices: matrix ${i} is not finite`,
      );
    }
    return matrix;
  });
}

function toVec3(values: readonly number[] | undefined): Vec3 | undefined {
  return values && [values[0], values[1], values[2]];
}

function toQuaternion(values: readonly number[] | undefined): Quaternion | undefined {
  return values && [values[0], values[1], values[2], values[3]];
}
