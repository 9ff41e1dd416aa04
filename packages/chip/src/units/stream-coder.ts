/**
 * Coder of visibility streams on a chiplet that runs a visibility phase. It encodes the entries of
 * the lists at a constant rate behind the coarse binner, and never ahead of it. An entry enters all
 * forms of its list, so the smallest form is known when the draw ends.
 */

import { greater } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';

const NO_CYCLE = -1;

/** Backlog of the coder. */
export class StreamCoder {
  /** Cycle in which all entries of the batches that ended are encoded. */
  codedAt: i32 = 0;
  private readonly intervalCycles: i32;
  /** Cycle in which the first primitive of the batch was listed. */
  private listedFrom: i32 = NO_CYCLE;

  constructor(intervalCycles: i32) {
    this.intervalCycles = intervalCycles;
  }

  reset(): void {
    this.codedAt = 0;
    this.listedFrom = NO_CYCLE;
  }

  /** Notes that a primitive is listed. */
  list(cycle: i32): void {
    if (this.listedFrom === NO_CYCLE) this.listedFrom = cycle;
  }

  /** Ends a batch whose primitives were added to lists `entries` times, at most one per cycle. */
  endBatch(entries: i32): void {
    if (entries > 0) {
      this.codedAt = greater(this.codedAt, this.listedFrom) + entries * this.intervalCycles;
    }
    this.listedFrom = NO_CYCLE;
  }
}
