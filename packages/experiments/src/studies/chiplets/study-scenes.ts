/** Scenes of the studies over chiplets, each rendered once per setting; everything else follows from the cycles. */
import { appendFile, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Frame, VisibilityShader } from '@tessera/frame';
import type { FrameMeasurement, ProgramCache } from '@tessera/multi-chiplet';
import { cubeFrame, randomTrianglesFrame, terrainFrame, texturedQuadFrame } from '@tessera/scenes';
import { LocalGpu } from '../../local-gpu.ts';
import { isCapture } from '../../read-capture.ts';
import { readFrame } from '../../read-frame.ts';
import { listScenes, sceneName } from '../scene-files.ts';

/** What of a frame must be rendered anew when it changes. */
export interface MeasureSetting {
  /** Coarse bins wanted. */
  readonly bins: number;
  readonly visibility: VisibilityShader;
}

export interface StudyScene {
  readonly name: string;
  /** Of its picture, where that can be chosen; empty for captures. */
  readonly size: string;
  readonly read: (programs: ProgramCache) => Promise<Frame>;
}

export interface SceneSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

const GOLDEN_MODELS = fileURLToPath(new URL('../../../../../test/golden/models/', import.meta.url));
const TRIANGLES = { seed: 7, count: 2000 } as const;

/**
 * Scenes made by code, which every clone has, and the models and captures at the paths.
 *
 * @param paths Where there is none: the models of the repository's tests.
 * @throws {RenderError} REQUEST_INVALID if there is nothing at a path.
 */
export async function listStudyScenes(
  paths: readonly string[],
  size: SceneSize,
): Promise<StudyScene[]> {
  const made = {
    cube: () => cubeFrame(size),
    'textured-quad': () => texturedQuadFrame(size),
    'random-triangles': () => randomTrianglesFrame({ ...size, ...TRIANGLES }),
    terrain: () => terrainFrame({ ...size, triangles: 20_000 }),
  };
  const scenes = Object.entries(made).map(([name, make]) => ({
    name,
    size: `${size.widthPx}×${size.heightPx}`,
    read: async () => make(),
  }));
  const files = paths.length === 0 ? [GOLDEN_MODELS] : paths;
  return [...scenes, ...(await listFileScenes(files, size))];
}

async function listFileScenes(paths: readonly string[], size: SceneSize): Promise<StudyScene[]> {
  const files = (await Promise.all(paths.map(listScenes))).flat();
  return Promise.all(
    files.map(async (file) => {
      const isSized = !(await isCapture(file));
      return {
        name: sceneName(file),
        size: isSized ? `${size.widthPx}×${size.heightPx}` : '',
        read: async (programs: ProgramCache) =>
          (await readFrame(file, isSized ? size : {}, programs)).frame,
      };
    }),
  );
}

/** Measurements that were made, in memory and, where a file is given, from one run to the next. */
export class MeasurementStore {
  readonly #path: string | undefined;
  readonly #byKey = new Map<string, FrameMeasurement>();

  private constructor(path: string | undefined) {
    this.#path = path;
  }

  /** @param path A file of JSON lines, which is made if there is none. */
  static async open(path: string | undefined): Promise<MeasurementStore> {
    const store = new MeasurementStore(path);
    const text = path === undefined ? '' : await readIfThere(path);
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const { key, measurement } = JSON.parse(line) as {
        readonly key: string;
        readonly measurement: FrameMeasurement;
      };
      store.#byKey.set(key, measurement);
    }
    return store;
  }

  /** What the frame takes on one chiplet, to the cycle. @throws {RenderError} If it cannot be read or rendered. */
  async measure(
    scene: StudyScene,
    { bins, visibility }: MeasureSetting,
  ): Promise<FrameMeasurement> {
    const key = [scene.name, scene.size, bins, visibility].join(' ');
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const gpu = new LocalGpu(1);
    const { measurement } = await gpu.render(await scene.read(gpu.programs), {
      policy: 'static',
      binCount: bins,
      visibilityShader: visibility,
      timing: 'cycle',
    });
    this.#byKey.set(key, measurement);
    if (this.#path !== undefined) {
      await appendFile(this.#path, `${JSON.stringify({ key, measurement })}\n`);
    }
    return measurement;
  }
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
