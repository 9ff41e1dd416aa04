/** Summarizes a capture without replaying it: calls, functions, frames, programs, API, size. */
import { RenderError } from '@tessera/frame';
import { roleOf } from './calls/call-roles.ts';
import { findReplay } from './calls/replay-calls.ts';
import { namedContext } from './calls/window-system-calls.ts';
import type { CallBatches, CapturedCall } from './format/capture-reader.ts';
import { type CaptureApi, ShaderLister } from './list-shaders.ts';
import type { CaptureFrame } from './replay.ts';

/**
 * Treatment of a function by the replay: executed, ignored because it does not affect the image,
 * unknown because it is not OpenGL's, or refused.
 */
export type FunctionSupport = 'replayed' | 'without effect' | 'unknown' | 'refused';

/** Function of a capture with its call count and treatment. */
export interface FunctionUse {
  readonly name: string;
  readonly calls: number;
  readonly support: FunctionSupport;
}

/** Calls of one frame, up to its buffer swap. */
export interface FrameUse {
  /** Number of the frame's first call. The last call is the swap. */
  readonly firstCall: number;
  readonly lastCall: number;
  /** Number of draw calls, including those that only go into display lists. */
  readonly draws: number;
}

/** Call that ends no frame of its own, but at which a program has finished an image. */
export interface FrameEnd {
  readonly call: number;
  readonly name: string;
  /** Draws since the last such call or swap. */
  readonly draws: number;
}

/** Content of a capture. */
export interface CaptureSummary {
  readonly api: CaptureApi;
  readonly calls: number;
  /** Number of calls that had not returned when the capture ended. */
  readonly incompleteCalls: number;
  /** Functions with their call counts, most frequent first. */
  readonly functions: readonly FunctionUse[];
  readonly frames: readonly FrameUse[];
  /** Draws after the last swap: those of the frame that the end of the capture completes. */
  readonly drawsAfterLastFrame: number;
  /** First calls of glFlush, glFinish and glReadPixels that follow a draw, at most MAX_ENDS. */
  readonly ends: readonly FrameEnd[];
  readonly shaders: number;
  readonly programs: number;
  /**
   * Size of the drawable that the first frame with draws is drawn into, or else the first draw,
   * from the viewport call that the tracer inserts; `null` without one. Programs make probe windows
   * before.
   */
  readonly size: { readonly widthPx: number; readonly heightPx: number } | null;
  /**
   * Position and kind of the damage; `null` for a sound capture. Everything before that position is
   * counted.
   */
  readonly damage: string | null;
}

const DRAW =
  /^gl(?:(?:Multi)?Draw(?:Range)?(?:Arrays|Elements)|DrawPixels|Bitmap$|Begin$|CallLists?$|Rect[sifd]v?$)/;

/** Frame of a capture, or the last one that draws something: see {@link findLastFrame}. */
export type ChosenFrame = CaptureFrame | 'last';

/** Upper bound on the list of calls at which an image is finished. */
const MAX_ENDS = 10_000;
const FINISHES = /^gl(?:Flush|Finish|ReadPixels)$/;

/**
 * Returns the last frame of a capture that draws something: that of a swap or, if a program draws
 * after its last swap or never swaps, the one that ends with the capture.
 *
 * @throws {RenderError} As `summarizeCapture`.
 */
export async function findLastFrame(batches: CallBatches): Promise<CaptureFrame> {
  const { frames, drawsAfterLastFrame } = await summarizeCaptureStream(batches);
  if (drawsAfterLastFrame > 0 || frames.length === 0) return 'end';
  const drawn = frames.findLastIndex(({ draws }) => draws > 0);
  return drawn < 0 ? frames.length - 1 : drawn;
}

/**
 * Summarizes a capture in memory.
 *
 * @throws {RenderError} Same codes as `readCalls`, if not a single call can be read.
 */
export function summarizeCapture(calls: Iterable<CapturedCall>): CaptureSummary {
  const counter = new CallCounter();
  try {
    for (const call of calls) counter.add(call);
  } catch (error) {
    counter.noteDamage(error);
  }
  return counter.summarize();
}

/**
 * Summarizes a capture that arrives in pieces.
 *
 * @throws {RenderError} Same codes as `summarizeCapture`.
 */
