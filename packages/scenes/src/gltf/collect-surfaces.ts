/** Lists the primitives that a scene draws and checks the limits on their number. */
import {
  type Accessor,
  Document,
  type Material,
  type Node,
  type Primitive,
} from '@gltf-transform/core';
import type { InstancedMesh } from '@gltf-transform/extensions';
import { primitivesPerInstance, RenderError } from '@tessera/frame';
import type { GltfLimits } from './format/gltf-limits.ts';
import type { Pose } from './pose.ts';
import { isTriangleTopology, topologyOf } from './primitive-geometry.ts';
import type { Model } from './read-model.ts';

/** Primitive drawn at one node. */
export interface SceneSurface {
  readonly node: Node;
  readonly primitive: Primitive;
  readonly positions: Accessor;
  readonly material: Material;
  /**
   * Whether it is drawn without light: its material says so, or it consists of points or lines
   * without normals (glTF 2.0, 3.7.2.1).
   */
  readonly isUnlit: boolean;
  readonly instancing: InstancedMesh | null;
}

/**
 * Default material of a primitive (glTF 2.0, 5.22). A new material of the library has these values.
 */
const DEFAULT_MATERIAL = new Document().createMaterial();

/**
 * Lists the surfaces of the posed scene.
 *
 * @throws {RenderError} MODEL_INVALID if there is no geometry, hidden or not, LIMIT_EXCEEDED if too
 *   much is.
 */
export function collectSurfaces(model: Model, pose: Pose, limits: GltfLimits): SceneSurface[] {
  const surfaces: SceneSurface[] = [];
  let hasGeometry = false;
  let triangles = 0;
  for (const node of pose.worldMatrices.keys()) {
    const instancing = node.getExtension<InstancedMesh>('EXT_mesh_gpu_instancing');
    const instances = instancing?.listAttributes()[0]?.getCount() ?? 1;
    for (const primitive of node.getMesh()?.listPrimitives() ?? []) {
      const positions = primitive.getAttribute('POSITION');
      if (positions === null) continue;
      hasGeometry = true;
      if (pose.hidden.has(node)) continue;
      const path = model.pathOf(primitive);
      const topology = topologyOf(primitive);
      triangles += primitivesPerInstance(topology, countVertices(primitive, positions)) * instances;
      if (triangles > limits.maxTriangles) {
        throw new RenderError(
          'LIMIT_EXCEEDED',
          `${path}: brings the scene to ${triangles} triangles, lines and points; at most ${limits.maxTriangles} (maxTriangles)`,
        );
      }
      if (node.getSkin() !== null) requireSkinAttributes(model.pathOf(node), primitive, path);
      const material = primitive.getMaterial() ?? DEFAULT_MATERIAL;
      const isFlat = primitive.getAttribute('NORMAL') === null;
      const isUnlit =
        material.getExtension('KHR_materials_unlit') !== null ||
        (isFlat && !isTriangleTopology(topology));
      surfaces.push({ node, primitive, positions, material, isUnlit, instancing });
      if (surfaces.length > limits.maxDraws) {
        throw new RenderError(
          'LIMIT_EXCEEDED',
          `scene: more than ${limits.maxDraws} draws (maxDraws)`,
        );
      }
    }
  }
  if (!hasGeometry) {
    throw new RenderError('MODEL_INVALID', 'scene: the scene has no geometry');
  }
  return surfaces;
}

/** Returns the number of vertices or indices of one instance of a primitive. */
export function countVertices(primitive: Primitive, positions: Accessor): number {
  return (primitive.getIndices() ?? positions).getCount();
}

function requireSkinAttributes(nodePath: string, primitive: Primitive, path: string): void {
  for (const semantic of ['JOINTS_0', 'WEIGHTS_0']) {
    if (primitive.getAttribute(semantic) === null) {
      throw new RenderError('MODEL_INVALID', `${nodePath}.skin: ${path} has no ${semantic}`);
    }
  }
}
