/** Lists what a scene draws: each primitive of each node's mesh, within limits that are checked on the way. */
import { primitivesPerInstance, RenderError } from '@tessera/frame';
import type { GltfLimits } from './gltf-limits.ts';
import type { GltfMaterial, GltfModel, GltfPrimitive } from './gltf-model.ts';
import type { Pose } from './pose.ts';
import { isTriangleTopology } from './primitive-geometry.ts';
import { DEFAULT_MATERIAL } from './surface-material.ts';

/** One primitive at one node. */
export interface SceneSurface {
  readonly nodeIndex: number;
  readonly primitive: GltfPrimitive;
  readonly material: GltfMaterial;
  /** Without light: the material says so, or it is points or lines without normals (glTF 2.0, 3.7.2.1). */
  readonly isUnlit: boolean;
}

/**
 * @throws {RenderError} MODEL_INVALID if nothing is drawn, LIMIT_EXCEEDED if too much is.
 */
export function collectSurfaces(model: GltfModel, pose: Pose, limits: GltfLimits): SceneSurface[] {
  const surfaces: SceneSurface[] = [];
  let triangles = 0;
  for (const nodeIndex of pose.nodeIndices) {
    const { meshIndex, skinIndex, instancing } = model.nodes[nodeIndex];
    if (meshIndex === null) continue;
    const [instanceAccessor] = Object.values(instancing ?? {});
    const instances = instanceAccessor === undefined ? 1 : model.accessors[instanceAccessor].count;
    for (const primitive of model.meshes[meshIndex].primitives) {
      if (primitive.attributes.POSITION === undefined) continue;
      triangles += countPrimitives(model, primitive) * instances;
      if (triangles > limits.maxTriangles) {
        throw new RenderError(
          'LIMIT_EXCEEDED',
          `${primitive.path}: brings the scene to ${triangles} triangles, lines and points; at most ${limits.maxTriangles} (maxTriangles)`,
        );
      }
      if (skinIndex !== null) requireSkinAttributes(nodeIndex, primitive);
      const material =
        primitive.materialIndex === null
          ? DEFAULT_MATERIAL
          : model.materials[primitive.materialIndex];
      const isFlat = primitive.attributes.NORMAL === undefined;
      const isUnlit = material.isUnlit || (isFlat && !isTriangleTopology(primitive.topology));
      surfaces.push({ nodeIndex, primitive, material, isUnlit });
      if (surfaces.length > limits.maxDraws) {
        throw new RenderError(
          'LIMIT_EXCEEDED',
          `scene: more than ${limits.maxDraws} draws (maxDraws)`,
        );
      }
    }
  }
  if (surfaces.length === 0) {
    throw new RenderError('MODEL_INVALID', 'scene: it has no geometry');
  }
  return surfaces;
}

/** Vertices or indices that one instance of a primitive takes. */
export function countVertices(model: GltfModel, primitive: GltfPrimitive): number {
  return model.accessors[primitive.indices ?? primitive.attributes.POSITION].count;
}

function countPrimitives(model: GltfModel, primitive: GltfPrimitive): number {
  return primitivesPerInstance(primitive.topology, countVertices(model, primitive));
}

function requireSkinAttributes(nodeIndex: number, primitive: GltfPrimitive): void {
  for (const semantic of ['JOINTS_0', 'WEIGHTS_0']) {
    if (primitive.attributes[semantic] === undefined) {
      throw new RenderError(
        'MODEL_INVALID',
        `nodes[${nodeIndex}].skin: ${primitive.path} has no ${semantic}`,
      );
    }
  }
}
