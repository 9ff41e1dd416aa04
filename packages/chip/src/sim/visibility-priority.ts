/**
 * Priority of a visibility phase over the pixels of the bin that is rendered within it. From the
 * start of the phase at the command processor until its last primitive is binned, vertices go
 * before fragments in the shader cores, and requests for vertices before all others in memory. So
 * the bin only takes what the phase leaves.
 */

import type { i32 } from '../portable/number-types.ts';
import type { Schedule } from './schedule.ts';

/** Phases with such a bin that are between command processor and binner. */
export class VisibilityPriority {
  private readonly schedule: Schedule;
  private phases: i32 = 0;
  /** Modules to wake when a phase ends. */
  private readonly waiting: i32[] = [];

  constructor(schedule: Schedule) {
    this.schedule = schedule;
  }

  reset(): void {
    this.phases = 0;
    this.waiting.length = 0;
  }

  /** Whether vertices have priority. */
  get isOn(): boolean {
    return this.phases > 0;
  }

  begin(): void {
    this.phases++;
  }

  end(cycle: i32): void {
    this.phases--;
    for (let i = 0; i < this.waiting.length; i++) this.schedule.wake(this.waiting[i]!, cycle + 1);
    this.waiting.length = 0;
  }

  /** Wakes a module when a phase ends. */
  await(module: i32): void {
    if (!this.waiting.includes(module)) this.waiting.push(module);
  }
}
