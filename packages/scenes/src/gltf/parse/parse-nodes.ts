/** Checks nodes, skins, cameras and scenes of the JSON (glTF 2.0, 3.5): the nodes are a forest. */
import { RenderError } from '@tessera/frame';
import { PI } from '../../math/deterministic-math.ts';
import type { GltfLimits } from '../gltf-limits.ts';
import type {
  GltfAccessor,
  GltfCamera,
  GltfMesh,
  GltfNode,
  GltfSkin,
  NodeTransform,
} from '../gltf-model.ts';
import type { JsonPlace } from './json-place.ts';
import { extensionOf } from './parse-extensions.ts';
import { parseInstancing } from './parse-meshes.ts';

/** Most joints of a skin: the length of the joint matrix array in the vertex shader. */
export const MAX_JOINTS = 128;

export function parseNodes(
  places: readonly JsonPlace[],
  meshes: readonly GltfMesh[],
  counts: { readonly skins: number; readonly cameras: number },
  accessors: readonly GltfAccessor[],
): GltfNode[] {
  return places.map((place) => {
    const children = place.list('children').map((child) => child.index(places.length, 'nodes'));
    const meshIndex = place.optional('mesh')?.index(meshes.length, 'meshes') ?? null;
    const targetCount = meshIndex === null ? 0 : meshes[meshIndex].weights.length;
    const instancing = extensionOf(place, 'EXT_mesh_gpu_instancing');
    return {
      children,
      transform: parseTransform(place),
      meshIndex,
      skinIndex: place.optional('skin')?.index(counts.skins, 'skins') ?? null,
      cameraIndex: place.optional('camera')?.index(counts.cameras, 'cameras') ?? null,
      weights: place.optional('weights')?.numbers(targetCount) ?? null,
      instancing: instancing && parseInstancing(instancing, accessors),
    };
  });
}

function parseTransform(place: JsonPlace): NodeTransform {
  const matrix = place.optional('matrix');
  if (matrix !== null) return { kind: 'matrix', matrix: matrix.numbers(16) };
  const [tx, ty, tz] = place.optional('translation')?.numbers(3) ?? [0, 0, 0];
  const [qx, qy, qz, qw] = place.optional('rotation')?.numbers(4) ?? [0, 0, 0, 1];
  const [sx, sy, sz] = place.optional('scale')?.numbers(3) ?? [1, 1, 1];
  return {
    kind: 'trs',
    translation: [tx, ty, tz],
    rotation: [qx, qy, qz, qw],
    scale: [sx, sy, sz],
  };
}

/**
 * Checks that every node has at most one parent and that no node is its own ancestor.
 *
 * @throws {RenderError} MODEL_INVALID, or LIMIT_EXCEEDED for a chain longer than `maxNodeDepth`.
 */
export function checkForest(nodes: readonly GltfNode[], limits: GltfLimits): void {
  const parents = new Int32Array(nodes.length).fill(-1);
  nodes.forEach(({ children }, parent) => {
    for (const child of children) {
      if (parents[child] !== -1) {
        throw new RenderError(
          'MODEL_INVALID',
          `nodes[${parent}].children: node ${child} is a child of node ${parents[child]} already`,
        );
      }
      parents[child] = parent;
    }
  });
  // One parent each, so the walk up from a node either ends at a root or runs in a cycle.
  const depths = new Int32Array(nodes.length);
  for (let start = 0; start < nodes.length; start++) {
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
}

export function parseSkins(
  places: readonly JsonPlace[],
  nodeCount: number,
  accessors: readonly GltfAccessor[],
): GltfSkin[] {
  return places.map((place) => {
    const joints = place.get('joints').array();
    if (joints.length === 0) place.get('joints').fail('is empty');
    if (joints.length > MAX_JOINTS) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `${place.path}.joints: ${joints.length} joints; at most ${MAX_JOINTS}`,
      );
    }
    const matrices = place.optional('inverseBindMatrices');
    const accessorIndex = matrices?.index(accessors.length, 'accessors') ?? null;
    if (matrices !== null && accessorIndex !== null) {
      const { type, componentType, count } = accessors[accessorIndex];
      if (type !== 'MAT4' || componentType !== 'float32') {
        matrices.fail(`${type} of ${componentType} is no list of matrices`);
      }
      if (count < joints.length) matrices.fail(`${count} matrices for ${joints.length} joints`);
    }
    return {
      joints: joints.map((joint) => joint.index(nodeCount, 'nodes')),
      inverseBindMatrices: accessorIndex,
    };
  });
}

export function parseCameras(places: readonly JsonPlace[]): GltfCamera[] {
  return places.map((place) => {
    const kind = place.get('type').oneOf(['perspective', 'orthographic']);
    const lens = place.get(kind);
    const smallest = Number.MIN_VALUE;
    if (kind === 'perspective') {
      const znear = lens.get('znear').number(smallest);
      const zfar = lens.optional('zfar')?.number() ?? null;
      if (zfar !== null && zfar <= znear) lens.get('zfar').fail(`${zfar} is not beyond znear`);
      return { kind, yfov: lens.get('yfov').number(1e-4, PI - 1e-4), znear, zfar };
    }
    const znear = lens.get('znear').number(0);
    const zfar = lens.get('zfar').number(0);
    if (zfar <= znear) lens.get('zfar').fail(`${zfar} is not beyond znear`);
    const ymag = lens.get('ymag').number();
    if (ymag === 0) lens.get('ymag').fail('is 0');
    return { kind, ymag, znear, zfar };
  });
}

export function parseScenes(places: readonly JsonPlace[], nodeCount: number): number[][] {
  return places.map((place) => {
    const roots = place.list('nodes').map((node) => node.index(nodeCount, 'nodes'));
    if (new Set(roots).size !== roots.length) place.get('nodes').fail('names a node twice');
    return roots;
  });
}
