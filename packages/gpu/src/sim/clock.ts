/**
 * The clock of a simulated chip (spec: reverse-order pipeline). Modules are clocked from the last stage of
 * the pipeline to the first, so back-pressure takes effect in the same cycle; a module that sleeps costs
 * nothing; cycles in which nobody is awake are passed over.
 *
 * The loop over the modules is generated, unrolled: each call site sees one class only, which V8 turns into
 * a direct call. One pass of the loop runs a bounded slice of cycles, since code that is entered once and
 * never left stays half optimised.
 */
import { MAX_UNIT_SPANS } from '@tessera/frame';
import { ActivitySamples } from './activity-samples.ts';
import type { Module } from './module.ts';
import type { Queue } from './queue.ts';
import { NEVER, type Schedule, STALLED, STARVED, STATE_COUNT } from './schedule.ts';

const SLICE_CYCLES = 8192;
/** Most stretches that a run's activity is kept in; see `MAX_UNIT_SPANS` for all modules together. */
const MAX_STRETCHES = 16;
/** Cycles without a queue transfer after which the watchdog speaks. */
const SILENT_CYCLES = 4_000_000;

/** Flags that modules set for the clock. */
export class RunControl {
  /** The source of the pipeline has read all records there are, and more are to come. */
  needsRecords = false;
  /** The last module is done with the run. */
  isFinished = false;
}

type Slice = (cycle: number, end: number) => number;

export class Clock {
  /** The current cycle. */
  cycle = 0;
  /** What the modules did over the run. */
  readonly activity: ActivitySamples;
  readonly #schedule: Schedule;
  readonly #modules: readonly Module[];
  readonly #queues: readonly Queue[];
  readonly #control: RunControl;
  readonly #slice: Slice;
  #transfersSeen = 0;
  #silentSince = 0;

  /**
   * @param modules By number, from the end of the pipeline to its start.
   * @param isNaive Clocks every module in every cycle: the reference that sleeping must equal. For tests.
   */
  constructor(
    schedule: Schedule,
    modules: readonly Module[],
    queues: readonly Queue[],
    control: RunControl,
    isNaive = false,
  ) {
    for (const [index, { id, name }] of modules.entries()) {
      if (id !== index) throw new Error(`clock: module ${name} has number ${id}, is at ${index}`);
    }
    this.#schedule = schedule;
    this.#modules = modules;
    this.#queues = queues;
    this.#control = control;
    const fitting = Math.floor(MAX_UNIT_SPANS / modules.length) & ~1;
    const stretches = Math.max(2, Math.min(MAX_STRETCHES, fitting));
    this.activity = new ActivitySamples(schedule, modules.length, stretches, SLICE_CYCLES);
    this.#slice = generateSlice(schedule, modules, control, isNaive);
  }

