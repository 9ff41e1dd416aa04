/**
 * First-level cache of a target's pixels (color, or depth with stencil). A line is a block of 4×4
 * pixels. The cache is set-associative, uses write-back and evicts the least recently used line.
 * Only tags are simulated.
 *
 * A block that was cleared and never written back has no contents in memory. It is created in the
 * cache without a read.
 *
 * Bins take turns with several targets. The key of a block names its target (target-places.ts).
 */

import { divide } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { LINE_BYTES } from '../records/memory-line.ts';
import { lineOf, targetOf } from './target-places.ts';

const EMPTY = -1;

/** Bit of an access: the block must be read from memory. */
export const FETCH = 1;
/** Bit of an access: the dirty block `evicted` must be written to memory. */
export const WRITE_BACK = 2;

/** Tags of the blocks in the cache, and flags of the blocks that memory holds. */
export class TargetCache {
  /** Counts of the run. */
  hits: i32 = 0;
  misses: i32 = 0;
  /** Block to write back after an access with WRITE_BACK. */
  evicted: i32 = EMPTY;
  private readonly tags: Int32Array;
  private readonly used: Int32Array;
  private readonly isDirty: Uint8Array;
  private readonly ways: i32;
  private readonly setMask: i32;
  /** 1 for each block whose pixels memory holds, by target. */
  private readonly stored: Uint8Array[] = [];
  private clock: i32 = 0;

  /**
   * @param bytes Size of the cache, a power of two and at least one set.
   * @param ways Lines per set, a power of two.
   * @param targets Number of targets.
   */
  constructor(bytes: i32, ways: i32, targets: i32) {
    const lines = divide(bytes, LINE_BYTES);
    this.tags = new Int32Array(lines).fill(EMPTY);
    this.used = new Int32Array(lines);
    this.isDirty = new Uint8Array(lines);
    this.ways = ways;
    this.setMask = divide(lines, ways) - 1;
    for (let target = 0; target < targets; target++) this.stored.push(new Uint8Array(1024));
  }

  /** Empties the cache for a new run. */
  reset(): void {
    this.hits = 0;
    this.misses = 0;
    this.clock = 0;
    this.tags.fill(EMPTY);
    this.used.fill(0);
    this.isDirty.fill(0);
  }

  /**
   * Prepares a target of `blocks` blocks, of which the cache holds none.
   *
   * @param isLoaded Whether memory holds all of the target.
   */
  begin(target: i32, blocks: i32, isLoaded: boolean): void {
    if (this.stored[target]!.length < blocks) this.stored[target] = new Uint8Array(2 * blocks);
    this.stored[target]!.fill(isLoaded ? 1 : 0, 0, blocks);
  }

  /** Looks up a block and loads it if it is missing. Returns FETCH and WRITE_BACK as they apply. */
  access(block: i32, isWrite: boolean): i32 {
    const first = this.setOf(block);
    const now = ++this.clock;
    let oldest = first;
    for (let way = first; way < first + this.ways; way++) {
      if (this.tags[way] === block) {
        this.used[way] = now;
        if (isWrite) this.isDirty[way] = 1;
        this.hits++;
        return 0;
      }
      if (this.used[way]! < this.used[oldest]!) oldest = way;
    }
    this.misses++;
    let asks = this.isStored(block) ? FETCH : 0;
    if (this.isDirty[oldest] === 1) {
      this.evicted = this.tags[oldest]!;
      this.stored[targetOf(this.evicted)]![lineOf(this.evicted)] = 1;
      asks |= WRITE_BACK;
    }
    this.tags[oldest] = block;
    this.used[oldest] = now;
    this.isDirty[oldest] = isWrite ? 1 : 0;
    return asks;
  }

  /** Removes all blocks of a target without writing them back. */
  drop(target: i32): void {
    for (let way = 0; way < this.tags.length; way++) {
      if (this.tags[way] === EMPTY || targetOf(this.tags[way]!) !== target) continue;
      this.tags[way] = EMPTY;
      this.used[way] = 0;
      this.isDirty[way] = 0;
    }
  }

  /** Returns whether the cache holds the block. */
  holds(block: i32): boolean {
    return this.wayOf(block) !== EMPTY;
  }

  /** Removes a block that the cache holds and that is not accessed again. */
  release(block: i32): void {
    const way = this.wayOf(block);
    this.tags[way] = EMPTY;
    this.used[way] = 0;
    this.isDirty[way] = 0;
  }

  /** Whether memory holds the block's pixels. Otherwise they have the clear value. */
  isStored(block: i32): boolean {
    return this.stored[targetOf(block)]![lineOf(block)] === 1;
  }

  private wayOf(block: i32): i32 {
    const first = this.setOf(block);
    for (let way = first; way < first + this.ways; way++) if (this.tags[way] === block) return way;
    return EMPTY;
  }

  /** Returns the first line of a block's set. */
  private setOf(block: i32): i32 {
    return (((block ^ (block >>> 8)) & this.setMask) * this.ways) | 0;
  }
}
