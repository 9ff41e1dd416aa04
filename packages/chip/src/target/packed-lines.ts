/**
 * Directory of a target's blocks in memory. A group is four consecutive lines of the target: four
 * blocks in a row, or the samples of one block. The blocks of a group that compress to a quarter of
 * a line share one line. Each other block has a line of its own. The directory is on chip.
 *
 * A block that becomes compressible, or stops to be so, takes any line of the group that is free.
 * There always is one, so the others never move: n blocks that do not compress and one shared line
 * are at most four lines.
 */

import type { i32, u8 } from '../portable/number-types.ts';

/** Lines of a group, a power of two. */
export const GROUP_LINES = 4;

/** States of a block in bits 0 and 1; the line within the group is in the bits above. */
const NOT_STORED = 0;
const WHOLE = 1;
const PACKED = 2;
const STATE_BITS = 2;
const STATE_MASK = 3;

/** Blocks of a target in memory. */
export class PackedLines {
  private states: Uint8Array = new Uint8Array(1024);

  /**
   * Prepares a target of `blocks` blocks, a multiple of GROUP_LINES.
   *
   * @param isLoaded Whether memory holds all of the target, one block in each line.
   */
  begin(blocks: i32, isLoaded: boolean): void {
    if (this.states.length < blocks) this.states = new Uint8Array(2 * blocks);
    this.states.fill(NOT_STORED as u8, 0, blocks);
    if (!isLoaded) return;
    for (let block = 0; block < blocks; block++) {
      this.states[block] = (WHOLE | ((block & (GROUP_LINES - 1)) << STATE_BITS)) as u8;
    }
  }

  /** Whether memory holds the block. */
  isStored(block: i32): boolean {
    return (this.states[block]! & STATE_MASK) !== NOT_STORED;
  }

  /** Whether memory holds the block in a line that blocks of its group share. */
  isPacked(block: i32): boolean {
    return (this.states[block]! & STATE_MASK) === PACKED;
  }

  /** Returns the line of a stored block, counted within its group. */
  slotOf(block: i32): i32 {
    const state: i32 = this.states[block]!;
    return state >> STATE_BITS;
  }

  /** Stores a block: in the shared line of its group, or in a line of its own. */
  store(block: i32, isCompact: boolean): void {
    const group = block & ~(GROUP_LINES - 1);
    let taken = 0;
    for (let other = group; other < group + GROUP_LINES; other++) {
      if (other === block || !this.isStored(other)) continue;
      if (isCompact && this.isPacked(other)) {
        this.states[block] = this.states[other]!;
        return;
      }
      taken |= 1 << this.slotOf(other);
    }
    let slot = block & (GROUP_LINES - 1);
    for (let i = 0; (taken & (1 << slot)) !== 0; i++) slot = i;
    this.states[block] = ((isCompact ? PACKED : WHOLE) | (slot << STATE_BITS)) as u8;
  }
}
