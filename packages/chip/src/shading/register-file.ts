/**
 * Registers of one shader core. A warp gets those of its program when it starts and returns them
 * when it has run. Warps that find too few wait in the order in which they came.
 */
import { divide, lesser } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';

const NONE = -1;

/** Registers of a core, allocated by slot. */
export class RegisterFile {
  private readonly registerCount: i32;
  private free: i32 = 0;
  /** Registers per lane of the warp in each slot. */
  private readonly taken: Int32Array;
  /** Ring of the slots that wait. */
  private readonly waiting: Int32Array;
  private head: i32 = 0;
  private waitingCount: i32 = 0;

  constructor(spec: TimingSpec) {
    this.registerCount = divide(spec.registerFileBytes, 4 * spec.warpThreads);
    this.taken = new Int32Array(spec.warpSlotsPerSm);
    this.waiting = new Int32Array(spec.warpSlotsPerSm);
    this.reset();
  }

  /** Frees all registers for a new run. */
  reset(): void {
    this.free = this.registerCount;
    this.head = 0;
    this.waitingCount = 0;
  }

  /**
   * Requests the registers of a warp. A program with more registers than the core gets all.
   *
   * @param perLane Registers per lane.
   * @returns Whether the warp has them. If not, `next` returns its slot later.
   */
  take(slot: i32, perLane: i32): boolean {
    const wanted = lesser(perLane, this.registerCount);
    this.taken[slot] = wanted;
    if (this.waitingCount === 0 && wanted <= this.free) {
      this.free -= wanted;
      return true;
    }
    this.waiting[(this.head + this.waitingCount++) % this.waiting.length] = slot;
    return false;
  }

  /** Returns the registers of the warp in a slot. */
  release(slot: i32): void {
    this.free += this.taken[slot]!;
    this.taken[slot] = 0;
  }

  /** Returns the slot of the next waiting warp that has got its registers, or −1. */
  next(): i32 {
    if (this.waitingCount === 0) return NONE;
    const slot = this.waiting[this.head]!;
    if (this.taken[slot]! > this.free) return NONE;
    this.free -= this.taken[slot]!;
    this.head = (this.head + 1) % this.waiting.length;
    this.waitingCount--;
    return slot;
  }
}
