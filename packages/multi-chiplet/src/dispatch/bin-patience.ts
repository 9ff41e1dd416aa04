/** Time limits of bins in wall time. */
import type { Job, Run } from './bin-job.ts';

/**
 * Factor by which a bin exceeds the time expected from its pass and cost before a second host gets
 * it.
 */
const HEDGE_FACTOR = 4;
/** Lower bound on the time before a second host gets a bin, in milliseconds. */
const HEDGE_AFTER_MS = 1500;
/** Time before a second host gets a bin while no bin of the pass is done, in milliseconds. */
const HEDGE_UNKNOWN_AFTER_MS = 10_000;
/**
 * Factor by which a host that is not trusted exceeds the expected time before that is a fault. Its
 * first bins include the arrival of the frame and the compilation of its shaders. A trusted host
 * may have bins of other frames first.
 */
const SILENCE_FACTOR = 10;
/** Lower bound on the time before the silence of a host is a fault, in milliseconds. */
const SILENCE_AFTER_MS = 10_000;

/**
 * Returns the time that a bin may take, in milliseconds. On a trusted host it ends when another
 * host gets the bin too, and is longer for each host that already did. On another host it ends with
 * a fault. It is infinite there until a finished bin provides an estimate.
 */
export function patienceMs({ doneMs, doneCost }: Job, { cost, rank, isTrusted }: Run): number {
  if (isTrusted) {
    if (doneCost === 0) return HEDGE_UNKNOWN_AFTER_MS * rank;
    return Math.max(HEDGE_AFTER_MS, (HEDGE_FACTOR * doneMs * cost) / doneCost) * rank;
  }
  if (doneCost === 0) return Number.POSITIVE_INFINITY;
  return Math.max(SILENCE_AFTER_MS, (SILENCE_FACTOR * doneMs * cost) / doneCost);
}
