/** Models, captures and scenes of the benchmark set in a study, each with a unique name. */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve, sep } from 'node:path';
import { RenderError } from '@tessera/frame';
import { benchmarkSceneOf, expandBenchmarkScenes } from '../../inputs/benchmark-scene.ts';

const ENDINGS = ['.glb', '.gltf', '.trace'];

/** Model, capture or scene of the benchmark set in a study. */
export interface SceneFile {
  /** Name in tables; unique within the study. */
  readonly name: string;
  /** Path of the file, or `scene:NAME`. */
  readonly path: string;
}

/** Scenes of a study: generated scenes by their names, and files. */
export interface NamedScenes {
  /** Names of the generated scenes, in the order in which they were given. */
  readonly generated: readonly string[];
  readonly files: readonly SceneFile[];
}

/**
 * Lists models and captures at paths, folders searched in the order of their names, and scenes of
 * the benchmark set (`scene:NAME`), and names every scene of the study. Scenes that share a name
 * get the end of their path that tells them apart: `Box (glTF/Box.gltf)`, `terrain (generated)`.
 *
 * @param generated Names of the scenes that the study generates itself.
 * @throws {RenderError} REQUEST_INVALID if there is nothing at a path, or a file is listed twice.
 */
export async function nameScenes(
  paths: readonly string[],
  generated: readonly string[] = [],
): Promise<NamedScenes> {
  const files = (await Promise.all(paths.map(listFiles))).flat();
  const names = distinguish([
    ...generated.map((name) => ({ name, origin: 'generated' })),
    ...files.map((file) => ({ name: plainName(file), origin: resolve(file) })),
  ]);
  return {
    generated: names.slice(0, generated.length),
    files: files.map((path, i) => ({ name: names[generated.length + i]!, path })),
  };
}

/**
 * Lists and names the files of a study that generates no scene.
 *
 * @throws {RenderError} As {@link nameScenes}.
 */
export async function listScenes(paths: readonly string[]): Promise<readonly SceneFile[]> {
  return (await nameScenes(paths)).files;
}

async function listFiles(path: string): Promise<string[]> {
  const scenes = expandBenchmarkScenes(path);
  if (scenes !== null) return scenes;
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

/**
 * Returns the name of a file that no other scene claims. A capture `trace.trace` is named after its
 * folder, and also after the parent folder if the folder's name is a size or an API. Any other file
 * has its own name.
 */
function plainName(file: string): string {
  const scene = benchmarkSceneOf(file);
  if (scene !== null) return scene;
  const name = basename(file, extname(file));
  if (basename(file) !== 'trace.trace') return name;
  const folder = basename(dirname(resolve(file)));
  if (!/^\d+x\d+$|^es\d$/.test(folder)) return folder;
  return `${basename(dirname(dirname(resolve(file))))} ${folder}`;
}

/** Name that scenes may share, and the path that distinguishes them. */
interface Candidate {
  readonly name: string;
  readonly origin: string;
}

function distinguish(candidates: readonly Candidate[]): string[] {
  const names = candidates.map(({ name, origin }) => {
    const others = candidates.filter((other) => other.name === name);
    if (others.length === 1) return name;
    if (others.filter((other) => other.origin === origin).length > 1) {
      throw new RenderError('REQUEST_INVALID', `${origin}: listed twice; list each file once`);
    }
    return `${name} (${shortestTail(origin, others)})`;
  });
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice === undefined) return names;
  throw new RenderError('REQUEST_INVALID', `two scenes have the name '${twice}'; rename a file`);
}

/** Returns the shortest end of a path, at least folder and file, that no other origin ends with. */
function shortestTail(origin: string, others: readonly Candidate[]): string {
  const parts = origin.split(sep);
  for (let count = 2; count < parts.length; count++) {
    const tail = parts.slice(-count);
    const isShared = others.some(
      (other) =>
        other.origin !== origin && other.origin.split(sep).slice(-count).join() === tail.join(),
    );
    if (!isShared) return tail.join('/');
  }
  return origin;
}
