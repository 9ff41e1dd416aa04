/** Reads a frame of an apitrace capture. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Frame, RenderError } from '@tessera/frame';
import { reflectByCompiling } from '@tessera/gl';
import {
  type CallBatches,
  type CaptureFrame,
  CaptureFrames,
  type ChosenFrame,
  describeReplay,
  findLastFrame,
  hasCaptureMagic,
  readCallStream,
  readCalls,
  replayFrame,
  replayFrameStream,
} from '@tessera/gl/apitrace';
import { makeFeedbackRenderer } from '@tessera/local-gpu/feedback';
import type { ProgramCache } from '@tessera/multi-chiplet';
import { benchmarkSceneOf } from './benchmark-scene.ts';

/** A frame, and warnings about reading it. */
export interface ReadFrame {
  readonly frame: Frame;
  readonly warnings: readonly string[];
}

/** Number of bytes of a file that are read at a time. */
const CHUNK_BYTES = 1 << 18;

/**
 * Whether a file is a capture, by its first bytes or, because one container has no magic number, by
 * its name. A scene of the benchmark set is none.
 *
 * @throws {RenderError} REQUEST_INVALID if the file cannot be read.
 */
export async function isCapture(path: string): Promise<boolean> {
  if (benchmarkSceneOf(path) !== null) return false;
  const start = new Uint8Array(4);
  try {
    const file = await open(path);
    try {
      const { bytesRead } = await file.read(start);
      return hasCaptureMagic(start.subarray(0, bytesRead)) || path.toLowerCase().endsWith('.trace');
    } finally {
      await file.close();
    }
  } catch (error) {
    throw unreadable(path, error);
  }
}

/**
 * Replays a capture up to the end of a frame.
 *
 * @throws {RenderError} As `replayFrame`.
 */
export function readCapture(
  bytes: Uint8Array,
  frame: CaptureFrame,
  programs: ProgramCache,
): ReadFrame {
  const replayed = replayFrame(readCalls(bytes), { ...replayOptions(programs), frame });
  return { frame: replayed.frame, warnings: describeReplay(replayed) };
}

/**
 * Replays a capture file like {@link readCapture}, with only the replayed calls in memory.
 *
 * @throws {RenderError} As `replayFrame`.
 */
export async function readCaptureFile(
  path: string,
  chosen: ChosenFrame,
  programs: ProgramCache,
): Promise<ReadFrame> {
  const frame = chosen === 'last' ? await findLastFrame(readCallsOfFile(path)) : chosen;
  const options = { ...replayOptions(programs), frame };
  const replayed = await replayFrameStream(readCallsOfFile(path), options);
  return { frame: replayed.frame, warnings: describeReplay(replayed) };
}

/** Capture file whose frames are read in order, which replays it once. */
export class CaptureSequence {
  readonly #path: string;
  readonly #programs: ProgramCache;
  #frames: CaptureFrames | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string, programs: ProgramCache) {
    this.#path = path;
    this.#programs = programs;
  }

  /**
   * Reads a frame. A frame before the last one that was read restarts the replay. Calls may
   * overlap; frames are read in the order of the calls.
   *
   * @throws {RenderError} As `replayFrame`.
   */
  read(frameIndex: number): Promise<ReadFrame> {
    const read = this.#last.then(() => this.#take(frameIndex));
    this.#last = read.catch(() => {}); // The caller gets the error.
    return read;
  }

  async #take(frameIndex: number): Promise<ReadFrame> {
    if (this.#frames !== null && frameIndex < this.#frames.nextIndex) {
      await this.#frames.close();
      this.#frames = null;
    }
    const options = replayOptions(this.#programs);
    this.#frames ??= new CaptureFrames(readCallsOfFile(this.#path), options);
    const frames = this.#frames;
    try {
      const replayed = await frames.take(frameIndex);
      return { frame: replayed.frame, warnings: describeReplay(replayed) };
    } catch (error) {
      this.#frames = null;
      await frames.close();
      throw error;
    }
  }
}

function replayOptions(programs: ProgramCache) {
  return {
    reflection: reflectByCompiling(programs),
    feedbackRenderer: makeFeedbackRenderer(),
  };
}

/** Reads the calls of a capture file. */
export function readCallsOfFile(path: string): CallBatches {
  return readCallStream(readChunks(path));
}

async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: CHUNK_BYTES });
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): RenderError {
  return new RenderError('REQUEST_INVALID', `${path}: ${(error as Error).message}`, {
    cause: error,
  });
}
