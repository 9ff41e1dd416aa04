/**
 * Issue order within a stream multiprocessor, two-level round robin (Narasiman et al. 2011). Slots
 * are in groups. The warps of a group take turns while one of them is ready. Then the next group
 * that has a ready warp takes over.
 */

import { divideUp, lesser } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';

/** Chooses the slot that issues next. */
export class TwoLevelRoundRobin {
  private readonly slotCount: i32;
  private readonly groupSlots: i32;
  private readonly groupCount: i32;
  private group: i32 = 0;
  /** Slot of each group that was chosen last. */
  private readonly last: Int32Array;

  /**
   * @param slotCount Number of slots, at least 1.
   * @param groupSlots Slots per group; the last group may have fewer.
   */
  constructor(slotCount: i32, groupSlots: i32) {
    const size = lesser(groupSlots, slotCount);
    const groups = divideUp(slotCount, size);
    this.slotCount = slotCount;
    this.groupSlots = size;
    this.groupCount = groups;
    this.last = new Int32Array(groups);
    this.reset();
  }

  reset(): void {
    this.group = 0;
    for (let group = 0; group < this.groupCount; group++) {
      this.last[group] = lesser((group + 1) * this.groupSlots, this.slotCount) - 1;
    }
  }

  /** Returns the next slot whose state is `ready`, or −1. */
  choose(states: Int32Array, ready: i32): i32 {
    let group = this.group;
    for (let turn = 0; turn < this.groupCount; turn++) {
      const first = group * this.groupSlots;
      const end =
        first + this.groupSlots < this.slotCount ? first + this.groupSlots : this.slotCount;
      let slot = this.last[group]!;
      for (let i = first; i < end; i++) {
        slot = slot + 1 === end ? first : slot + 1;
        if (states[slot] === ready) {
          this.group = group;
          this.last[group] = slot;
          return slot;
        }
      }
      group = group + 1 === this.groupCount ? 0 : group + 1;
    }
    return -1;
  }
}