  /** Back to cycle 0 with empty queues and modules. */
  reset(): void {
    this.cycle = 0;
    this.#transfersSeen = 0;
    this.#silentSince = 0;
    this.#control.needsRecords = false;
    this.#control.isFinished = false;
    this.#schedule.reset();
    this.activity.reset();
    for (const queue of this.#queues) queue.reset();
    for (const module of this.#modules) module.reset();
  }

  /**
   * Runs until the control says that records are needed or that the run is finished; then every module's
   * time is accounted for up to the current cycle.
   *
   * @throws {Error} The watchdog: nothing can move any more. The message names who waits for whom.
   */
  run(): void {
    const control = this.#control;
    if (control.needsRecords) this.#resumeSource();
    while (!control.isFinished && !control.needsRecords) {
      // Slices end at multiples of their length, wherever records ran out.
      const end = (Math.floor(this.cycle / SLICE_CYCLES) + 1) * SLICE_CYCLES;
      this.cycle = this.#slice(this.cycle, end);
      if (this.cycle === end && !control.isFinished) this.activity.sample(end);
      this.#watch();
    }
    if (control.isFinished) {
      for (const { id } of this.#modules) this.#schedule.account(id, this.cycle);
      this.activity.finish(this.cycle);
    }
  }

  /**
   * The source stopped the run in the middle of a cycle, as the last module to be clocked in it. It is clocked
   * again in the same cycle, alone: so the run is the one that all records at once would have given.
   */
  #resumeSource(): void {
    const control = this.#control;
    const source = this.#modules[this.#modules.length - 1]!;
    const { wakes } = this.#schedule;
    control.needsRecords = false;
    this.#schedule.account(source.id, this.cycle);
    wakes[source.id] = source.clock(this.cycle);
    if (!control.needsRecords) this.cycle++;
  }

  #watch(): void {
    if (this.#control.isFinished || this.#control.needsRecords) return;
    const transfers = this.#schedule.transfers[0]!;
    if (transfers !== this.#transfersSeen) {
      this.#transfersSeen = transfers;
      this.#silentSince = this.cycle;
    }
    const isAsleep = this.#schedule.wakes.every((wake) => wake === NEVER);
    if (isAsleep || this.cycle - this.#silentSince > SILENT_CYCLES) {
      throw new Error(describeDeadlock(this.cycle, this.#schedule, this.#modules));
    }
  }
}

/** Builds the loop: per cycle, each module that is due; then the next cycle, or the next one anybody wants. */
function generateSlice(
  schedule: Schedule,
  modules: readonly Module[],
  control: RunControl,
  isNaive: boolean,
): Slice {
  const steps = modules.map(
    (_, i) => `
      if (${isNaive ? 'true' : `wakes[${i}] <= cycle`}) {
        wakes[${i}] = NEVER;
        const before = states[${i}];
        const wake = module${i}.clock(cycle);
        if (wake < wakes[${i}]) wakes[${i}] = wake;
        if (states[${i}] !== before) {
          cycles[${i * STATE_COUNT} + before] += cycle - since[${i}];
          since[${i}] = cycle;
        }
        ran = true;
      }`,
  );
  const body = `
    const { wakes, since, states, cycles } = schedule;
    const [${modules.map((_, i) => `module${i}`).join(', ')}] = modules;
    return function slice(from, end) {
      let cycle = from;
      while (cycle < end) {
        let ran = false;
        ${steps.join('')}
        if (control.isFinished || control.needsRecords) return cycle;
        if (ran) {
          cycle++;
          continue;
        }
        let next = NEVER;
        for (let i = 0; i < ${modules.length}; i++) if (wakes[i] < next) next = wakes[i];
        if (next === NEVER) return cycle;
        cycle = next < end ? next : end;
      }
      return cycle;
    };`;
  const make = new Function('schedule', 'modules', 'control', 'NEVER', body);
  return make(schedule, modules, control, NEVER) as Slice; // the text above is a Slice
}

/** Who waits for whom, from the module nearest to the end of the pipeline on; the circle, if there is one. */
function describeDeadlock(cycle: number, schedule: Schedule, modules: readonly Module[]): string {
  const waitsFor = (module: Module): { queue: Queue; other: Module; verb: string } | null => {
    const state = schedule.states[module.id]!;
    const isStalled = state === STALLED;
    if (!isStalled && state !== STARVED) return null;
    const queues = isStalled ? module.outputs : module.inputs;
    const queue = queues.find((candidate) =>
      isStalled ? !candidate.canPush() : candidate.length === 0,
    );
    if (queue === undefined) return null;
    const other = modules[isStalled ? queue.consumer : queue.producer]!;
    return { queue, other, verb: isStalled ? 'cannot push to' : 'has nothing from' };
  };
  const name = (module: Module) => {
    const wait = waitsFor(module);
    if (wait === null) return `${module.name} waits for no queue`;
    const { queue, verb } = wait;
    return `${module.name} ${verb} ${queue.name} (${queue.length} of ${queue.capacity})`;
  };
  const others = modules
    .map((module) => ({ module, wait: module.describeWait?.() ?? null }))
    .filter(({ wait }) => wait !== null)
    .map(({ module, wait }) => `${module.name} ${wait}; `)
    .join('');
  for (const start of modules) {
    const path = [start];
    for (let wait = waitsFor(start); wait !== null; wait = waitsFor(wait.other)) {
      const at = path.indexOf(wait.other);
      if (at >= 0) {
        const circle = path.slice(at).map(name);
        return `cycle ${cycle}: nothing can move; ${others}circle: ${circle.join(' → ')}`;
      }
      path.push(wait.other);
    }
  }
  const waiting = modules.map(name);
  return `cycle ${cycle}: nothing can move; ${others}no circle of queues: ${waiting.join('; ')}`;
}
