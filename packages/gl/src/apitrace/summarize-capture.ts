/** What a capture holds, without replaying it: calls, functions, frames, programs, API, size. */
import { RenderError } from '@tessera/frame';
import { isHarmless } from './harmless-calls.ts';
import { ShaderLister, type TraceApi } from './list-shaders.ts';
import { isFrameEnd, isOpenGl, isWindowSystem } from './replay.ts';
import { findReplay } from './replay-calls.ts';
import type { CallBatches, TraceCall } from './trace-reader.ts';

/**
 * What replaying does with a function: carries it out, passes over it since it changes no picture, does
 * not know it (it is not OpenGL's), or refuses the frame.
 */
export type FunctionSupport = 'replayed' | 'without effect' | 'unknown' | 'refused';

export interface FunctionUse {
  readonly name: string;
  readonly calls: number;
  readonly support: FunctionSupport;
}

/** One frame: the calls up to a buffer swap. */
export interface FrameUse {
  /** Numbers of the first and last call; the last is the swap. */
  readonly firstCall: number;
  readonly lastCall: number;
  readonly draws: number;
}

export interface CaptureSummary {
  readonly api: TraceApi;
  readonly calls: number;
  /** Calls that had not come back when the capture ended. */
  readonly incompleteCalls: number;
  /** By number of calls, most first. */
  readonly functions: readonly FunctionUse[];
  readonly frames: readonly FrameUse[];
  /** Draws after the last swap, which belong to no frame. */
  readonly drawsAfterLastFrame: number;
  readonly shaders: number;
  readonly programs: number;
  /** The first drawable's size, as the tracer's made-up viewport tells it; `null` without one. */
  readonly size: { readonly widthPx: number; readonly heightPx: number } | null;
  /** Where and how the capture is damaged; what is before that place is counted. `null` for a sound one. */
  readonly damage: string | null;
}

const DRAW = /^gl(?:Multi)?Draw(?:Range)?(?:Arrays|Elements)/;

/**
 * Sums up a capture in memory.
 *
 * @throws {RenderError} As `readTrace`, if not a single call can be read.
 */
export function summarizeCapture(calls: Iterable<TraceCall>): CaptureSummary {
  const counter = new CallCounter();
  try {
    for (const call of calls) counter.add(call);
  } catch (error) {
    counter.noteDamage(error);
  }
  return counter.summarize();
}

/** The same of a capture that is read in pieces. @throws {RenderError} As `summarizeCapture`. */
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
  if (isFrameEnd(name) || isWindowSystem(name) || findReplay(name) !== null) return 'replayed';
  if (isHarmless(name)) return 'without effect';
  return isOpenGl(name) ? 'refused' : 'unknown';
}

/** Counts calls while they pass by. */
class CallCounter {
  readonly #lister = new ShaderLister();
  readonly #callsByName = new Map<string, number>();
  readonly #frames: FrameUse[] = [];
  #calls = 0;
  #incompleteCalls = 0;
  /** Since the last swap. */
  #draws = 0;
  #size: CaptureSummary['size'] = null;
  #firstCall = 0;
  #damage: string | null = null;

  add(call: TraceCall): void {
    this.#lister.add(call);
    const { name, number, args, isComplete, isFake } = call;
    this.#calls++;
    this.#callsByName.set(name, (this.#callsByName.get(name) ?? 0) + 1);
    if (!isComplete) {
      this.#incompleteCalls++;
    } else if (isFrameEnd(name)) {
      this.#frames.push({ firstCall: this.#firstCall, lastCall: number, draws: this.#draws });
      this.#firstCall = number + 1;
      this.#draws = 0;
    } else if (DRAW.test(name)) {
      this.#draws++;
    } else if (name === 'glViewport' && isFake && this.#size === null) {
      const { width, height } = args;
      if (typeof width === 'number' && typeof height === 'number') {
        this.#size = { widthPx: width, heightPx: height };
      }
    }
  }

  /** Keeps what stopped the reading, unless nothing was read: then it is thrown. */
  noteDamage(error: unknown): void {
    if (!(error instanceof RenderError) || this.#calls === 0) throw error;
    this.#damage = error.message;
  }

  summarize(): CaptureSummary {
    const functions = Array.from(this.#callsByName, ([name, calls]) => ({
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
      shaders: shaders.length,
      programs: programs.length,
      size: this.#size,
      damage: this.#damage,
    };
  }
}
