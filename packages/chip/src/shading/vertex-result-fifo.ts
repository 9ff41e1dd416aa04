import type { i32 } from '../portable/number-types.ts';
import type { Schedule } from '../sim/schedule.ts';

/**
 * Shaded vertex warps between the shader cores and primitive assembly, which takes them in order.
 * Entries are reserved for the next warps in order, so a later warp never takes the entry of an
 * earlier one. A warp without an entry keeps its slot. Fragments delay vertices in this way, and
 * therefore each type of work must keep warp IDs of its own.
 */
export class VertexResultFifo {
  readonly name: string = 'coreToAssembly';
  readonly capacity: i32;
  /** Number of warps that were pushed but not taken yet. */
  length: i32 = 0;
  private readonly schedule: Schedule;
  private takenBefore: i32 = 0;
  /** Modules that hold warps until one is taken. */
  private readonly waiting: i32[] = [];

  /** @param capacity Number of entries, at least 1. */
  constructor(capacity: i32, schedule: Schedule) {
    this.capacity = capacity;
    this.schedule = schedule;
  }

  reset(): void {
    this.length = 0;
    this.takenBefore = 0;
    this.waiting.length = 0;
  }

  /** Whether an entry is reserved for the warp. */
  accepts(warp: i32): boolean {
    return warp < this.takenBefore + this.capacity;
  }

  /** Adds a warp for which an entry is reserved. */
  push(): void {
    this.length++;
  }

  /** Wakes the module when entries become free. */
  await(module: i32): void {
    if (!this.waiting.includes(module)) this.waiting.push(module);
  }

  /** Takes all warps up to and including `warp`. They must have been pushed. */
  takeUpTo(warp: i32, cycle: i32): void {
    const count = warp + 1 - this.takenBefore;
    if (count <= 0) return;
    this.takenBefore += count;
    this.length -= count;
    if (this.waiting.length === 0) return;
    for (let i = 0; i < this.waiting.length; i++) this.schedule.wake(this.waiting[i]!, cycle + 1);
    this.waiting.length = 0;
  }
}
