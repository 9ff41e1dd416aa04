/**
 * Tags of a set-associative cache of 64-byte lines that evicts the least recently used line.
 *
 * The ways of a set are in a list from the most to the least recently used, so a miss does not
 * search for its victim. A hint by line tells where a line was last found, and a count by line
 * tells most misses apart without a search of the set.
 */

import { divide } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { LINE_BYTES } from '../records/memory-line.ts';

/** Entries of the tables of hints and counts: several for each line of most caches. */
const HINTS = 1024;
const EMPTY = -1;

/** First-level cache of lines that are only read. */
export class LineCache {
  hits: i32 = 0;
  misses: i32 = 0;
  private readonly tags: Int32Array;
  /** Neighbors of each way in its set's ring of ways, which begins with the newest. */
  private readonly older: Int32Array;
  private readonly newer: Int32Array;
  /** Most recently used way of each set. */
  private readonly newest: Int32Array;
  private readonly ways: i32;
  private readonly setMask: i32;
  /** Way in which a line was last found, by the lowest bits of the line. */
  private readonly hints: Int32Array = new Int32Array(HINTS);
  /** Number of lines in the cache, by the lowest bits of the line. */
  private readonly present: Int32Array = new Int32Array(HINTS);

  /**
   * @param bytes Size of the cache, a power of two and at least one set.
   * @param ways Lines per set, a power of two.
   */
  constructor(bytes: i32, ways: i32) {
    const lines = divide(bytes, LINE_BYTES);
    this.tags = new Int32Array(lines);
    this.older = new Int32Array(lines);
    this.newer = new Int32Array(lines);
    this.newest = new Int32Array(divide(lines, ways));
    this.ways = ways;
    this.setMask = divide(lines, ways) - 1;
    this.reset();
  }

  /** Empties the cache for a new run. */
  reset(): void {
    const ways = this.ways;
    this.hits = 0;
    this.misses = 0;
    this.tags.fill(EMPTY);
    this.present.fill(0);
    for (let set = 0; set <= this.setMask; set++) {
      const first = set * ways;
      this.newest[set] = first;
      for (let way = 0; way < ways; way++) {
        this.older[first + way] = first + ((way + 1) & (ways - 1));
        this.newer[first + way] = first + ((way - 1) & (ways - 1));
      }
    }
  }

  /** Looks up a line and loads it if it is missing. Returns whether it was in the cache. */
  access(line: i32): boolean {
    if (this.touch(line)) return true;
    this.load(line);
    return false;
  }

  /** Looks up a line. Returns whether it was in the cache. */
  touch(line: i32): boolean {
    const set = this.setOf(line);
    const way = this.find(line, set);
    if (way < 0) {
      this.misses++;
      return false;
    }
    this.hits++;
    this.use(way, set);
    return true;
  }

  /** Loads a line that is not in the cache. */
  load(line: i32): void {
    const set = this.setOf(line);
    // The oldest way is the neighbor of the newest one, and becomes the newest by a turn.
    const victim = this.newer[this.newest[set]!]!;
    const evicted = this.tags[victim]!;
    if (evicted !== EMPTY) this.present[evicted & (HINTS - 1)]!--;
    this.present[line & (HINTS - 1)]!++;
    this.tags[victim] = line;
    this.hints[line & (HINTS - 1)] = victim;
    this.newest[set] = victim;
  }

  /** Removes the lines from `first` to before `end`. */
  dropLines(first: i32, end: i32): void {
    const tags = this.tags;
    for (let way = 0; way < tags.length; way++) {
      const line = tags[way]!;
      if (line < first || line >= end) continue;
      this.present[line & (HINTS - 1)]!--;
      tags[way] = EMPTY;
    }
  }

  private setOf(line: i32): i32 {
    return (line ^ (line >>> 7)) & this.setMask;
  }

  /** Returns the way of a line, or −1. */
  private find(line: i32, set: i32): i32 {
    const hint = line & (HINTS - 1);
    if (this.present[hint] === 0) return -1;
    const tags = this.tags;
    const likely = this.hints[hint]!;
    if (tags[likely] === line) return likely;
    const first = set * this.ways;
    const end = first + this.ways;
    for (let way = first; way < end; way++) {
      if (tags[way] !== line) continue;
      this.hints[hint] = way;
      return way;
    }
    return -1;
  }

  /** Moves a way to the front of its set's ring. */
  private use(way: i32, set: i32): void {
    const newest = this.newest[set]!;
    if (way === newest) return;
    const older = this.older;
    const newer = this.newer;
    const oldest = newer[newest]!;
    this.newest[set] = way;
    if (way === oldest) return;
    older[newer[way]!] = older[way]!;
    newer[older[way]!] = newer[way]!;
    older[oldest] = way;
    newer[way] = oldest;
    older[way] = newest;
    newer[newest] = way;
  }
}
