/**
 * Frames of the benchmark set in place of files: `scene:city-cascades`, and `scene:benchmark-set`
 * for all of them where several files are possible.
 */
import { BENCHMARK_SCENE_NAMES, findBenchmarkScene } from '@tessera/scenes';

/** Start of an argument that names a generated scene. */
const PREFIX = 'scene:';
/** Name of the whole set. */
const WHOLE_SET = 'benchmark-set';

/** Returns the name of the scene that an argument names, or `null` for the path of a file. */
export function benchmarkSceneOf(argument: string): string | null {
  return argument.startsWith(PREFIX) ? argument.slice(PREFIX.length) : null;
}

/**
 * Returns the arguments of single scenes that an argument stands for; `null` for the path of a
 * file.
 *
 * @throws {RenderError} REQUEST_INVALID if the set has no such scene.
 */
export function expandBenchmarkScenes(argument: string): string[] | null {
  const name = benchmarkSceneOf(argument);
  if (name === null) return null;
  if (name === WHOLE_SET) return BENCHMARK_SCENE_NAMES.map((each) => `${PREFIX}${each}`);
  findBenchmarkScene(name);
  return [argument];
}
