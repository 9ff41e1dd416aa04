import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecordRing } from '../records/record-ring.ts';
import { ActivitySamples } from './activity-samples.ts';
import { Clock } from './clock.ts';
import { Module, type ModuleOptions } from './module.ts';
import { ModuleLoop } from './module-loop.ts';
import { Queue } from './queue.ts';
import { RunControl } from './run-control.ts';
import { BUSY, NEVER, Schedule, STALLED, STARVED, STATE_COUNT } from './schedule.ts';
import { MULTIPLIER_SUB_STAGES, SubStages } from './sub-stages.ts';

interface StageOptions extends ModuleOptions {
  readonly control: RunControl;
  readonly work: readonly number[];
  readonly itemCount: number;
}

/** Pops an item, holds it for `work` cycles and pushes it. */
class Stage extends Module {
  readonly log: number[] = [];
  readonly #schedule: Schedule;
  readonly #control: RunControl;
  readonly #work: readonly number[];
  readonly #itemCount: number;
  #item = -1;
  #doneAt = 0;
  #taken = 0;

  constructor(options: StageOptions) {
    super(options);
    this.#schedule = options.schedule;
    this.#control = options.control;
    this.#work = options.work;
    this.#itemCount = options.itemCount;
  }

  reset(): void {
    this.#item = -1;
    this.#taken = 0;
    this.log.length = 0;
  }

  clock(cycle: number): number {
    const { states } = this.#schedule;
    if (this.#item >= 0) {
      if (cycle < this.#doneAt) {
        states[this.id] = BUSY;
        return this.#doneAt;
      }
      const output = this.outputs[0];
      if (output !== undefined) {
        if (!output.canPush()) {
          states[this.id] = STALLED;
          return NEVER;
        }
        output.push(this.#item, cycle, cycle + 1);
      }
      this.log.push(cycle);
      this.#item = -1;
      if (output === undefined && this.log.length === this.#itemCount) {
        this.#control.isFinished = true;
        states[this.id] = BUSY;
        return NEVER;
      }
    }
    const input = this.inputs[0];
    const hasItem = input === undefined ? this.#taken < this.#itemCount : input.canPop(cycle);
    if (!hasItem) {
      states[this.id] = STARVED;
      return input === undefined ? NEVER : input.nextReady();
    }
    this.#item = input === undefined ? this.#taken : input.pop(cycle);
    this.#taken++;
    this.#doneAt = cycle + this.#work[this.#item % this.#work.length]!;
    states[this.id] = BUSY;
    return this.#doneAt;
  }
}

interface Chain {
  readonly capacities: readonly number[];
  readonly works: readonly (readonly number[])[];
  readonly itemCount: number;
}

function runChain({ capacities, works, itemCount }: Chain) {
  const count = works.length;
  const schedule = new Schedule(count);
  const control = new RunControl();
  // Stage s of the pipeline is module count − 1 − s.
  const queues = capacities.map(
    (capacity, s) =>
      new Queue({
        name: `q${s}`,
        capacity,
        schedule,
        producer: count - 1 - s,
        consumer: count - 2 - s,
      }),
  );
  const modules = Array.from({ length: count }, (_, id) => {
    const s = count - 1 - id;
    const inputs = queues.slice(Math.max(0, s - 1), s);
    const outputs = queues.slice(s, s + 1);
    const name = `s${s}`;
    return new Stage({ id, name, schedule, inputs, outputs, control, work: works[s]!, itemCount });
  });
  const loop = new ModuleLoop(schedule, modules, false);
  const clock = new Clock({ schedule, loop, queues, control, maxUnitSpans: MAX_UNIT_SPANS });
  clock.reset();
  clock.run(NEVER);
  return { cycles: clock.cycle, logs: modules.map(({ log }) => log).reverse(), schedule };
}

/**
 * The same chain with two-phase semantics. In each cycle all decisions are made from the state
 * before it. Then all of the new state is written. Ready signals run from the end to the start
 * within the cycle, as in hardware.
 */
function runTwoPhase({ capacities, works, itemCount }: Chain) {
  const count = works.length;
  let stages = works.map(() => ({ item: -1, doneAt: 0, taken: 0 }));
  let queues: (readonly (readonly [number, number])[])[] = capacities.map(() => []);
  const logs: number[][] = works.map(() => []);
  for (let cycle = 0; ; cycle++) {
    // 1. Read: which stages push and which pop, from the old state alone.
    const hands: boolean[] = [];
    const takes: boolean[] = [];
    for (let s = count - 1; s >= 0; s--) {
      const { item, doneAt, taken } = stages[s]!;
      const isDone = item >= 0 && cycle >= doneAt;
      const hasRoom = s === count - 1 || queues[s]!.length < capacities[s]! || takes[s + 1]!;
      hands[s] = isDone && hasRoom;
      const isFree = item < 0 || hands[s]!;
      const offered = s === 0 ? taken < itemCount : (queues[s - 1]![0]?.[1] ?? NEVER) <= cycle;
      takes[s] = isFree && offered;
    }
    // 2. Write: the new state.
    const oldStages = stages;
    const oldQueues = queues;
    queues = oldQueues.map((queue, s) => [
      ...(takes[s + 1] ? queue.slice(1) : queue),
      ...(hands[s] ? [[oldStages[s]!.item, cycle + 1] as const] : []),
    ]);
    stages = oldStages.map((stage, s) => {
      if (hands[s]) logs[s]!.push(cycle);
      if (!takes[s]) return hands[s] ? { ...stage, item: -1 } : stage;
      const item = s === 0 ? stage.taken : oldQueues[s - 1]![0]![0];
      const work = works[s]![item % works[s]!.length]!;
      return { item, doneAt: cycle + work, taken: stage.taken + 1 };
    });
    if (logs[count - 1]!.length === itemCount) return { cycles: cycle, logs };
  }
}

const chains = fc.integer({ min: 2, max: 7 }).chain((count) =>
  fc.record({
    capacities: fc.array(fc.integer({ min: 1, max: 4 }), {
      minLength: count - 1,
      maxLength: count - 1,
    }),
    works: fc.array(fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 }), {
      minLength: count,
      maxLength: count,
    }),
    itemCount: fc.integer({ min: 1, max: 40 }),
  }),
);

