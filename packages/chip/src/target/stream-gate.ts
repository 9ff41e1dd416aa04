/**
 * Gate before the primitives of a bin whose visibility is streamed. The host opens it for more
 * primitives when a segment arrives. Without streaming it is open from the start.
 */
import type { i32 } from '../portable/number-types.ts';
import { ALL_PRIMITIVES } from '../records/record-layout.ts';
import { NEVER } from '../sim/schedule.ts';

/** Gate of a bin. */
export class StreamGate {
  /** Number of primitives that may be read, and then the same for the next opening. */
  open: i32 = ALL_PRIMITIVES;
  /** Number of cycles in which the bin waited for a segment. */
  waitedCycles: i32 = 0;
  private readonly cycles: i32[] = [];
  private readonly primitives: i32[] = [];
  /** Number of openings that took effect. */
  private used: i32 = 0;
  private waitsFrom: i32 = -1;

  reset(): void {
    this.open = ALL_PRIMITIVES;
    this.waitedCycles = 0;
    this.cycles.length = 0;
    this.primitives.length = 0;
    this.used = 0;
    this.waitsFrom = -1;
  }

  /** Closes the gate before the first primitive. */
  close(): void {
    this.open = 0;
  }

  /** Opens the gate for the first `primitives` primitives from a cycle on. Both ascend. */
  openFor(primitives: i32, cycle: i32): void {
    this.cycles.push(cycle);
    this.primitives.push(primitives);
  }

  /**
   * Returns the cycle from which a primitive, or what follows the one before it, may be read; NEVER
   * if it is not known.
   *
   * @param primitive Number of the next primitive in its bin.
   */
  passes(primitive: i32, cycle: i32): i32 {
    this.advance(cycle);
    if (primitive < this.open || this.open === ALL_PRIMITIVES) {
      if (this.waitsFrom >= 0) this.waitedCycles += cycle - this.waitsFrom;
      this.waitsFrom = -1;
      return cycle;
    }
    if (this.waitsFrom < 0) this.waitsFrom = cycle;
    return this.used < this.cycles.length ? this.cycles[this.used]! : NEVER;
  }

  /** Applies the openings up to a cycle. */
  advance(cycle: i32): void {
    while (this.used < this.cycles.length && this.cycles[this.used]! <= cycle) {
      this.open = this.primitives[this.used++]!;
    }
  }
}
