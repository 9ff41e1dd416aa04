/** glTF extensions that the importer supports, and the handling of others. */
import { RenderError } from '@tessera/frame';
import type { JsonPlace } from './json-place.ts';

/** Extensions whose effect on the image is implemented. */
export const SUPPORTED_EXTENSIONS: readonly string[] = Object.freeze([
  'EXT_mesh_gpu_instancing',
  'EXT_meshopt_compression',
  'EXT_texture_avif',
  'EXT_texture_webp',
  'KHR_animation_pointer',
  'KHR_draco_mesh_compression',
  'KHR_lights_punctual',
  'KHR_materials_anisotropy',
  'KHR_materials_clearcoat',
  'KHR_materials_diffuse_transmission',
  'KHR_materials_dispersion',
  'KHR_materials_emissive_strength',
  'KHR_materials_ior',
  'KHR_materials_iridescence',
  'KHR_materials_pbrSpecularGlossiness',
  'KHR_materials_sheen',
  'KHR_materials_specular',
  'KHR_materials_transmission',
  'KHR_materials_unlit',
  'KHR_materials_variants',
  'KHR_materials_volume',
  'KHR_mesh_quantization',
  'KHR_meshopt_compression',
  'KHR_node_visibility',
  'KHR_texture_basisu',
  'KHR_texture_transform',
]);

/** Supported extensions that only full quality draws. */
export const FULL_QUALITY_EXTENSIONS: readonly string[] = SUPPORTED_EXTENSIONS.filter(
  (name) =>
    name === 'KHR_lights_punctual' ||
    (name.startsWith('KHR_materials_') &&
      name !== 'KHR_materials_emissive_strength' &&
      name !== 'KHR_materials_unlit' &&
      name !== 'KHR_materials_variants'),
);

/** Extensions of information about a model, on which no image depends. */
export const METADATA_EXTENSIONS: readonly string[] = Object.freeze(['KHR_xmp', 'KHR_xmp_json_ld']);

/**
 * Returns the extensions that the model uses.
 *
 * @throws {RenderError} MODEL_UNSUPPORTED if the model requires one that is not supported.
 */
export function checkExtensions(root: JsonPlace): string[] {
  const accepted = [...SUPPORTED_EXTENSIONS, ...METADATA_EXTENSIONS];
  for (const place of root.list('extensionsRequired')) {
    const name = place.string();
    if (!accepted.includes(name)) {
      throw new RenderError(
        'MODEL_UNSUPPORTED',
        `${place.path}: the model requires ${name}; supported are ${SUPPORTED_EXTENSIONS.join(', ')}`,
      );
    }
  }
  return [...new Set(root.list('extensionsUsed').map((place) => place.string()))];
}

/** Returns the object of one extension at a place, `null` if it is missing. */
export function extensionOf(place: JsonPlace, name: string): JsonPlace | null {
  return place.optional('extensions')?.optional(name) ?? null;
}
