/**
 * Values that are written and read: a read returns the value of a write that no other write has
 * certainly replaced. A write without an answer may take effect at any later time.
 */
import type { CallEntry } from '../../record/entries.ts';

/** Write of a value. */
export interface Write {
  readonly value: string | null;
  readonly fromMs: number;
  /** Infinity if the outcome is unknown. */
  readonly toMs: number;
  readonly call: CallEntry | null;
}

/** Read of a value, or of a property of it. */
export interface Read {
  readonly matches: (value: string | null) => boolean;
  readonly fromMs: number;
  readonly toMs: number;
  readonly call: CallEntry;
}

/**
 * Returns the reads that no order of the writes explains.
 *
 * @param writes Writes, the initial value included.
 */
export function findUnexplained(writes: readonly Write[], reads: readonly Read[]): Read[] {
  const ends = writes.toSorted((a, b) => a.toMs - b.toMs);
  return reads.filter((read) => {
    // The latest begin of a write that ended before the read began.
    let lastBeginMs = Number.NEGATIVE_INFINITY;
    for (const { fromMs, toMs, call } of ends) {
      if (toMs >= read.fromMs) break;
      if (call !== read.call) lastBeginMs = Math.max(lastBeginMs, fromMs);
    }
    return !writes.some(
      ({ value, fromMs, toMs, call }) =>
        call !== read.call && fromMs <= read.toMs && toMs >= lastBeginMs && read.matches(value),
    );
  });
}
