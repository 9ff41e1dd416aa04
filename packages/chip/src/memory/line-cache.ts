/**
 * Tags of a set-associative cache of 64-byte lines that evicts the least recently used line.
 *
 * The ways of a set are in a list from the most to the least recently used, so a miss does not
 * search for its victim. A hint by line tells where a line was last found, and a count by line
 * tells most misses apart without a search of the set. All of them are bytes, because a chiplet has
 * many such caches, and the host's own cache should hold their tables.
 */

import { divide } from '../portable/integers.ts';
import type { i32, u8 } from '../portable/number-types.ts';
import { LINE_BYTES } from '../records/memory-line.ts';

/** Entries of the tables of hints and counts: several for each line of most caches. */
const HINTS = 1024;
const EMPTY = -1;
/** Count of lines that is not known, and stays so. */
const MANY: u8 = 255;

/** First-level cache of lines that are only read. */
export class LineCache {
  hits: i32 = 0;
  misses: i32 = 0;
  private readonly tags: Int32Array;
  /**
   * Neighbors of each way in its set's ring of ways, which begins with the newest. They are numbers
   * within the set.
   */
  private readonly older: Uint8Array;
  private readonly newer: Uint8Array;
  /** Most recently used way of each set. */
  private readonly newest: Uint8Array;
  private readonly ways: i32;
  private readonly setMask: i32;
  /** Way of its set in which a line was last found, by the lowest bits of the line. */
  private readonly hints: Uint8Array = new Uint8Array(HINTS);
  /** Number of lines in the cache, by the lowest bits of the line; MANY or less. */
  private readonly present: Uint8Array = new Uint8Array(HINTS);

  /**
   * @param bytes Size of the cache, a power of two and at least one set.
   * @param ways Lines per set, a power of two up to 256.
   */
  constructor(bytes: i32, ways: i32) {
    const lines = divide(bytes, LINE_BYTES);
    this.tags = new Int32Array(lines);
    this.older = new Uint8Array(lines);
    this.newer = new Uint8Array(lines);
    this.newest = new Uint8Array(divide(lines, ways));
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
    this.hints.fill(0);
    this.newest.fill(0);
    for (let set = 0; set <= this.setMask; set++) {
      const first = set * ways;
      for (let way = 0; way < ways; way++) {
        this.older[first + way] = ((way + 1) & (ways - 1)) as u8;
        this.newer[first + way] = ((way - 1) & (ways - 1)) as u8;
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
    const first = set * this.ways;
    // The oldest way is the neighbor of the newest one, and becomes the newest by a turn.
    const newest: i32 = this.newest[set]!;
    const victim: i32 = this.newer[first + newest]!;
    this.forget(this.tags[first + victim]!);
    const hint = line & (HINTS - 1);
    if (this.present[hint] !== MANY) this.present[hint]!++;
    this.tags[first + victim] = line;
    this.hints[hint] = victim as u8;
    this.newest[set] = victim as u8;
  }

  /** Removes the lines from `first` to before `end`. */
  dropLines(first: i32, end: i32): void {
    const tags = this.tags;
    for (let way = 0; way < tags.length; way++) {
      const line = tags[way]!;
      if (line < first || line >= end) continue;
      this.forget(line);
      tags[way] = EMPTY;
    }
  }

  /** Removes a line from the counts; EMPTY is no line. */
  private forget(line: i32): void {
    if (line === EMPTY) return;
    const hint = line & (HINTS - 1);
    if (this.present[hint] !== MANY) this.present[hint]!--;
  }

  private setOf(line: i32): i32 {
    return (line ^ (line >>> 7)) & this.setMask;
  }

  /** Returns the way of a line in its set, or −1. */
  private find(line: i32, set: i32): i32 {
    const hint = line & (HINTS - 1);
    if (this.present[hint] === 0) return -1;
    const tags = this.tags;
    const ways = this.ways;
    const first = set * ways;
    // The hint may be the way of another set, which has as many.
    const likely: i32 = this.hints[hint]!;
    if (tags[first + likely] === line) return likely;
    for (let way = 0; way < ways; way++) {
      if (tags[first + way] !== line) continue;
      this.hints[hint] = way as u8;
      return way;
    }
    return -1;
  }

  /** Moves a way to the front of its set's ring. */
  private use(way: i32, set: i32): void {
    const newest: i32 = this.newest[set]!;
    if (way === newest) return;
    const older = this.older;
    const newer = this.newer;
    const first = set * this.ways;
    const oldest: i32 = newer[first + newest]!;
    this.newest[set] = way as u8;
    if (way === oldest) return;
    const before: i32 = newer[first + way]!;
    const after: i32 = older[first + way]!;
    older[first + before] = after as u8;
    newer[first + after] = before as u8;
    older[first + oldest] = way as u8;
    newer[first + way] = oldest as u8;
    older[first + way] = newest as u8;
    newer[first + newest] = way as u8;
  }
}
