import type { i32 } from '../portable/number-types.ts';
import type { Schedule } from '../sim/schedule.ts';

/**
 * Shaded vertex warps between the shader cores and primitive assembly, which takes them in order.
 * Entries belong to the next warps in order, so that a later warp never takes the entry of an
 * earlier one. A warp without an entry keeps its slot. This is how fragments delay vertices, and
 * why both types of work must keep warp IDs of their own.
 */
export class VertexResultFifo {
  readonly name: string = 'coreToAssembly';
  readonly capacity: i32;
  /** Number of warps that were pushed and not yet taken. */
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

  /** Whether the warp has an entry. */
  accepts(warp: i32): boolean {
    return warp < this.takenBefore + this.capacity;
  }

  /** Adds a warp that has an entry. */
  push(): void {
    this.length++;
  }

  /** Wakes the module when entries become free. */
  await(module: i32): void {
    if (!this.waiting.includes(module)) this.waiting.push(module);
  }

  /** Takes all warps up to this one. They must have been pushed. */
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
