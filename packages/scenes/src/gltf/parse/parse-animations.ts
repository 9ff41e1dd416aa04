/** Checks animations of the JSON (glTF 2.0, 3.11): keys and values of each channel match in number and type. */
import { RenderError } from '@tessera/frame';
import type {
  AnimationPath,
  GltfAccessor,
  GltfChannel,
  GltfMesh,
  GltfNode,
  Interpolation,
} from '../gltf-model.ts';
import type { JsonPlace } from './json-place.ts';
import { extensionOf } from './parse-extensions.ts';

interface AnimationSampler {
  readonly place: JsonPlace;
  readonly interpolation: Interpolation;
  readonly inputAccessor: number;
  readonly outputAccessor: number;
}

/** Channels of each animation; a channel without target node does nothing and is left out. */
export function parseAnimations(
  places: readonly JsonPlace[],
  accessors: readonly GltfAccessor[],
  nodes: readonly GltfNode[],
  meshes: readonly GltfMesh[],
): GltfChannel[][] {
  return places.map((place) => {
    const samplers = place.get('samplers').array();
    const parsed = samplers.map((sampler) => parseSampler(sampler, accessors));
    return place
      .get('channels')
      .array()
      .flatMap((channel) => parseChannel(channel, parsed, accessors, nodes, meshes) ?? []);
  });
}

function parseSampler(place: JsonPlace, accessors: readonly GltfAccessor[]): AnimationSampler {
  const input = place.get('input');
  const inputAccessor = input.index(accessors.length, 'accessors');
  const { type, componentType } = accessors[inputAccessor];
  if (type !== 'SCALAR' || componentType !== 'float32') {
    input.fail(`${type} of ${componentType} is no list of times`);
  }
  return {
    place,
    interpolation:
      place.optional('interpolation')?.oneOf(['LINEAR', 'STEP', 'CUBICSPLINE']) ?? 'LINEAR',
    inputAccessor,
    outputAccessor: place.get('output').index(accessors.length, 'accessors'),
  };
}

function parseChannel(
  place: JsonPlace,
  samplers: readonly AnimationSampler[],
  accessors: readonly GltfAccessor[],
  nodes: readonly GltfNode[],
  meshes: readonly GltfMesh[],
): GltfChannel | null {
  const { place: samplerPlace, ...sampler } =
    samplers[place.get('sampler').index(samplers.length, 'samplers')];
  const targetPlace = place.get('target');
  if (extensionOf(targetPlace, 'KHR_animation_pointer') !== null) return null;
  const nodeIndex = targetPlace.optional('node')?.index(nodes.length, 'nodes');
  if (nodeIndex === undefined) return null;
  const target = targetPlace
    .get('path')
    .oneOf<AnimationPath>(['translation', 'rotation', 'scale', 'weights']);
  const node = nodes[nodeIndex];
  if (target !== 'weights' && node.transform.kind === 'matrix') {
    targetPlace.fail(`nodes[${nodeIndex}] has a matrix, whose ${target} cannot be animated`);
  }
  const type = target === 'weights' ? 'SCALAR' : target === 'rotation' ? 'VEC4' : 'VEC3';
  const output = accessors[sampler.outputAccessor];
  if (output.type !== type) {
    samplerPlace.get('output').fail(`is ${output.type}, but ${target} needs ${type}`);
  }
  const targets = node.meshIndex === null ? 0 : meshes[node.meshIndex].weights.length;
  const perKey =
    (target === 'weights' ? targets : 1) * (sampler.interpolation === 'CUBICSPLINE' ? 3 : 1);
  if (perKey === 0) targetPlace.fail(`nodes[${nodeIndex}] has no morph targets`);
  const keys = accessors[sampler.inputAccessor].count;
  if (output.count !== keys * perKey) {
    throw new RenderError(
      'MODEL_INVALID',
      `${samplerPlace.path}.output: ${output.count} values for ${keys} keys, not ${keys * perKey}`,
    );
  }
  return { path: samplerPlace.path, nodeIndex, target, ...sampler };
}