/** Upper bound on the intervals of activity that the clock keeps. */
const MAX_UNIT_SPANS = 512;

describe('pipeline driven in reverse order', () => {
  it('equals the same pipeline driven by two-phase semantics, cycle by cycle', () => {
    fc.assert(
      fc.property(chains, (chain) => {
        const { cycles, logs } = runChain(chain);
        expect({ cycles, logs }).toEqual(runTwoPhase(chain));
      }),
      { numRuns: 300, seed: 4 },
    );
  });

  it('accounts for every cycle of every module', () => {
    fc.assert(
      fc.property(chains, (chain) => {
        const { cycles, schedule } = runChain(chain);
        for (let module = 0; module < chain.works.length; module++) {
          const [busy, starved, stalled] = schedule.cycles.subarray(3 * module, 3 * module + 3);
          expect(busy! + starved! + stalled!).toBe(cycles);
        }
      }),
      { numRuns: 100, seed: 5 },
    );
  });

  it('passes one item per cycle through a full queue', () => {
    // Three stages of one cycle each. The first item leaves after 2 cycles per queue and stage,
    // then one item leaves per cycle.
    const { logs } = runChain({ capacities: [1, 1], works: [[1], [1], [1]], itemCount: 5 });
    expect(logs[2]).toEqual([5, 6, 7, 8, 9]);
  });
});

describe('Queue', () => {
  const make = () =>
    new Queue({
      name: 'aToB',
      capacity: 2,
      schedule: new Schedule(2),
      producer: 1,
      consumer: 0,
    });

  it('refuses a second push or pop in one cycle', () => {
    const queue = make();
    queue.push(1, 0, 1);
    expect(() => queue.push(2, 0, 1)).toThrow('queue aToB, cycle 0: second push in one cycle');
    queue.push(2, 1, 2);
    expect(queue.pop(5)).toBe(1);
    expect(() => queue.pop(5)).toThrow('second pop in one cycle');
    expect(queue.pop(6)).toBe(2);
  });

  it('refuses to overflow, to underflow and to give an item before it is ready', () => {
    const queue = make();
    expect(() => queue.pop(0)).toThrow('pop without a ready item (0 of 2)');
    queue.push(1, 0, 9);
    queue.push(2, 1, 2);
    expect(queue.canPush()).toBe(false);
    expect(() => queue.push(3, 2, 3)).toThrow('push into a full queue (2 of 2)');
    expect(queue.canPop(8)).toBe(false);
    expect(queue.pop(9)).toBe(1);
    expect(() => queue.push(3, 9, 9)).toThrow('ready at 9 already');
  });
});

describe('the 32-bit multiplier', () => {
  it('has a latency of four cycles and gives one result per cycle', () => {
    const multiplier = new SubStages(MULTIPLIER_SUB_STAGES);
    const out: [number, number][] = [];
    for (let cycle = 0; cycle < 12; cycle++) {
      if (multiplier.canTake()) out.push([cycle, multiplier.take()]);
      multiplier.shift();
      if (cycle < 6) multiplier.put(Math.imul(cycle, 3));
    }
    expect(out).toEqual([0, 1, 2, 3, 4, 5].map((n) => [n + 4, 3 * n]));
  });

  it('holds its data while the result is not taken', () => {
    const multiplier = new SubStages(MULTIPLIER_SUB_STAGES);
    const out: [number, number][] = [];
    for (let cycle = 0; cycle < 20; cycle++) {
      const isTaken = cycle < 4 || cycle >= 9;
      if (isTaken && multiplier.canTake()) out.push([cycle, multiplier.take()]);
      multiplier.shift();
      if (multiplier.canPut() && cycle < 8) multiplier.put(cycle);
    }
    // The chain is full from cycle 3 on. Item 0 waits from cycle 4 to 9, and nothing enters in that
    // time.
    expect(out).toEqual([
      [9, 0],
      [10, 1],
      [11, 2],
      [12, 3],
    ]);
  });
});

