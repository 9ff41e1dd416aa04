/** Reads a model file and, for a .gltf, the files of its folder that it references. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve, sep } from 'node:path';
import { RenderError } from '@tessera/frame';
import type { GltfSource } from '@tessera/scenes';

/**
 * Reads a model.
 *
 * @throws {RenderError} MODEL_INVALID if a file is missing or outside the model's folder.
 */
export async function readModel(path: string): Promise<GltfSource> {
  const bytes = await readFileOrFail(path, path);
  if (!path.toLowerCase().endsWith('.gltf')) return { kind: 'glb', bytes };
  const files = new Map<string, Uint8Array>();
  const folder = resolve(dirname(path));
  for (const uri of listFileUris(bytes, path)) {
    const file = resolve(folder, decodeURIComponent(uri));
    if (!file.startsWith(folder + sep)) {
      throw new RenderError('MODEL_INVALID', `${uri}: outside the folder of ${basename(path)}`);
    }
    files.set(uri, await readFileOrFail(file, uri));
  }
  return { kind: 'gltf', json: bytes, files };
}

async function readFileOrFail(path: string, name: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new RenderError('MODEL_INVALID', `${name}: cannot be read`, { cause: error });
  }
}

function listFileUris(json: Uint8Array, path: string): string[] {
  let document: { buffers?: { uri?: unknown }[]; images?: { uri?: unknown }[] };
  try {
    document = JSON.parse(new TextDecoder().decode(json));
  } catch (error) {
    throw new RenderError('MODEL_INVALID', `${path}: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return [...(document.buffers ?? []), ...(document.images ?? [])]
    .map((entry) => entry.uri)
    .filter((uri): uri is string => typeof uri === 'string' && !uri.startsWith('data:'));
}
