/** Checks nodes, skins, cameras and scenes in the JSON (glTF 2.0, 3.5): the nodes are a forest. */
import { RenderError } from '@tessera/frame';
import { PI } from '../../math/deterministic-math.ts';
import type { GltfLimits } from '../format/gltf-limits.ts';
import { extensionOf } from './check-extensions.ts';
import { checkInstancing } from './check-meshes.ts';
import type { CheckedAccessor } from './check-storage.ts';
import type { JsonPlace } from './json-place.ts';

/**
 * Maximum number of joints of a skin: the length of the joint matrix array in the vertex shader.
 */
const MAX_JOINTS = 128;

/**
 * Checks all nodes.
 *
 * @param targetCounts Number of morph targets of each mesh.
 * @returns The parent of each node, −1 for none.
 */
export function checkNodes(
  places: readonly JsonPlace[],
  targetCounts: readonly number[],
  counts: { readonly skins: number; readonly cameras: number },
  accessors: readonly CheckedAccessor[],
  limits: GltfLimits,
): Int32Array {
  const children = places.map((place) => {
    place.optional('matrix')?.numbers(16);
    place.optional('translation')?.numbers(3);
    place.optional('rotation')?.numbers(4);
    place.optional('scale')?.numbers(3);
    const mesh = place.optional('mesh')?.index(targetCounts.length, 'meshes');
    place.optional('weights')?.numbers(mesh === undefined ? 0 : targetCounts[mesh]);
    place.optional('skin')?.index(counts.skins, 'skins');
    place.optional('camera')?.index(counts.cameras, 'cameras');
    const instancing = extensionOf(place, 'EXT_mesh_gpu_instancing');
    if (instancing !== null) checkInstancing(instancing, accessors);
    extensionOf(place, 'KHR_node_visibility')?.optional('visible')?.boolean();
    return place.list('children').map((child) => child.index(places.length, 'nodes'));
  });
  return checkForest(children, limits);
}

/**
 * Checks that every node has at most one parent and that no node is its own ancestor.
 *
 * @returns The parent of each node, −1 for none.
 * @throws {RenderError} MODEL_INVALID, or LIMIT_EXCEEDED for a chain longer than `maxNodeDepth`.
 */
function checkForest(childrenOf: readonly (readonly number[])[], limits: GltfLimits): Int32Array {
  const parents = new Int32Array(childrenOf.length).fill(-1);
  childrenOf.forEach((children, parent) => {
    for (const child of children) {
      if (parents[child] !== -1) {
        throw new RenderError(
          'MODEL_INVALID',
          `nodes[${parent}].children: node ${child} is already a child of node ${parents[child]}`,
        );
      }
      parents[child] = parent;
    }
  });
  // Each node has one parent, so the walk up from it ends at a root or in a cycle.
  const depths = new Int32Array(childrenOf.length);
  for (let start = 0; start < childrenOf.length; start++) {
    const way: number[] = [];
    let at = start;
    while (at !== -1 && depths[at] === 0) {
      depths[at] = -1;
      way.push(at);
      at = parents[at];
    }
    if (at !== -1 && depths[at] === -1) {
      throw new RenderError('MODEL_INVALID', `nodes[${at}].children: node ${at} contains itself`);
    }
    let depth = at === -1 ? 0 : depths[at];
    for (const node of way.reverse()) {
      depths[node] = ++depth;
      if (depth > limits.maxNodeDepth) {
        throw new RenderError(
          'LIMIT_EXCEEDED',
          `nodes[${node}]: depth ${depth}; at most ${limits.maxNodeDepth} (maxNodeDepth)`,
        );
      }
    }
  }
  return parents;
}

/**
 * Checks all skins.
 *
 * @returns The number of skins.
 */
export function checkSkins(
  places: readonly JsonPlace[],
  nodeCount: number,
  accessors: readonly CheckedAccessor[],
): number {
  for (const place of places) {
    const joints = place.get('joints').array();
    if (joints.length === 0) place.get('joints').fail('is empty');
    if (joints.length > MAX_JOINTS) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `${place.path}.joints: ${joints.length} joints; at most ${MAX_JOINTS}`,
      );
    }
    const nodes = new Set(joints.map((joint) => joint.index(nodeCount, 'nodes')));
    if (nodes.size !== joints.length) place.get('joints').fail('names a node twice');
    place.optional('skeleton')?.index(nodeCount, 'nodes');
    const matrices = place.optional('inverseBindMatrices');
    if (matrices === null) continue;
    const { type, componentType, count } = accessors[matrices.index(accessors.length, 'accessors')];
    if (type !== 'MAT4' || componentType !== 'float32') {
      matrices.fail(`${type} of ${componentType} is not a list of matrices`);
    }
    if (count < joints.length) matrices.fail(`${count} matrices for ${joints.length} joints`);
  }
  return places.length;
}

/**
 * Checks all cameras.
 *
 * @returns The number of cameras.
 */
export function checkCameras(places: readonly JsonPlace[]): number {
  for (const place of places) {
    const kind = place.get('type').oneOf(['perspective', 'orthographic']);
    const lens = place.get(kind);
    const isPerspective = kind === 'perspective';
    const znear = lens.get('znear').number(isPerspective ? Number.MIN_VALUE : 0);
    const zfar = isPerspective ? lens.optional('zfar') : lens.get('zfar');
    if (zfar !== null && zfar.number(0) <= znear)
      zfar.fail(`${zfar.value} is not greater than znear`);
    if (isPerspective) lens.get('yfov').number(1e-4, PI - 1e-4);
    else if (lens.get('ymag').number() === 0) lens.get('ymag').fail('must not be 0');
  }
  return places.length;
}

/**
 * Checks all scenes.
 *
 * @param parents Parent of each node, −1 for none.
 * @returns The number of scenes.
 */
export function checkScenes(places: readonly JsonPlace[], parents: Int32Array): number {
  for (const place of places) {
    const seen = new Set<number>();
    for (const node of place.list('nodes')) {
      const index = node.index(parents.length, 'nodes');
      if (seen.has(index)) place.get('nodes').fail('names a node twice');
      // The library would detach it from its parent.
      if (parents[index] !== -1) node.fail(`node ${index} is a child of node ${parents[index]}`);
      seen.add(index);
    }
  }
  return places.length;
}
