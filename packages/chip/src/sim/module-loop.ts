/** Clocks the modules that are due in a cycle, from the end of the pipeline to its start. */
import type { i32 } from '../portable/number-types.ts';
import type { Module } from './module.ts';
import { NEVER, type Schedule } from './schedule.ts';

/** Of modules of any kind; a chip has one of its own, whose calls are direct (chip-loop.ts). */
export class ModuleLoop {
  protected readonly wakes: Int32Array;
  private readonly schedule: Schedule;
  private readonly states: Int32Array;
  private readonly since: Int32Array;
  /** By number. */
  readonly modules: readonly Module[];
  protected readonly isNaive: boolean;

  /** @param isNaive Every module is due in every cycle. */
  constructor(schedule: Schedule, modules: readonly Module[], isNaive: boolean) {
    this.schedule = schedule;
    this.wakes = schedule.wakes;
    this.states = schedule.states;
    this.since = schedule.since;
    this.modules = modules;
    this.isNaive = isNaive;
  }

  /** @returns Whether one was due. */
  clockDue(cycle: i32): boolean {
    const modules = this.modules;
    let hasRun = false;
    for (let i = 0; i < modules.length; i++) {
      if (this.wakes[i]! > cycle && !this.isNaive) continue;
      hasRun = this.end(i, this.begin(i), modules[i]!.clock(cycle), cycle);
    }
    return hasRun;
  }

  /** Before a module is clocked. @returns Its state up to then. */
  protected begin(module: i32): i32 {
    this.wakes[module] = NEVER;
    return this.states[module]!;
  }

  /** After it: accounts for the time before if its state is another one now. @returns true. */
  protected end(module: i32, before: i32, wake: i32, cycle: i32): boolean {
    if (wake < this.wakes[module]!) this.wakes[module] = wake;
    if (this.states[module]! !== before) {
      this.schedule.add(module, before, cycle - this.since[module]!);
      this.since[module] = cycle;
    }
    return true;
  }
}
