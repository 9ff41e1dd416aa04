/** Clocks the modules that are due in a cycle, from the end of the pipeline to its start. */
import type { i32 } from '../portable/number-types.ts';
import type { Module } from './module.ts';
import { NEVER, type Schedule } from './schedule.ts';

/**
 * Loop over modules of any class. The loop of a chip calls each class directly
 * (chip-loop.generated.ts).
 */
export class ModuleLoop {
  protected readonly wakes: Int32Array;
  private readonly schedule: Schedule;
  private readonly states: Int32Array;
  /** Modules by number. */
  readonly modules: readonly Module[];
  protected readonly isNaive: boolean;

  /** @param isNaive Whether every module is due in every cycle. */
  constructor(schedule: Schedule, modules: readonly Module[], isNaive: boolean) {
    this.schedule = schedule;
    this.wakes = schedule.wakes;
    this.states = schedule.states;
    this.modules = modules;
    this.isNaive = isNaive;
  }

  /** Clocks all modules that are due. Returns whether there was one. */
  clockDue(cycle: i32): boolean {
    const modules = this.modules;
    let hasRun = false;
    for (let i = 0; i < modules.length; i++) {
      if (this.wakes[i]! > cycle && !this.isNaive) continue;
      hasRun = this.end(i, this.begin(i), modules[i]!.clock(cycle), cycle);
    }
    return hasRun;
  }

  /** Prepares the call of a module and returns the state that the module had before. */
  protected begin(module: i32): i32 {
    this.wakes[module] = NEVER;
    return this.states[module]!;
  }

  /**
   * Records the wake-up cycle of a module that was called. If its state changed, accounts for the
   * time before. Returns true.
   */
  protected end(module: i32, before: i32, wake: i32, cycle: i32): boolean {
    if (wake < this.wakes[module]!) this.wakes[module] = wake;
    if (this.states[module]! !== before) this.schedule.end(module, before, cycle);
    return true;
  }
}
