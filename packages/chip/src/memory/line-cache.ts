/** Tags of a set-associative cache of 64-byte lines that evicts the least recently used line. */

import { divide } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { LINE_BYTES } from '../records/memory-line.ts';

/** First-level cache of lines that are only read. */
export class LineCache {
  hits: i32 = 0;
  misses: i32 = 0;
  private readonly tags: Int32Array;
  private readonly used: Int32Array;
  private readonly ways: i32;
  private readonly setMask: i32;
  private clock: i32 = 0;

  /**
   * @param bytes Size of the cache, a power of two and at least one set.
   * @param ways Lines per set, a power of two.
   */
  constructor(bytes: i32, ways: i32) {
    const lines = divide(bytes, LINE_BYTES);
    this.tags = new Int32Array(lines).fill(-1);
    this.used = new Int32Array(lines);
    this.ways = ways;
    this.setMask = divide(lines, ways) - 1;
  }

  /** Empties the cache for a new run. */
  reset(): void {
    this.hits = 0;
    this.misses = 0;
    this.clock = 0;
    this.tags.fill(-1);
    this.used.fill(0);
  }

  /** Looks up a line and loads it if it is missing. Returns whether it was in the cache. */
  access(line: i32): boolean {
    const first = ((line ^ (line >>> 7)) & this.setMask) * this.ways;
    const now = ++this.clock;
    let oldest = first;
    for (let way = first; way < first + this.ways; way++) {
      if (this.tags[way] === line) {
        this.used[way] = now;
        this.hits++;
        return true;
      }
      if (this.used[way]! < this.used[oldest]!) oldest = way;
    }
    this.tags[oldest] = line;
    this.used[oldest] = now;
    this.misses++;
    return false;
  }
}
