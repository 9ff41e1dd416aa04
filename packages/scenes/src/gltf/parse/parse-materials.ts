/** Checks images, samplers, textures and materials of the JSON (glTF 2.0, 3.8 and 3.9). */
import { RenderError, type SamplerState, type WrapMode } from '@tessera/frame';
import { MAX_ANGLE } from '../../math/deterministic-math.ts';
import type {
  GltfBufferView,
  GltfImage,
  GltfMaterial,
  GltfTexture,
  TextureSlot,
  TextureTransform,
  TextureUse,
} from '../gltf-model.ts';
import type { JsonPlace } from './json-place.ts';
import { extensionOf } from './parse-extensions.ts';

const WRAP_MODE_BY_CODE: ReadonlyMap<number, WrapMode> = new Map([
  [10497, 'repeat'],
  [33071, 'clamp-to-edge'],
  [33648, 'mirrored-repeat'],
]);

type MinFilter = Pick<SamplerState, 'minFilter' | 'mipmapFilter'>;
const MIN_FILTER_BY_CODE: ReadonlyMap<number, MinFilter> = new Map<number, MinFilter>([
  [9728, { minFilter: 'nearest', mipmapFilter: 'none' }],
  [9729, { minFilter: 'linear', mipmapFilter: 'none' }],
  [9984, { minFilter: 'nearest', mipmapFilter: 'nearest' }],
  [9985, { minFilter: 'linear', mipmapFilter: 'nearest' }],
  [9986, { minFilter: 'nearest', mipmapFilter: 'linear' }],
  [9987, { minFilter: 'linear', mipmapFilter: 'linear' }],
]);

/** What a texture without sampler, or a sampler that leaves the choice to us, is read with. */
const DEFAULT_SAMPLER: SamplerState = Object.freeze({
  wrapS: 'repeat',
  wrapT: 'repeat',
  magFilter: 'linear',
  minFilter: 'linear',
  mipmapFilter: 'linear',
});

export function parseImages(
  places: readonly JsonPlace[],
  bufferViews: readonly GltfBufferView[],
): GltfImage[] {
  return places.map((place) => {
    const view = place.optional('bufferView')?.index(bufferViews.length, 'bufferViews') ?? null;
    const uri = place.optional('uri')?.string() ?? null;
    if ((view === null) === (uri === null)) place.fail('needs either bufferView or uri');
    return { uri, bufferViewIndex: view };
  });
}

export function parseSamplers(places: readonly JsonPlace[]): SamplerState[] {
  return places.map((place) => ({
    wrapS: lookUp(place, 'wrapS', WRAP_MODE_BY_CODE) ?? 'repeat',
    wrapT: lookUp(place, 'wrapT', WRAP_MODE_BY_CODE) ?? 'repeat',
    magFilter:
      lookUp(
        place,
        'magFilter',
        new Map([
          [9728, 'nearest' as const],
          [9729, 'linear' as const],
        ]),
      ) ?? 'linear',
    ...(lookUp(place, 'minFilter', MIN_FILTER_BY_CODE) ?? {
      minFilter: DEFAULT_SAMPLER.minFilter,
      mipmapFilter: DEFAULT_SAMPLER.mipmapFilter,
    }),
  }));
}

function lookUp<T>(place: JsonPlace, key: string, table: ReadonlyMap<number, T>): T | null {
  const member = place.optional(key);
  if (member === null) return null;
  const code = member.integer();
  return table.get(code) ?? member.fail(`${code} is none of ${[...table.keys()].join(', ')}`);
}

export function parseTextures(
  places: readonly JsonPlace[],
  images: readonly GltfImage[],
  samplers: readonly SamplerState[],
): GltfTexture[] {
  return places.map((place) => {
    const source = place.optional('source');
    if (source === null) {
      const [extension] = place.optional('extensions')?.keys() ?? [];
      if (extension === undefined) return place.fail('source is missing');
      throw new RenderError(
        'MODEL_UNSUPPORTED',
        `${place.path}: the image is given by ${extension} alone`,
      );
    }
    const sampler = place.optional('sampler')?.index(samplers.length, 'samplers');
    return {
      imageIndex: source.index(images.length, 'images'),
      sampler: sampler === undefined ? DEFAULT_SAMPLER : samplers[sampler],
    };
  });
}

