/**
 * Clock of a simulated chip. Modules are clocked from the last stage of the pipeline to the first,
 * so back-pressure takes effect in the same cycle. A sleeping module costs nothing. Cycles in which
 * no module is awake are skipped.
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
/** Upper bound on the intervals in which a run's activity is recorded. */
const MAX_INTERVALS = 16;
/** Cycles without a queue transfer after which the watchdog fails the run. */
const SILENT_CYCLES = 4_000_000;

/** Options of a clock. */
export interface ClockOptions {
  readonly schedule: Schedule;
  /** Loop over the modules, numbered from the end of the pipeline to its start. */
  readonly loop: ModuleLoop;
  /** Queues between the modules. */
  readonly queues: readonly Queue[];
  /** Flags that end or pause the run. */
  readonly control: RunControl;
  /** Upper bound on the intervals kept for all modules together, at least three for each. */
  readonly maxUnitSpans: i32;
}

/** Runs the modules of a chip cycle by cycle. */
export class Clock {
  /** Current cycle. */
  cycle: i32 = 0;
  /** Activity of the modules over the run. */
  readonly activity: ActivitySamples;
  private readonly schedule: Schedule;
  private readonly modules: readonly Module[];
  private readonly queues: readonly Queue[];
  private readonly control: RunControl;
  private readonly loop: ModuleLoop;
  private transfersSeen: i32 = 0;
  private silentSince: i32 = 0;

  /** @throws {Error} If a module's number differs from its position in the loop. */
  constructor(options: ClockOptions) {
    const schedule = options.schedule;
    const modules = options.loop.modules;
    for (let i = 0; i < modules.length; i++) {
      if (modules[i]!.id === i) continue;
      throw new Error(
        `clock: module ${modules[i]!.name} has number ${modules[i]!.id}, expected ${i}`,
      );
    }
    this.schedule = schedule;
    this.modules = modules;
    this.queues = options.queues;
    this.control = options.control;
    this.loop = options.loop;
    // The last interval, which ends with the run, comes in addition.
    const fitting = (divide(options.maxUnitSpans, modules.length) - 1) & ~1;
    this.activity = new ActivitySamples({
      schedule,
      moduleCount: modules.length,
      limit: greater(2, lesser(MAX_INTERVALS, fitting)),
      sampleCycles: SLICE_CYCLES,
    });
  }

  /** Resets to cycle 0 with empty queues and modules. */
  reset(): void {
    this.cycle = 0;
    this.transfersSeen = 0;
    this.silentSince = 0;
    this.control.needsRecords = false;
    this.control.isFinished = false;
    this.control.hasEvent = false;
    this.control.isResting = false;
    this.control.isGated = false;
    this.schedule.reset();
    this.activity.reset();
    for (let i = 0; i < this.queues.length; i++) this.queues[i]!.reset();
    for (let i = 0; i < this.modules.length; i++) this.modules[i]!.reset();
  }

  /**
   * Runs up to cycle `until`. Returns earlier when records are needed, after the cycle of an event,
   * when the run is finished, and between two slices when it is stopped. At the end of the run, the
   * time of every module is accounted for.
   *
   * @throws {Error} From the watchdog, when no module can make progress. The message names each
   *   waiting module and the module that it waits for.
   */
  run(until: i32): void {
    const control = this.control;
    if (control.needsRecords) this.resumeSource();
    control.hasEvent = false;
    while (!this.isPaused && this.cycle < until && !control.isStopped()) {
      // Slices end at multiples of their length, regardless of where records ran out.
      const sliceEnd = (divide(this.cycle, SLICE_CYCLES) + 1) * SLICE_CYCLES;
      const end = lesser(sliceEnd, until);
      const reached = this.slice(this.cycle, end);
      this.cycle = reached < end && this.isIdle ? end : reached;
      if (this.cycle === sliceEnd && !control.isFinished) this.activity.sample(sliceEnd);
      this.watch();
    }
    if (control.isFinished) this.accountAll();
  }

  /** Lets the source sleep until `wakeSource`, in the cycle in which it paused the run. */
  rest(): void {
    const source = this.modules[this.modules.length - 1]!;
    this.control.needsRecords = false;
    this.control.isResting = true;
    this.schedule.wakes[source.id] = NEVER;
    this.endCycle();
  }

  /** Clocks a resting source in the next cycle that is clocked. */
  wakeSource(): void {
    if (!this.control.isResting) return;
    this.control.isResting = false;
    this.silentSince = this.cycle;
    this.schedule.wake(this.modules[this.modules.length - 1]!.id, this.cycle);
  }

  /** Clocks a gated source in a cycle. */
  wakeGate(cycle: i32): void {
    this.silentSince = this.cycle;
    this.schedule.wake(this.modules[this.modules.length - 1]!.id, cycle);
  }

  /** Accounts for the time of every module up to the current cycle. */
  account(): void {
    for (let i = 0; i < this.modules.length; i++) this.schedule.account(i, this.cycle);
  }

  /** Accounts for the time of every module, and ends the last interval of their activity. */
  accountAll(): void {
    this.account();
    for (let i = 0; i < this.modules.length; i++) this.schedule.accountWait(i, this.cycle);
    this.activity.finish(this.cycle);
  }

  /** Whether no module is clocked again before the source gets more records, or others send. */
  get isIdle(): boolean {
    const control = this.control;
    const mayWake = control.isResting || control.isGated || control.isShared;
    return mayWake && this.schedule.isAsleep();
  }

  /** Reports that modules wait for each other. @throws {Error} Always; see `run`. */
  failAsleep(): void {
    throw new Error(describeDeadlock(this.cycle, this.schedule, this.modules));
  }

  private get isPaused(): boolean {
    const control = this.control;
    return control.isFinished || control.needsRecords || control.hasEvent;
  }

  /** Clocks modules up to cycle `end`, or until the run pauses. Returns the cycle reached. */
  private slice(from: i32, end: i32): i32 {
    const control = this.control;
    const loop = this.loop;
    const wakes = this.schedule.wakes;
    let cycle = from;
    while (cycle < end) {
      const hasRun = loop.clockDue(cycle);
      if (control.isFinished || control.needsRecords) return cycle;
      if (control.hasEvent) return cycle + 1;
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
   * Clocks the source alone in the cycle in which it paused the run. The source is the last module
   * of a cycle, so the run is the same as with all records at once.
   */
  private resumeSource(): void {
    const control = this.control;
    const source = this.modules[this.modules.length - 1]!;
    control.needsRecords = false;
    this.schedule.account(source.id, this.cycle);
    this.schedule.accountWait(source.id, this.cycle);
    this.schedule.wakes[source.id] = source.clock(this.cycle);
    if (!control.needsRecords) this.endCycle();
  }

  /** Ends a cycle in which the source was clocked alone. */
  private endCycle(): void {
    this.cycle++;
    if (this.cycle % SLICE_CYCLES === 0) this.activity.sample(this.cycle);
  }

  private watch(): void {
    if (this.isPaused || this.isIdle) return;
    const transfers = this.schedule.transfers[0]!;
    if (transfers !== this.transfersSeen) {
      this.transfersSeen = transfers;
      this.silentSince = this.cycle;
    }
    if (!this.schedule.isAsleep() && this.cycle - this.silentSince <= SILENT_CYCLES) return;
    this.failAsleep();
  }
}
