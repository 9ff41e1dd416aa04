/** How long a bin may take in wall time. */
import type { Job, Run } from './bin-job.ts';

/** A bin is given to a second host when it takes this many times as long as bins of its pass do at its cost. */
const HEDGE_FACTOR = 4;
/** But not before this. */
const HEDGE_AFTER_MS = 1500;
/** The same where no bin of the pass is done yet, so that nobody knows how long they take. */
const HEDGE_UNKNOWN_AFTER_MS = 10_000;
/**
 * A host that is not trusted has a fault when it takes this many times as long as others: its first bins include
 * the arrival of the frame and the compilation of its shaders. A trusted host may have bins of other frames first.
 */
const SILENCE_FACTOR = 10;
/** But not before this. */
const SILENCE_AFTER_MS = 10_000;

/**
 * How long a bin may take in milliseconds: on a trusted host until another one renders it as well, and longer if
 * others did so already; on another host until it is a fault, which is never where no bin is done that could tell.
 */
export function patienceMs({ doneMs, doneCost }: Job, { cost, rank, isTrusted }: Run): number {
  if (isTrusted) {
    if (doneCost === 0) return HEDGE_UNKNOWN_AFTER_MS * rank;
    return Math.max(HEDGE_AFTER_MS, (HEDGE_FACTOR * doneMs * cost) / doneCost) * rank;
  }
  if (doneCost === 0) return Number.POSITIVE_INFINITY;
  return Math.max(SILENCE_AFTER_MS, (SILENCE_FACTOR * doneMs * cost) / doneCost);
}
