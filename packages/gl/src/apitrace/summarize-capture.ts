/** What a capture holds, without replaying it: calls, functions, frames, programs, API, size. */
import { isHarmless } from './harmless-calls.ts';
import { type ListedPrograms, listShaders, type TraceApi } from './list-shaders.ts';
import { isFrameEnd, isOpenGl, isWindowSystem } from './replay.ts';
import { findReplay } from './replay-calls.ts';
import type { TraceCall } from './trace-reader.ts';

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
}

const DRAW = /^gl(?:Multi)?Draw(?:Range)?(?:Arrays|Elements)/;

/** @throws {RenderError} As `readTrace`, for a damaged capture. */
export function summarizeCapture(calls: Iterable<TraceCall>): CaptureSummary {
  const count = new CallCounter();
  const { api, shaders, programs }: ListedPrograms = listShaders(count.passOn(calls));
  const functions = Array.from(count.callsByName, ([name, uses]) => ({
    name,
    calls: uses,
    support: supportOf(name),
  }));
  functions.sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1));
  return {
    api,
    calls: count.calls,
    incompleteCalls: count.incompleteCalls,
    functions,
    frames: count.frames,
    drawsAfterLastFrame: count.draws,
    shaders: shaders.length,
    programs: programs.length,
    size: count.size,
  };
}

function supportOf(name: string): FunctionSupport {
  if (isFrameEnd(name) || isWindowSystem(name) || findReplay(name) !== null) return 'replayed';
  if (isHarmless(name)) return 'without effect';
  return isOpenGl(name) ? 'refused' : 'unknown';
}

/** Counts calls while they pass by. */
class CallCounter {
  readonly callsByName = new Map<string, number>();
  readonly frames: FrameUse[] = [];
  calls = 0;
  incompleteCalls = 0;
  /** Since the last swap. */
  draws = 0;
  size: CaptureSummary['size'] = null;
  #firstCall = 0;

  *passOn(calls: Iterable<TraceCall>): Generator<TraceCall> {
    for (const call of calls) {
      this.#count(call);
      yield call;
    }
  }

  #count({ name, number, args, isComplete, isFake }: TraceCall): void {
    this.calls++;
    this.callsByName.set(name, (this.callsByName.get(name) ?? 0) + 1);
    if (!isComplete) {
      this.incompleteCalls++;
    } else if (isFrameEnd(name)) {
      this.frames.push({ firstCall: this.#firstCall, lastCall: number, draws: this.draws });
      this.#firstCall = number + 1;
      this.draws = 0;
    } else if (DRAW.test(name)) {
      this.draws++;
    } else if (name === 'glViewport' && isFake && this.size === null) {
      const { width, height } = args;
      if (typeof width === 'number' && typeof height === 'number') {
        this.size = { widthPx: width, heightPx: height };
      }
    }
  }
}
