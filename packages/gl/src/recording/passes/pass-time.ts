/**
 * Simulated time of passes, for timer queries (EXT_disjoint_timer_query). A timed pass has no other
 * draws than those between the two calls of one query.
 */

/** Time of one pass. */
export interface PassTime {
  /** `null` until the frame of the pass has been rendered. */
  nanoseconds: number | null;
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
 * @param times Times of all passes since the last frame, in order; `null` for passes without query.
 * @param passes The last of these passes, all or fewer.
 * @returns Whether every time is known. Those that are not become 0.
 */
export function storeTimes(
  times: readonly (PassTime | null)[],
  passes: readonly TimedPass[],
  clockHz: number,
): boolean {
  const unknownCount = times.length - passes.length;
  let isComplete = true;
  let completedCycle = passes[0]?.startCycle ?? 0;
  for (const [index, time] of times.entries()) {
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
