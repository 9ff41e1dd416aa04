/**
 * Simulated time of passes, for timer queries (EXT_disjoint_timer_query). A timed pass has no other
 * draws than those between the two calls of one query.
 */

/** Time of one pass. */
export interface PassTime {
  /** `null` until the frame of the pass has been rendered. */
  nanoseconds: number | null;
}

/** Sets the times of passes that are not rendered to 0. */
export function skipTimes<Pass extends { readonly time: PassTime | null }>(
  passes: readonly Pass[],
  rendered: readonly Pass[],
): void {
  for (const pass of passes) {
    if (pass.time !== null && !rendered.includes(pass)) pass.time.nanoseconds = 0;
  }
}

/** Rendered pass with its simulated time; `null` if the renderer does not simulate time. */
export interface TimedPass {
  readonly startCycle: number | null;
  readonly cycles: number | null;
}

/**
 * Stores the times of rendered passes. Passes overlap, so the time of one is that from the
 * completion of all passes before it to its own; that of the first begins when it starts.
 *
 * @param times Times of passes since the last frame, up to the last one, in order; `null` for
 *   passes without query.
 * @param passes Rendered passes up to the same one, more or fewer.
 * @returns Whether every time is known. Those that are not become 0.
 */
function storeTimes(
  times: readonly (PassTime | null)[],
  passes: readonly TimedPass[],
  clockHz: number,
): boolean {
  const unknownCount = times.length - passes.length;
  let isComplete = true;
  let completedCycle = passes[0]?.startCycle ?? 0;
  for (let index = Math.min(0, unknownCount); index < times.length; index++) {
    const time = times[index] ?? null;
    const { startCycle = null, cycles = null } = passes[index - unknownCount] ?? {};
    const isKnown = startCycle !== null && cycles !== null;
    const endCycle = isKnown ? Math.max(completedCycle, startCycle + cycles) : completedCycle;
    if (time !== null) {
      time.nanoseconds = ((endCycle - completedCycle) * 1e9) / clockHz;
      isComplete &&= isKnown;
    }
    completedCycle = endCycle;
  }
  return isComplete;
}

/** Times of the passes of one context. */
export class PassTimes {
  /** Times of the passes that were rendered since the first timed one of the frame, in order. */
  #rendered: (PassTime | null)[] = [];
  #isDisjoint = false;

  /** Adds passes that are rendered, or given up. */
  add(times: readonly (PassTime | null)[]): void {
    const isTimed = this.#rendered.length > 0 || times.some((time) => time !== null);
    if (isTimed) this.#rendered.push(...times);
  }

  /**
   * Adopts the times of the last frame and of the parts of it that were rendered before.
   *
   * @param passes Passes of the report, in order; empty for a frame without one. Times that it
   *   lacks are 0 and disjoint.
   */
  adopt(passes: readonly TimedPass[], clockHz: number): void {
    if (!storeTimes(this.#rendered, passes, clockHz)) this.#isDisjoint = true;
    this.#rendered = [];
  }

  /** Returns whether times were lost since the last call (`GPU_DISJOINT_EXT`). */
  takeDisjoint(): boolean {
    const isDisjoint = this.#isDisjoint;
    this.#isDisjoint = false;
    return isDisjoint;
  }
}
