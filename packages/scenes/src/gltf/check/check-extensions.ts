/** glTF extensions that the importer supports, and the handling of others. */
import { RenderError } from '@tessera/frame';
import type { JsonPlace } from './json-place.ts';

/** Extensions whose effect on the image is implemented. */
export const SUPPORTED_EXTENSIONS: readonly string[] = Object.freeze([
  'EXT_mesh_gpu_instancing',
  'KHR_materials_emissive_strength',
  'KHR_materials_unlit',
  'KHR_mesh_quantization',
  'KHR_texture_transform',
]);

/**
 * Returns the extensions that the model uses but the image ignores.
 *
 * @throws {RenderError} MODEL_UNSUPPORTED if the model requires one that is not supported.
 */
export function checkExtensions(root: JsonPlace): string[] {
  for (const place of root.list('extensionsRequired')) {
    const name = place.string();
    if (!SUPPORTED_EXTENSIONS.includes(name)) {
      throw new RenderError(
        'MODEL_UNSUPPORTED',
        `${place.path}: the model requires ${name}; supported are ${SUPPORTED_EXTENSIONS.join(', ')}`,
      );
    }
  }
  const used = new Set(root.list('extensionsUsed').map((place) => place.string()));
  return [...used].filter((name) => !SUPPORTED_EXTENSIONS.includes(name));
}

/** Returns the object of one extension at a place, `null` if it is missing. */
export function extensionOf(place: JsonPlace, name: string): JsonPlace | null {
  return place.optional('extensions')?.optional(name) ?? null;
}