describe('watchdog', () => {
  /** Holds its item until it can push another one, which never happens in a circle. */
  class Hoarder extends Module {
    readonly #schedule: Schedule;
    constructor(options: ModuleOptions) {
      super(options);
      this.#schedule = options.schedule;
    }
    reset(): void {}
    clock(cycle: number): number {
      const [output] = this.outputs;
      if (output!.canPush()) {
        output!.push(0, cycle, cycle + 1);
        this.#schedule.states[this.id] = BUSY;
        return cycle + 1;
      }
      this.#schedule.states[this.id] = STALLED;
      return NEVER;
    }
  }

  it('names the full queues of a circular wait and the modules that hold them', () => {
    const schedule = new Schedule(2);
    const there = new Queue({ name: 'aToB', capacity: 2, schedule, producer: 1, consumer: 0 });
    const back = new Queue({ name: 'bToA', capacity: 1, schedule, producer: 0, consumer: 1 });
    const modules = [
      new Hoarder({ id: 0, name: 'b', schedule, inputs: [there], outputs: [back] }),
      new Hoarder({ id: 1, name: 'a', schedule, inputs: [back], outputs: [there] }),
    ];
    const clock = new Clock({
      schedule,
      loop: new ModuleLoop(schedule, modules, false),
      queues: [there, back],
      control: new RunControl(),
      maxUnitSpans: MAX_UNIT_SPANS,
    });
    clock.reset();
    expect(() => clock.run(NEVER)).toThrow(
      'nothing can move; circular wait: b cannot push to bToA (1 of 1) → a cannot push to aToB (2 of 2)',
    );
  });
});

describe('RecordRing', () => {
  it('keeps the records between start and end when it grows', () => {
    const ring = new RecordRing(2, 4);
    for (let n = 0; n < 100; n++) {
      const at = ring.append();
      ring.words[at] = n;
      ring.words[at + 1] = -n;
      if (n === 50) ring.start = 45;
    }
    for (let n = 45; n < 100; n++) {
      expect([ring.words[ring.at(n)], ring.words[ring.at(n) + 1]]).toEqual([n, -n]);
    }
  });
});

describe('ActivitySamples', () => {
  /** Module that is clocked now and then, with nothing to do. */
  class Ticker extends Module {
    reset(): void {}

    clock(cycle: number): number {
      return cycle + 5000;
    }
  }

  it.each([1, 50, 146])('of %i modules are never more than the clock may keep', (moduleCount) => {
    const schedule = new Schedule(moduleCount);
    const modules = Array.from(
      { length: moduleCount },
      (_, id) => new Ticker({ id, name: `m${id}`, schedule, inputs: [], outputs: [] }),
    );
    const control = new RunControl();
    const clock = new Clock({
      schedule,
      loop: new ModuleLoop(schedule, modules, false),
      queues: [],
      control,
      maxUnitSpans: MAX_UNIT_SPANS,
    });
    let longest = 0;
    for (let slices = 1; slices <= 40; slices++) {
      for (const cycles of [8192 * slices, 8192 * slices + 100]) {
        clock.reset();
        clock.run(cycles);
        clock.accountAll();
        const { count, ends } = clock.activity;
        expect(ends[count - 1]).toBe(cycles);
        longest = Math.max(longest, count);
      }
    }
    expect(longest * moduleCount).toBeLessThanOrEqual(MAX_UNIT_SPANS);
    expect(longest).toBeGreaterThanOrEqual(3);
  });

  it('joins intervals when there are too many, and loses no cycle', () => {
    const schedule = new Schedule(1);
    const samples = new ActivitySamples({ schedule, moduleCount: 1, limit: 4, sampleCycles: 10 });
    for (let cycle = 10; cycle <= 110; cycle += 10) {
      schedule.states[0] = cycle % 20 === 0 ? BUSY : STARVED;
      samples.sample(cycle);
    }
    schedule.account(0, 115);
    samples.finish(115);
    const { count, ends, sums } = samples;
    const cyclesUpTo = (i: number) =>
      i < 0 ? 0 : sums[i * STATE_COUNT + BUSY]! + sums[i * STATE_COUNT + STARVED]!;
    const intervals = Array.from({ length: count }, (_, i) => [
      i === 0 ? 0 : ends[i - 1],
      ends[i],
      cyclesUpTo(i) - cyclesUpTo(i - 1),
    ]);
    // Every 10, then every 20, then every 40 cycles. The last interval ends with the run.
    expect(intervals).toEqual([
      [0, 40, 40],
      [40, 80, 40],
      [80, 115, 35],
    ]);
  });
});
