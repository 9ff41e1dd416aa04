/**
 * Scenes of the studies: generated ones, which every clone has, and models and captures at paths.
 */
import { fileURLToPath } from 'node:url';
import type { Frame } from '@tessera/frame';
import type { ProgramCache } from '@tessera/multi-chiplet';
import {
  BENCHMARK_SET,
  cubeFrame,
  randomTrianglesFrame,
  terrainFrame,
  texturedQuadFrame,
} from '@tessera/scenes';
import { isCapture } from '../../inputs/read-capture.ts';
import { readFrame, STUDIED } from '../../inputs/read-frame.ts';
import { listScenes, nameScenes, type SceneFile } from './scene-files.ts';

/** Scene of a study. */
export interface StudyScene {
  /** Name in tables; unique within the study. */
  readonly name: string;
  readonly read: (programs: ProgramCache) => Promise<Frame>;
}

/** Size of the image of scenes without a fixed size, as captures have. */
export interface SceneSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

const GOLDEN_MODELS = fileURLToPath(new URL('../../../../../test/golden/models', import.meta.url));
const TRIANGLES = { seed: 7, count: 2000 } as const;

/** Makers of generated scenes, by name. */
export type GeneratedScenes = Readonly<Record<string, (size: SceneSize) => Frame>>;

/** Makers of the scenes of the benchmark set. */
export const BENCHMARK_SCENES: GeneratedScenes = Object.fromEntries(
  Object.entries(BENCHMARK_SET).map(([name, { make }]) => [name, make]),
);

const GENERATED: GeneratedScenes = {
  cube: (size) => cubeFrame(size),
  'textured-quad': (size) => texturedQuadFrame(size),
  'random-triangles': (size) => randomTrianglesFrame({ ...size, ...TRIANGLES }),
  terrain: (size) => terrainFrame({ ...size, triangles: 20_000 }),
};

/**
 * Lists the generated scenes, then models and captures.
 *
 * @param paths Paths of models and captures. If empty, the models of the repository's tests are
 *   used, unless the study generates its own scenes.
 * @param generated Generated scenes of the study.
 * @throws {RenderError} REQUEST_INVALID if there is nothing at a path, or a file is listed twice.
 */
export async function listStudyScenes(
  paths: readonly string[],
  size: SceneSize,
  generated: GeneratedScenes = GENERATED,
): Promise<StudyScene[]> {
  const makers = Object.values(generated);
  const isUsual = generated === GENERATED;
  const named = await nameScenes(
    paths.length === 0 && isUsual ? [GOLDEN_MODELS] : paths,
    Object.keys(generated),
  );
  const made = named.generated.map((name, i) => ({
    name,
    read: async () => makers[i]!(size),
  }));
  return [...made, ...named.files.map((file) => fileScene(file, size))];
}

/** Lists only models and captures. @throws {RenderError} As {@link listStudyScenes}. */
export async function listFileScenes(
  paths: readonly string[],
  size: SceneSize,
): Promise<StudyScene[]> {
  return (await listScenes(paths)).map((file) => fileScene(file, size));
}

function fileScene({ name, path }: SceneFile, size: SceneSize): StudyScene {
  return {
    name,
    read: async (programs) =>
      (await readFrame(path, (await isCapture(path)) ? {} : { ...size, ...STUDIED }, programs))
        .frame,
  };
}
