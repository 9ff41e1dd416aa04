/**
 * Reads what can be rendered: a glTF model or a capture, distinguished by content, or a frame of
 * the benchmark set by its name.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_OPTIONS, RenderError } from '@tessera/frame';
import type { ChosenFrame } from '@tessera/gl/apitrace';
import type { ProgramCache } from '@tessera/multi-chiplet';
import {
  benchmarkFrame,
  importGltf,
  type ModelOptionTexts,
  makeLook,
  openGltf,
  parseModelOptions,
} from '@tessera/scenes';
import { EnvironmentFiles } from '@tessera/scenes/environment-files';
import { benchmarkSceneOf } from './benchmark-scene.ts';
import { CaptureSequence, isCapture, type ReadFrame, readCaptureFile } from './read-capture.ts';
import { readModel } from './read-model.ts';

/** Options of reading a frame. A missing or `undefined` option takes its default. */
export interface ReadFrameOptions {
  /** Width of the image of a model or generated scene in pixels. A capture has its own size. */
  readonly widthPx?: number | undefined;
  readonly heightPx?: number | undefined;
  /** Index of a model's camera. */
  readonly cameraIndex?: number | undefined;
  readonly timeSeconds?: number | undefined;
  /** Quality, light and camera of a model. Its environment may be the path of a panorama. */
  readonly modelOptions?: ModelOptionTexts | undefined;
  /** Quality of a model whose options name none. Figures of studies are of simple quality. */
  readonly defaultQuality?: 'simple' | undefined;
  /** Frame of a capture; that of the first swap by default. */
  readonly captureFrame?: ChosenFrame | undefined;
}

/** Options of studies. */
export const STUDIED = { defaultQuality: 'simple' } as const;

/**
 * Reads a frame.
 *
 * @param path Path of a file, or `scene:NAME` for a frame of the benchmark set.
 * @throws {RenderError} REQUEST_INVALID for an option that does not apply to the file, or the error
 *   of reading.
 */
export async function readFrame(
  path: string,
  options: ReadFrameOptions,
  programs: ProgramCache,
): Promise<ReadFrame> {
  const { captureFrame } = options;
  const scene = benchmarkSceneOf(path);
  if (scene !== null) {
    refuse({ time: options.timeSeconds, frame: captureFrame }, 'scene');
    return readScene(scene, options);
  }
  if (await isCapture(path)) {
    refuseForCapture(options);
    return readCaptureFile(path, captureFrame ?? 0, programs);
  }
  refuse({ frame: captureFrame }, 'model');
  return importGltf(await readModel(path), await importOptionsOf(options));
}

function readScene(name: string, options: ReadFrameOptions): ReadFrame {
  const { cameraIndex, modelOptions } = options;
  refuse({ camera: cameraIndex, ...modelOptions }, 'scene');
  return { frame: benchmarkFrame(name, sizeOf(options)), warnings: [] };
}

/** Place of a frame in a file. */
export interface FramePlace extends Pick<ReadFrameOptions, 'timeSeconds' | 'modelOptions'> {
  /** Index of a capture's frame; 0 by default. */
  readonly frameIndex?: number | undefined;
}

/**
 * Opens a file of which several frames are read. A model is read once. A capture is replayed once
 * if its frames are read in ascending order. A scene of the benchmark set is the same frame at any
 * time.
 *
 * @returns Function that reads a frame, and throws as {@link readFrame}.
 * @throws {RenderError} REQUEST_INVALID if an option does not apply to the file, and the errors of
 *   reading a model.
 */
export async function openFrames(
  path: string,
  options: Omit<ReadFrameOptions, 'timeSeconds' | 'captureFrame'>,
  programs: ProgramCache,
): Promise<(place: FramePlace) => Promise<ReadFrame>> {
  const scene = benchmarkSceneOf(path);
  if (scene !== null) {
    const read = readScene(scene, options);
    return async ({ frameIndex, modelOptions }) => {
      refuse({ frame: frameIndex, ...modelOptions }, 'scene');
      return read;
    };
  }
  if (await isCapture(path)) {
    refuseForCapture(options);
    const frames = new CaptureSequence(path, programs);
    return async ({ frameIndex = 0, ...place }) => {
      refuseForCapture(place);
      return frames.read(frameIndex);
    };
  }
  const importFrame = await openGltf(await readModel(path));
  return async (place) => {
    const { frameIndex, ...others } = place;
    refuse({ frame: frameIndex }, 'model');
    return importFrame(await importOptionsOf({ ...options, ...others }));
  };
}

/** Reads the bytes of a file that a command was given. @throws {RenderError} REQUEST_INVALID. */
export async function readInput(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new RenderError('REQUEST_INVALID', `${path}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function sizeOf({ widthPx, heightPx }: ReadFrameOptions) {
  return {
    widthPx: widthPx ?? DEFAULT_OPTIONS.widthPx,
    heightPx: heightPx ?? DEFAULT_OPTIONS.heightPx,
  };
}

async function importOptionsOf(options: ReadFrameOptions) {
  const { timeSeconds, cameraIndex, modelOptions = {}, defaultQuality } = options;
  const model = parseModelOptions({ quality: defaultQuality, ...modelOptions });
  return {
    ...sizeOf(options),
    timeSeconds: timeSeconds ?? 0,
    ...(cameraIndex === undefined ? {} : { cameraIndex }),
    framing: model,
    variant: model.variant,
    look: await makeLook(model, {
      loadRenderer: async () =>
        (await import('@tessera/local-gpu/feedback')).makeFeedbackRenderer(),
      store: environments,
      readPanorama: (path) => readFileSync(path),
    }),
  };
}

/** Environments that commands of this user filtered, in the folder for caches. */
const environments = new EnvironmentFiles(
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tessera', 'environments'),
);

function refuseForCapture(options: ReadFrameOptions): void {
  const { widthPx, heightPx, cameraIndex, timeSeconds, modelOptions } = options;
  const own = { width: widthPx, height: heightPx, camera: cameraIndex, time: timeSeconds };
  refuse({ ...own, ...modelOptions }, 'capture');
}

const REASONS = {
  capture: 'a capture says its own size, view and time',
  model: 'a model has no frames',
  scene: 'a scene of the benchmark set has one view and time',
} as const;

function refuse(options: Readonly<Record<string, unknown>>, kind: keyof typeof REASONS): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    throw new RenderError(
      'REQUEST_INVALID',
      `${name}: does not apply to a ${kind}; ${REASONS[kind]}`,
    );
  }
}