export async function summarizeCaptureStream(batches: CallBatches): Promise<CaptureSummary> {
  const counter = new CallCounter();
  try {
    for await (const calls of batches) for (const call of calls) counter.add(call);
  } catch (error) {
    counter.noteDamage(error);
  }
  return counter.summarize();
}

function supportOf(name: string): FunctionSupport {
  if (findReplay(name) !== null) return 'replayed';
  const role = roleOf(name);
  if (role === 'without effect' || role === 'unknown' || role === 'refused') return role;
  return 'replayed';
}

/** Call count of one function. */
interface CountedFunction {
  readonly isFrameEnd: boolean;
  readonly makesCurrent: boolean;
  readonly isDraw: boolean;
  readonly finishesImage: boolean;
  calls: number;
}

/** Counts calls in a stream. */
class CallCounter {
  readonly #lister = new ShaderLister();
  readonly #functionByName = new Map<string, CountedFunction>();
  readonly #threadsWithContext = new Set<number>();
  readonly #frames: FrameUse[] = [];
  #calls = 0;
  #incompleteCalls = 0;
  /** Draws since the last swap. */
  #draws = 0;
  /** Draws since the last call that finished an image. */
  #unfinishedDraws = 0;
  readonly #ends: FrameEnd[] = [];
  #size: CaptureSummary['size'] = null;
  #currentSize: CaptureSummary['size'] = null;
  #hasDrawn = false;
  #hasDrawnFrame = false;
  #firstCall = 0;
  #damage: string | null = null;

  add(call: CapturedCall): void {
    this.#lister.add(call);
    const { name, number, thread, args, isComplete, isFake } = call;
    this.#calls++;
    const counted = this.#functionOf(name);
    counted.calls++;
    if (!isComplete) {
      this.#incompleteCalls++;
    } else if (counted.makesCurrent) {
      if (namedContext(call) === null) this.#threadsWithContext.delete(thread);
      else this.#threadsWithContext.add(thread);
    } else if (counted.isFrameEnd) {
      if (!this.#threadsWithContext.has(thread)) return;
      if (this.#draws > 0 && !this.#hasDrawnFrame) {
        this.#size = this.#currentSize;
        this.#hasDrawnFrame = true;
      }
      this.#frames.push({ firstCall: this.#firstCall, lastCall: number, draws: this.#draws });
      this.#firstCall = number + 1;
      this.#draws = 0;
      this.#unfinishedDraws = 0;
    } else if (counted.isDraw) {
      this.#draws++;
      this.#unfinishedDraws++;
      this.#hasDrawn = true;
    } else if (counted.finishesImage) {
      const draws = this.#unfinishedDraws;
      if (draws > 0 && this.#ends.length < MAX_ENDS) this.#ends.push({ call: number, name, draws });
      this.#unfinishedDraws = 0;
    } else if (name === 'glViewport' && isFake) {
      const { width, height } = args;
      if (typeof width === 'number' && typeof height === 'number') {
        this.#currentSize = { widthPx: width, heightPx: height };
        if (!this.#hasDrawn) this.#size = this.#currentSize;
      }
    }
  }

  #functionOf(name: string): CountedFunction {
    const known = this.#functionByName.get(name);
    if (known !== undefined) return known;
    const role = roleOf(name);
    const counted = {
      isFrameEnd: role === 'ends frame',
      makesCurrent: role === 'makes current',
      isDraw: DRAW.test(name),
      finishesImage: FINISHES.test(name),
      calls: 0,
    };
    this.#functionByName.set(name, counted);
    return counted;
  }

  /** Records the error that stopped the reading. Rethrows it if nothing was read. */
  noteDamage(error: unknown): void {
    if (!(error instanceof RenderError) || this.#calls === 0) throw error;
    this.#damage = error.message;
  }

  summarize(): CaptureSummary {
    const functions = Array.from(this.#functionByName, ([name, { calls }]) => ({
      name,
      calls,
      support: supportOf(name),
    }));
    functions.sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1));
    const { api, shaders, programs } = this.#lister;
    return {
      api,
      calls: this.#calls,
      incompleteCalls: this.#incompleteCalls,
      functions,
      frames: this.#frames,
      drawsAfterLastFrame: this.#draws,
      ends: this.#ends,
      shaders: shaders.length,
      programs: programs.length,
      size: this.#size,
      damage: this.#damage,
    };
  }
}
