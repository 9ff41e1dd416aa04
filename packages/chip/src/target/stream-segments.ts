/**
 * Segments of a visibility stream that leave over the output bus before the end of their run, one
 * after another.
 */
import { greater } from '../portable/integers.ts';
import type { f64, i32 } from '../portable/number-types.ts';

/** Segments of a run. */
export class StreamSegments {
  /** Bytes of all segments so far. */
  totalBytes: f64 = 0;
  private readonly codedAt: i32[] = [];
  private readonly bytes: i32[] = [];
  private readonly leftAt: i32[] = [];

  reset(): void {
    this.totalBytes = 0;
    this.codedAt.length = 0;
    this.bytes.length = 0;
    this.leftAt.length = 0;
  }

  /** Adds a segment whose last entry is encoded in a cycle. */
  add(bytes: i32, codedAt: i32): void {
    this.codedAt.push(codedAt);
    this.bytes.push(bytes);
    this.totalBytes += bytes;
  }

  /**
   * Returns the number of segments whose last byte leaves in a known cycle.
   *
   * @param freeAt Cycle in which the bus is free for the first one.
   */
  send(freeAt: i32, bytesPerCycle: i32): i32 {
    while (this.leftAt.length < this.codedAt.length) {
      const segment = this.leftAt.length;
      const before = segment === 0 ? freeAt : this.leftAt[segment - 1]!;
      const bytes: f64 = this.bytes[segment]!;
      const cycles = greater(1, Math.ceil(bytes / bytesPerCycle) as i32);
      this.leftAt.push(greater(before, this.codedAt[segment]!) + cycles);
    }
    return this.leftAt.length;
  }

  /** Returns the cycle in which the last byte of a segment leaves. `send` has counted it. */
  leftAtOf(segment: i32): i32 {
    return this.leftAt[segment]!;
  }
}
