/** Pose of a scene at a time: world matrices, joint matrices, morph weights. */
import type { Node, Scene, Skin } from '@gltf-transform/core';
import type { Visibility } from '@gltf-transform/extensions';
import { RenderError } from '@tessera/frame';
import { composeMatrix, IDENTITY, type Matrix4, multiplyMatrices } from '../math/matrix.ts';
import { normalizeQuaternion, type Quaternion, type Vec3 } from '../math/vector.ts';
import type { AnimatedProperties } from './animate.ts';
import { floatValues } from './format/accessor-values.ts';
import type { Model } from './read-model.ts';

/** Placement of the nodes of a scene. */
export interface Pose {
  /** Matrices from node to world for the nodes of the scene, parents before children. */
  readonly worldMatrices: ReadonlyMap<Node, Matrix4>;
  readonly animated: ReadonlyMap<Node, AnimatedProperties>;
  /** Nodes of the scene that are not drawn: they or their ancestors are hidden. */
  readonly hidden: ReadonlySet<Node>;
}

/**
 * Walks the scene's nodes from the roots.
 *
 * @param animated Animated properties by node; others keep the values of the model.
 * @throws {RenderError} MODEL_INVALID if a matrix overflows.
 */
export function poseScene(
  model: Model,
  scene: Scene,
  animated: ReadonlyMap<Node, AnimatedProperties>,
): Pose {
  const worldMatrices = new Map<Node, Matrix4>();
  const hidden = new Set<Node>();
  const waiting = scene
    .listChildren()
    .map((node) => ({ node, parent: IDENTITY, isParentHidden: false }));
  waiting.reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, parent, isParentHidden } = next;
    const world = multiplyMatrices(parent, localMatrix(model, node, animated.get(node)));
    if (!world.every(Number.isFinite)) {
      throw new RenderError('MODEL_INVALID', `${model.pathOf(node)}: the world matrix overflows`);
    }
    worldMatrices.set(node, world);
    const visibility = node.getExtension<Visibility>('KHR_node_visibility');
    const isHidden = isParentHidden || visibility?.getVisible() === false;
    if (isHidden) hidden.add(node);
    for (const child of node.listChildren().reverse()) {
      waiting.push({ node: child, parent: world, isParentHidden: isHidden });
    }
  }
  return { worldMatrices, animated, hidden };
}

function localMatrix(model: Model, node: Node, animated: AnimatedProperties = {}): Matrix4 {
  return (
    model.matrices.get(node) ??
    composeMatrix(
      toVec3(animated.translation ?? node.getTranslation()),
      normalizeQuaternion(toQuaternion(animated.rotation ?? node.getRotation())),
      toVec3(animated.scale ?? node.getScale()),
    )
  );
}

/** Returns the weights of the morph targets of a node's mesh; missing ones are 0. */
export function morphWeights(pose: Pose, node: Node): readonly number[] {
  const animated = pose.animated.get(node)?.weights;
  if (animated !== undefined) return animated;
  const ofNode = node.getWeights();
  return ofNode.length > 0 ? ofNode : (node.getMesh()?.getWeights() ?? []);
}

/**
 * Returns the matrices that transform a skinned vertex from its bind pose to the world, one per
 * joint.
 *
 * @throws {RenderError} MODEL_INVALID if a joint is not in the scene or a matrix is not finite.
 */
export function jointMatrices(model: Model, pose: Pose, skin: Skin): readonly Matrix4[] {
  const accessor = skin.getInverseBindMatrices();
  const bind = accessor && floatValues(accessor);
  return skin.listJoints().map((joint, i) => {
    const world = pose.worldMatrices.get(joint);
    if (world === undefined) {
      throw new RenderError(
        'MODEL_INVALID',
        `${model.pathOf(skin)}.joints[${i}]: ${model.pathOf(joint)} is not in the scene`,
      );
    }
    if (bind === null) return world;
    const matrix = multiplyMatrices(world, Array.from(bind.subarray(16 * i, 16 * i + 16)));
    if (!matrix.every(Number.isFinite)) {
      throw new RenderError(
        'MODEL_INVALID',
        `${model.pathOf(skin)}.inverseBindMatrices: matrix ${i} is not finite`,
      );
    }
    return matrix;
  });
}

function toVec3(values: readonly number[]): Vec3 {
  return [values[0], values[1], values[2]];
}

function toQuaternion(values: readonly number[]): Quaternion {
  return [values[0], values[1], values[2], values[3]];
}
