/**
 * Argument of commands that render one frame, a file or a scene of the benchmark set, and the
 * options that choose the frame in it.
 */
import { DEFAULT_FRAME_LIMITS, RenderError } from '@tessera/frame';
import type { ChosenFrame } from '@tessera/gl/apitrace';
import { pickModelOptions } from '@tessera/scenes';
import { MODEL_OPTION_NAMES, type ModelOptionName } from '@tessera/scenes/model-options';
import { expandBenchmarkScenes } from '../inputs/benchmark-scene.ts';
import { readFrame } from '../inputs/read-frame.ts';
import { integerOption, numberOption, optionalInteger } from '../terminal/command-options.ts';
import { printNote } from '../terminal/terminal-output.ts';

const TEXT = { type: 'string' } as const;

/** Options of a model's image, without its size. */
export const MODEL_LOOK_OPTIONS = {
  camera: TEXT,
  ...(Object.fromEntries(MODEL_OPTION_NAMES.map((name) => [name, TEXT])) as Record<
    ModelOptionName, // the names are its keys
    typeof TEXT
  >),
};

/** Options of a model's image. */
export const MODEL_FILE_OPTIONS = {
  width: TEXT,
  height: TEXT,
  ...MODEL_LOOK_OPTIONS,
};

/** Options that choose the size of an image, and the camera and moment of a frame. */
export const FRAME_FILE_OPTIONS = {
  ...MODEL_FILE_OPTIONS,
  time: TEXT,
  frame: TEXT,
  call: TEXT,
};

type FrameFileValues = {
  readonly [Name in keyof typeof FRAME_FILE_OPTIONS]?: string | undefined;
};
type ModelFileValues = Pick<FrameFileValues, keyof typeof MODEL_FILE_OPTIONS>;
type ModelLookValues = Pick<FrameFileValues, keyof typeof MODEL_LOOK_OPTIONS>;

/**
 * Reads the options of a model's image, without its size.
 *
 * @throws {RenderError} REQUEST_INVALID, naming the option.
 */
export function readModelLookOptions(values: ModelLookValues) {
  return {
    cameraIndex: optionalInteger('camera', values.camera, 0, 65_535),
    modelOptions: pickModelOptions(values),
  };
}

/**
 * Reads the options of a model's image.
 *
 * @throws {RenderError} REQUEST_INVALID, naming the option.
 */
export function readModelFileOptions(values: ModelFileValues) {
  return {
    widthPx: optionalInteger('width', values.width, 1, DEFAULT_FRAME_LIMITS.maxEdgePx),
    heightPx: optionalInteger('height', values.height, 1, DEFAULT_FRAME_LIMITS.maxEdgePx),
    ...readModelLookOptions(values),
  };
}

/**
 * Returns the only file of a command.
 *
 * @throws {RenderError} REQUEST_INVALID if there is none, or more than one.
 */
export function onlyFile(paths: readonly string[]): string {
  const [path, ...others] = paths.flatMap((each) => expandBenchmarkScenes(each) ?? [each]);
  if (path === undefined || others.length > 0) {
    throw new RenderError('REQUEST_INVALID', 'give exactly one model, capture or scene');
  }
  return path;
}

/**
 * Reads the options `frame` and `call`, which choose a frame of a capture.
 *
 * @throws {RenderError} REQUEST_INVALID.
 */
export function readCaptureFrame({
  frame,
  call,
}: Pick<FrameFileValues, 'frame' | 'call'>): ChosenFrame | undefined {
  if (call !== undefined) {
    if (frame !== undefined) {
      throw new RenderError('REQUEST_INVALID', 'call: does not apply together with frame');
    }
    return { call: integerOption('call', call, 0, Number.MAX_SAFE_INTEGER) };
  }
  if (frame === 'end' || frame === 'last') return frame;
  return optionalInteger('frame', frame, 0, Number.MAX_SAFE_INTEGER);
}

/**
 * Reads the frame that the options choose, and prints the warnings.
 *
 * @throws {RenderError} On bad options or a bad file.
 */
export async function readFrameFile(
  path: string,
  values: FrameFileValues,
  programs: Parameters<typeof readFrame>[2],
) {
  const read = await readFrame(
    path,
    {
      ...readModelFileOptions(values),
      timeSeconds: values.time === undefined ? undefined : numberOption('time', values.time),
      captureFrame: readCaptureFrame(values),
    },
    programs,
  );
  for (const warning of read.warnings) printNote(`warning: ${warning}\n`);
  return read;
}
