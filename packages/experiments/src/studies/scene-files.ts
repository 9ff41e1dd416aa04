/** Models and captures that studies go over. */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { RenderError } from '@tessera/frame';

const ENDINGS = ['.glb', '.gltf', '.trace'];

/**
 * Models and captures at a path, in the order of their names.
 *
 * @throws {RenderError} REQUEST_INVALID if there is nothing at the path.
 */
export async function listScenes(path: string): Promise<string[]> {
  let isFolder: boolean;
  try {
    isFolder = (await stat(path)).isDirectory();
  } catch (error) {
    throw new RenderError('REQUEST_INVALID', `${path}: cannot be read`, { cause: error });
  }
  if (!isFolder) return [path];
  const names = await readdir(path, { recursive: true });
  return names
    .filter((name) => ENDINGS.includes(extname(name)))
    .sort()
    .map((name) => join(path, name));
}

/** A capture is named by its folder, and the one around it where that says a size or API; a model by itself. */
export function sceneName(file: string): string {
  const name = basename(file, extname(file));
  if (extname(file) !== '.trace') return name;
  const folder = basename(dirname(file));
  return /^\d+x\d+$|^es\d$/.test(folder) ? `${basename(dirname(dirname(file)))} ${folder}` : folder;
}
