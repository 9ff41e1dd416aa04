/** Which glTF extensions the importer knows, and what becomes of the others. */
import { RenderError } from '@tessera/frame';
import type { JsonPlace } from './json-place.ts';

/** Extensions that change the picture as their specification says. */
export const SUPPORTED_EXTENSIONS: readonly string[] = Object.freeze([
  'EXT_mesh_gpu_instancing',
  'KHR_materials_emissive_strength',
  'KHR_materials_unlit',
  'KHR_mesh_quantization',
  'KHR_texture_transform',
]);

/**
 * The extensions that the model uses and that are left out of the picture.
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

/** The object of one extension at a place, `null` when it is not there. */
export function extensionOf(place: JsonPlace, name: string): JsonPlace | null {
  return place.optional('extensions')?.optional(name) ?? null;
}
