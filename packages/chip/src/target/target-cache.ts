/**
 * First-level cache of a target's pixels (color, or depth with stencil). A line is a block of 4×4
 * pixels. The cache is set-associative, uses write-back and evicts the least recently used line.
 * Only tags are simulated.
 *
 * A block that was cleared and never written back has no contents in memory. It is created in the
 * cache without a read.
 *
 * Blocks whose contents compress share lines of memory (packed-lines.ts). A write-back of such a
 * block also writes the dirty ones of its group, and a read also brings the others.
 *
 * Bins take turns with several targets. The key of a block names its target (target-places.ts).
 */

import { divide } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { LINE_BYTES } from '../records/memory-line.ts';
import { GROUP_LINES, PackedLines } from './packed-lines.ts';
import { lineOf, targetOf } from './target-places.ts';

const EMPTY = -1;

/** Bit of an access: the block must be read from memory. */
export const FETCH = 1;
/** Bit of an access: the line `evicted` must be written to memory. */
export const WRITE_BACK = 2;

/** Tags of the blocks in the cache, and flags of the blocks that memory holds. */
export class TargetCache {
  /** Counts of the run. */
  hits: i32 = 0;
  misses: i32 = 0;
  /** Counts of blocks that were written, or read, with the line of another block. */
  writesSaved: i32 = 0;
  readsSaved: i32 = 0;
  /** Key of the line to write after an access with WRITE_BACK. */
  evicted: i32 = EMPTY;
  private readonly tags: Int32Array;
  private readonly used: Int32Array;
  private readonly isDirty: Uint8Array;
  /** 1 for each way whose block compresses. */
  private readonly isCompact: Uint8Array;
  private readonly ways: i32;
  private readonly setMask: i32;
  /** Blocks whose pixels memory holds, by target. */
  private readonly stored: PackedLines[] = [];
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
    this.isCompact = new Uint8Array(lines);
    this.ways = ways;
    this.setMask = divide(lines, ways) - 1;
    for (let target = 0; target < targets; target++) this.stored.push(new PackedLines());
  }

  /** Empties the cache for a new run. */
  reset(): void {
    this.hits = 0;
    this.misses = 0;
    this.writesSaved = 0;
    this.readsSaved = 0;
    this.clock = 0;
    this.tags.fill(EMPTY);
    this.used.fill(0);
    this.isDirty.fill(0);
    this.isCompact.fill(0);
  }

  /**
   * Prepares a target of `blocks` blocks, of which the cache holds none.
   *
   * @param isLoaded Whether memory holds all of the target.
   */
  begin(target: i32, blocks: i32, isLoaded: boolean): void {
    this.stored[target]!.begin(blocks, isLoaded);
  }

  /**
   * Looks up a block and loads it if it is missing.
   *
   * @param isCompact Whether the block compresses after a write; without a write it is ignored.
   * @returns FETCH and WRITE_BACK as they apply.
   */
  access(block: i32, isWrite: boolean, isCompact: boolean): i32 {
    const first = this.setOf(block);
    const now = ++this.clock;
    let oldest = first;
    for (let way = first; way < first + this.ways; way++) {
      if (this.tags[way] === block) {
        this.used[way] = now;
        if (isWrite) this.write(way, isCompact);
        this.hits++;
        return 0;
      }
      if (this.used[way]! < this.used[oldest]!) oldest = way;
    }
    this.misses++;
    let asks = this.isStored(block) ? FETCH : 0;
    if (this.isDirty[oldest] === 1) {
      this.writeBack(oldest);
      asks |= WRITE_BACK;
    }
    const isPacked = this.isPacked(block);
    this.tags[oldest] = block;
    this.used[oldest] = now;
    this.isDirty[oldest] = 0;
    this.isCompact[oldest] = isPacked ? 1 : 0;
    if (isPacked) this.loadOthers(block);
    if (isWrite) this.write(oldest, isCompact);
    return asks;
  }

  private write(way: i32, isCompact: boolean): void {
    this.isDirty[way] = 1;
    this.isCompact[way] = isCompact ? 1 : 0;
  }

  /** Places the block of a way in memory, with the dirty blocks that share its line. */
  private writeBack(way: i32): void {
    const block = this.tags[way]!;
    const target = targetOf(block);
    const stored = this.stored[target]!;
    const isCompact = this.isCompact[way] === 1;
    stored.store(lineOf(block), isCompact);
    this.evicted = this.placeOf(block);
    if (!isCompact) return;
    const group = block & ~(GROUP_LINES - 1);
    for (let other = group; other < group + GROUP_LINES; other++) {
      if (other === block) continue;
      const otherWay = this.wayOf(other);
      if (otherWay === EMPTY || this.isDirty[otherWay] === 0) continue;
      if (this.isCompact[otherWay] === 0) continue;
      stored.store(lineOf(other), true);
      this.isDirty[otherWay] = 0;
      this.writesSaved++;
    }
  }

  /**
   * Loads the other blocks in the line of a packed one. They replace clean blocks and are the next
   * ones to leave, so they never cause a write-back.
   */
  private loadOthers(block: i32): void {
    const group = block & ~(GROUP_LINES - 1);
    for (let other = group; other < group + GROUP_LINES; other++) {
      if (other === block || !this.isPacked(other) || this.holds(other)) continue;
      const first = this.setOf(other);
      let oldest = first;
      for (let way = first; way < first + this.ways; way++) {
        if (this.used[way]! < this.used[oldest]!) oldest = way;
      }
      if (this.isDirty[oldest] === 1 || this.tags[oldest] === block) continue;
      this.tags[oldest] = other;
      this.isCompact[oldest] = 1;
      this.readsSaved++;
    }
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
    return this.stored[targetOf(block)]!.isStored(lineOf(block));
  }

  /** Whether memory holds the block's pixels in a line that blocks of its group share. */
  isPacked(block: i32): boolean {
    return this.stored[targetOf(block)]!.isPacked(lineOf(block));
  }

  /** Returns the key of the line of memory that holds a stored block. */
  placeOf(block: i32): i32 {
    const slot = this.stored[targetOf(block)]!.slotOf(lineOf(block));
    return (block & ~(GROUP_LINES - 1)) | slot;
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
