/** Checks samplers, textures and materials in the JSON (glTF 2.0, 3.8 and 3.9). */
import { RenderError } from '@tessera/frame';
import { MAX_ANGLE } from '../../math/deterministic-math.ts';
import { extensionOf } from './check-extensions.ts';
import { checkMaterialExtensions } from './check-material-extensions.ts';
import type { JsonPlace } from './json-place.ts';

/** Valid values of the members of a sampler. */
const SAMPLER_CODES: Readonly<Record<string, readonly number[]>> = {
  magFilter: [9728, 9729],
  minFilter: [9728, 9729, 9984, 9985, 9986, 9987],
  wrapS: [10497, 33071, 33648],
  wrapT: [10497, 33071, 33648],
};

/**
 * Checks all samplers.
 *
 * @returns The number of samplers.
 */
export function checkSamplers(places: readonly JsonPlace[]): number {
  for (const place of places) {
    for (const [key, codes] of Object.entries(SAMPLER_CODES)) {
      const member = place.optional(key);
      const code = member?.integer() ?? codes[0];
      if (!codes.includes(code)) member?.fail(`${code} is not one of ${codes.join(', ')}`);
    }
  }
  return places.length;
}

/** Extensions that name another image, in the order of preference. */
const IMAGE_EXTENSIONS = ['KHR_texture_basisu', 'EXT_texture_avif', 'EXT_texture_webp'];

/**
 * Checks all textures.
 *
 * @returns The index of the image of each texture, `null` for a texture without an image.
 */
export function checkTextures(
  places: readonly JsonPlace[],
  imageCount: number,
  samplerCount: number,
): (number | null)[] {
  return places.map((place) => {
    place.optional('sampler')?.index(samplerCount, 'samplers');
    const sources = [
      ...IMAGE_EXTENSIONS.map((name) => extensionOf(place, name)?.optional('source')),
      place.optional('source'),
    ].filter((source) => source !== null && source !== undefined);
    // The first image is used; the indices of the others are checked as well.
    const [image] = sources.map((source) => source.index(imageCount, 'images'));
    if (image !== undefined) return image;
    const names = place.optional('extensions')?.keys() ?? [];
    const unsupported = names.find((name) => !IMAGE_EXTENSIONS.includes(name));
    if (unsupported === undefined) return null;
    throw new RenderError(
      'MODEL_UNSUPPORTED',
      `${place.path}: the image is only available through ${unsupported}, which is not supported`,
    );
  });
}

/**
 * Checks all materials.
 *
 * @returns The number of materials.
 */
export function checkMaterials(places: readonly JsonPlace[], textureCount: number): number {
  for (const place of places) checkMaterial(place, textureCount);
  return places.length;
}

function checkMaterial(place: JsonPlace, textureCount: number): void {
  const metallicRoughness = place.optional('pbrMetallicRoughness');
  metallicRoughness?.optional('baseColorFactor')?.numbers(4);
  metallicRoughness?.optional('metallicFactor')?.number(0, 1);
  metallicRoughness?.optional('roughnessFactor')?.number(0, 1);
  const normal = place.optional('normalTexture');
  normal?.optional('scale')?.number();
  const occlusion = place.optional('occlusionTexture');
  occlusion?.optional('strength')?.number(0, 1);
  const uses = [
    metallicRoughness?.optional('baseColorTexture'),
    metallicRoughness?.optional('metallicRoughnessTexture'),
    normal,
    occlusion,
    place.optional('emissiveTexture'),
  ];
  for (const use of uses) if (use) checkTextureUse(use, textureCount);
  place.optional('emissiveFactor')?.numbers(3);
  place.optional('alphaMode')?.oneOf(['OPAQUE', 'MASK', 'BLEND']);
  place.optional('alphaCutoff')?.number(0);
  place.optional('doubleSided')?.boolean();
  checkMaterialExtensions(place, (use) => checkTextureUse(use, textureCount));
}

function checkTextureUse(place: JsonPlace, textureCount: number): void {
  place.get('index').index(textureCount, 'textures');
  const transform = extensionOf(place, 'KHR_texture_transform');
  transform?.optional('offset')?.numbers(2);
  transform?.optional('scale')?.numbers(2);
  transform?.optional('rotation')?.number(-MAX_ANGLE, MAX_ANGLE);
  for (const texCoord of [place.optional('texCoord'), transform?.optional('texCoord')]) {
    const set = texCoord?.integer() ?? 0;
    if (set > 1) {
      throw new RenderError(
        'MODEL_UNSUPPORTED',
        `${texCoord?.path}: TEXCOORD_${set} is not supported; use set 0 or 1`,
      );
    }
  }
}
