/**
 * The clock of a simulated chip (spec: reverse-order pipeline). Modules are clocked from the last stage of
 * the pipeline to the first, so back-pressure takes effect in the same cycle; a module that sleeps costs
 * nothing; cycles in which nobody is awake are passed over.
 */

import { divide, greater, lesser } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { ActivitySamples } from './activity-samples.ts';
import { describeDeadlock } from './deadlock.ts';
import type { Module } from './module.ts';
import type { ModuleLoop } from './module-loop.ts';
import type { Queue } from './queue.ts';
import type { RunControl } from './run-control.ts';
import { NEVER, type Schedule } from './schedule.ts';

const SLICE_CYCLES = 8192;
/** Most stretches that a run's activity is kept in. */
const MAX_STRETCHES = 16;
/** Cycles without a queue transfer after which the watchdog speaks. */
const SILENT_CYCLES = 4_000_000;

export class Clock {
  /** The current cycle. */
  cycle: i32 = 0;
  /** What the modules did over the run. */
  readonly activity: ActivitySamples;
  private readonly schedule: Schedule;
  private readonly modules: readonly Module[];
  private readonly queues: readonly Queue[];
  private readonly control: RunControl;
  private readonly loop: ModuleLoop;
  private transfersSeen: i32 = 0;
  private silentSince: i32 = 0;

  /**
   * @param loop Of the modules, by number from the end of the pipeline to its start.
   * @param maxUnitSpans Stretches of all modules together that are kept, at most.
   */
  constructor(
    schedule: Schedule,
    loop: ModuleLoop,
    queues: readonly Queue[],
    control: RunControl,
    maxUnitSpans: i32,
  ) {
    const modules = loop.modules;
    for (let i = 0; i < modules.length; i++) {
      if (modules[i]!.id === i) continue;
      throw new Error(`clock: module ${modules[i]!.name} has number ${modules[i]!.id}, is at ${i}`);
    }
    this.schedule = schedule;
    this.modules = modules;
    this.queues = queues;
    this.control = control;
    this.loop = loop;
    const fitting = divide(maxUnitSpans, modules.length) & ~1;
    const stretches = greater(2, lesser(MAX_STRETCHES, fitting));
    this.activity = new ActivitySamples(schedule, modules.length, stretches, SLICE_CYCLES);
  }

  /** Back to cycle 0 with empty queues and modules. */
  reset(): void {
    this.cycle = 0;
    this.transfersSeen = 0;
    this.silentSince = 0;
    this.control.needsRecords = false;
    this.control.isFinished = false;
    this.schedule.reset();
    this.activity.reset();
    for (let i = 0; i < this.queues.length; i++) this.queues[i]!.reset();
    for (let i = 0; i < this.modules.length; i++) this.modules[i]!.reset();
  }

  /**
   * Runs until the control says that records are needed or that the run is finished; then every module's
   * time is accounted for up to the current cycle. Also returns between two slices when the run is stopped.
   *
   * @throws {Error} The watchdog: nothing can move any more. The message names who waits for whom.
   */
  run(): void {
    const control = this.control;
    if (control.needsRecords) this.resumeSource();
    while (!control.isFinished && !control.needsRecords && !control.isStopped()) {
      // Slices end at multiples of their length, wherever records ran out.
      const end = (divide(this.cycle, SLICE_CYCLES) + 1) * SLICE_CYCLES;
      this.cycle = this.slice(this.cycle, end);
      if (this.cycle === end && !control.isFinished) this.activity.sample(end);
      this.watch();
    }
    if (control.isFinished) {
      for (let i = 0; i < this.modules.length; i++) this.schedule.account(i, this.cycle);
      this.activity.finish(this.cycle);
    }
  }

  /** Clocks modules up to cycle `end`, or until the run stops before. @returns The cycle reached. */
  private slice(from: i32, end: i32): i32 {
    const control = this.control;
    const loop = this.loop;
    const wakes = this.schedule.wakes;
    let cycle = from;
    while (cycle < end) {
      const hasRun = loop.clockDue(cycle);
      if (control.isFinished || control.needsRecords) return cycle;
      if (hasRun) {
        cycle++;
        continue;
      }
      let next = NEVER;
      for (let i = 0; i < wakes.length; i++) if (wakes[i]! < next) next = wakes[i]!;
      if (next === NEVER) return cycle;
      cycle = next < end ? next : end;
    }
    return cycle;
  }

  /**
   * The source stopped the run in the middle of a cycle, as the last module to be clocked in it. It is clocked
   * again in the same cycle, alone: so the run is the one that all records at once would have given.
   */
  private resumeSource(): void {
    const control = this.control;
    const source = this.modules[this.modules.length - 1]!;
    control.needsRecords = false;
    this.schedule.account(source.id, this.cycle);
    this.schedule.wakes[source.id] = source.clock(this.cycle);
    if (!control.needsRecords) this.cycle++;
  }

  private watch(): void {
    if (this.control.isFinished || this.control.needsRecords) return;
    const transfers = this.schedule.transfers[0]!;
    if (transfers !== this.transfersSeen) {
      this.transfersSeen = transfers;
      this.silentSince = this.cycle;
    }
    if (!this.schedule.isAsleep() && this.cycle - this.silentSince <= SILENT_CYCLES) return;
    throw new Error(describeDeadlock(this.cycle, this.schedule, this.modules));
  }
}