export function parseMaterials(
  places: readonly JsonPlace[],
  textures: readonly GltfTexture[],
): GltfMaterial[] {
  return places.map((place) => parseMaterial(place, textures));
}

function parseMaterial(place: JsonPlace, textures: readonly GltfTexture[]): GltfMaterial {
  const metallicRoughness = place.optional('pbrMetallicRoughness');
  const normal = place.optional('normalTexture');
  const occlusion = place.optional('occlusionTexture');
  const placeBySlot: Record<TextureSlot, JsonPlace | null | undefined> = {
    baseColor: metallicRoughness?.optional('baseColorTexture'),
    metallicRoughness: metallicRoughness?.optional('metallicRoughnessTexture'),
    normal,
    occlusion,
    emissive: place.optional('emissiveTexture'),
  };
  const uses: Partial<Record<TextureSlot, TextureUse>> = {};
  for (const [slot, usePlace] of Object.entries(placeBySlot)) {
    if (usePlace) uses[slot as TextureSlot] = parseTextureUse(usePlace, textures); // a key of the record above
  }
  const strength =
    extensionOf(place, 'KHR_materials_emissive_strength')
      ?.optional('emissiveStrength')
      ?.number(0) ?? 1;
  const emissive = place.optional('emissiveFactor')?.numbers(3) ?? [0, 0, 0];
  return {
    baseColorFactor: metallicRoughness?.optional('baseColorFactor')?.numbers(4) ?? [1, 1, 1, 1],
    metallicFactor: metallicRoughness?.optional('metallicFactor')?.number(0, 1) ?? 1,
    roughnessFactor: metallicRoughness?.optional('roughnessFactor')?.number(0, 1) ?? 1,
    emissiveFactor: emissive.map((value) => value * strength),
    normalScale: normal?.optional('scale')?.number() ?? 1,
    occlusionStrength: occlusion?.optional('strength')?.number(0, 1) ?? 1,
    alphaMode: place.optional('alphaMode')?.oneOf(['OPAQUE', 'MASK', 'BLEND']) ?? 'OPAQUE',
    alphaCutoff: place.optional('alphaCutoff')?.number(0) ?? 0.5,
    isDoubleSided: place.optional('doubleSided')?.boolean() ?? false,
    isUnlit: extensionOf(place, 'KHR_materials_unlit') !== null,
    textures: uses,
  };
}

function parseTextureUse(place: JsonPlace, textures: readonly GltfTexture[]): TextureUse {
  const extension = extensionOf(place, 'KHR_texture_transform');
  const texCoord = extension?.optional('texCoord') ?? place.optional('texCoord');
  const set = texCoord?.integer() ?? 0;
  if (set > 1) {
    throw new RenderError(
      'MODEL_UNSUPPORTED',
      `${texCoord?.path}: TEXCOORD_${set}; sets 0 and 1 are supported`,
    );
  }
  return {
    textureIndex: place.get('index').index(textures.length, 'textures'),
    texCoord: set === 1 ? 1 : 0,
    transform: extension && parseTransform(extension),
  };
}

function parseTransform(place: JsonPlace): TextureTransform {
  const [offsetU, offsetV] = place.optional('offset')?.numbers(2) ?? [0, 0];
  const [scaleU, scaleV] = place.optional('scale')?.numbers(2) ?? [1, 1];
  return {
    offset: [offsetU, offsetV],
    rotation: place.optional('rotation')?.number(-MAX_ANGLE, MAX_ANGLE) ?? 0,
    scale: [scaleU, scaleV],
  };
}
