/**
 * The set-up in which Deng, Tian and Han compare slot policies: stream multiprocessors with warp
 * slots and tasks of two types, without the rest of a GPU. Task scheduler and issue order are those
 * of the chiplet.
 *
 * A task consists of TASK.clauses clauses of TASK.clauseInstructions instructions, with a wait for
 * memory between clauses. Every stream multiprocessor issues one instruction per cycle.
 *
 * - `independent`: each type forms its next task at a random time after the last one got a slot.
 *   Both together form LOAD times the tasks that can be issued, in the ratio of the types.
 * - `dependent`: only vertex tasks are formed, VERTEX_RATE per cycle. A shaded vertex goes into a
 *   FIFO and keeps its slot until there is room. Each one removed from the FIFO makes fragment
 *   tasks in the ratio.
 */
import type { ChipletSpec } from '@tessera/chiplet-spec';
import {
  FRAGMENT,
  SLOT_STATE,
  TaskScheduler,
  TwoLevelRoundRobin,
  timingSpecOf,
  VERTEX,
} from '@tessera/gpu';

/** Relation of the two types of tasks. */
export type Coupling = 'independent' | 'dependent';

/** Vertex tasks to fragment tasks. */
export type TaskRatio = readonly [vertex: number, fragment: number];

/** Parameters of a run. */
export interface WarpModelOptions {
  readonly spec: ChipletSpec;
  readonly coupling: Coupling;
  readonly ratio: TaskRatio;
  /** Seed of the tasks' arrivals and waits. */
  readonly seed: number;
}

/** Counts of a run. */
export interface WarpModelCounts {
  readonly cycles: number;
  readonly vertexTasks: number;
  readonly fragmentTasks: number;
  /** Slot cycles in which a slot held no unfinished task. */
  readonly idleSlotCycles: number;
  readonly moves: number;
  readonly lockCycles: number;
}

const TASK = { clauses: 3, clauseInstructions: 8, minWaitCycles: 50, maxWaitCycles: 90 } as const;
/** Independent tasks: tasks formed ÷ tasks that can be issued. */
const LOAD = 2;
/** Dependent tasks: vertex tasks formed per cycle, more than can ever be issued. */
const VERTEX_RATE = 0.5;
const RESULT_FIFO_TASKS = 16;

const FREE = 0;
const READY = 1;
const WAITS = 2;
/** State of a slot with a shaded vertex for which the FIFO has no room. */
const HELD = 3;
const NEVER = 0x7fff_ffff;

/** Simulation of one run. */
export class WarpModel {
  ratio: TaskRatio;
  readonly scheduler: TaskScheduler;
  #cycle = 0;
  readonly #options: WarpModelOptions;
  readonly #random: () => number;
  readonly #orders: readonly TwoLevelRoundRobin[];
  /** States of the slots by stream multiprocessor. */
  readonly #states: readonly Int32Array[];
  /** Remaining instructions by warp ID. */
  readonly #left: Int32Array;
  readonly #readyCycle: Float64Array;
  readonly #isVertex: Uint8Array;
  readonly #done = [0, 0];
  /** Independent tasks: cycle in which the next task of each type is formed. */
  readonly #formed = [0, 0];
  /**
   * Dependent tasks: shaded vertices in the FIFO. The credit below counts the fragment tasks of
   * those removed.
   */
  #results = 0;
  /** Dependent tasks: fragment tasks that the removed vertices still have to form. */
  #credit = 0;
  #heldCount = 0;
  #activeCount = 0;

  constructor(options: WarpModelOptions) {
    const { smCount, warpSlotsPerSm, warpGroupSlots } = options.spec;
    this.#options = options;
    this.ratio = options.ratio;
    this.#random = makeRandom(options.seed);
    this.scheduler = new TaskScheduler(timingSpecOf(options.spec));
    const perSm = <T>(make: () => T) => Array.from({ length: smCount }, make);
    this.#orders = perSm(() => new TwoLevelRoundRobin(warpSlotsPerSm, warpGroupSlots));
    this.#states = perSm(() => new Int32Array(warpSlotsPerSm));
    const ids = smCount * warpSlotsPerSm;
    this.#left = new Int32Array(ids);
    this.#readyCycle = new Float64Array(ids);
    this.#isVertex = new Uint8Array(ids);
    for (const type of [VERTEX, FRAGMENT]) this.#formed[type] = this.#formingCycles(type);
  }

  /**
   * Runs the given number of further cycles.
   *
   * @returns Null, or the watchdog's message on a deadlock: it names the FIFO and the owners of the
   *   slots. The remaining cycles then pass without work.
   */
  run(cycles: number): string | null {
    const end = this.#cycle + cycles;
    for (; this.#cycle < end; this.#cycle++) {
      this.#step();
      if (this.#isDeadlocked()) {
        const words = this.#describeDeadlock();
        this.#cycle = end;
        return words;
      }
    }
    return null;
  }

  counts(): WarpModelCounts {
    const { moves, lockCycles } = this.scheduler;
    const slotCycles = (state: number) => this.scheduler.countSlotCycles(state, this.#cycle);
    return {
      cycles: this.#cycle,
      vertexTasks: this.#done[VERTEX]!,
      fragmentTasks: this.#done[FRAGMENT]!,
      idleSlotCycles: slotCycles(SLOT_STATE.idle) + slotCycles(SLOT_STATE.unreleased),
      moves: moves[VERTEX]! + moves[FRAGMENT]!,
      lockCycles,
    };
  }

  #step(): void {
    const { warpSlotsPerSm } = this.#options.spec;
    // 1. Memory answers. Each multiprocessor issues an instruction. Results with room in the FIFO
    //    leave their slots.
    for (let sm = 0; sm < this.#states.length; sm++) {
      const states = this.#states[sm]!;
      for (let slot = 0; slot < warpSlotsPerSm; slot++) {
        const state = states[slot];
        const id = sm * warpSlotsPerSm + slot;
        if (state === WAITS && this.#readyCycle[id]! <= this.#cycle) states[slot] = READY;
        else if (state === HELD && this.#results < RESULT_FIFO_TASKS) {
          this.#heldCount--;
          this.#putResult(id);
        }
      }
      const slot = this.#orders[sm]!.choose(states, READY);
      if (slot >= 0) this.#issue(sm * warpSlotsPerSm + slot);
    }
    // 2. The FIFO's output: one shaded vertex per cycle while no fragment task waits.
    if (this.#credit < 1 && this.#results > 0) {
      this.#results--;
      this.#credit += this.ratio[FRAGMENT] / this.ratio[VERTEX];
    }
    // 3. Waiting tasks get slots.
    const asksVertex = this.#formed[VERTEX]! <= this.#cycle;
    const isDependent = this.#options.coupling === 'dependent';
    const asksFragment = isDependent ? this.#credit >= 1 : this.#formed[FRAGMENT]! <= this.#cycle;
    this.scheduler.serve(this.#cycle, asksVertex, asksFragment, NEVER);
    for (const type of [VERTEX, FRAGMENT]) {
      const id = this.scheduler.grants[type]!;
      if (id >= 0) this.#start(id, type);
    }
  }

  #start(id: number, type: number): void {
    this.#activeCount++;
    this.#left[id] = TASK.clauses * TASK.clauseInstructions;
    this.#isVertex[id] = type === VERTEX ? 1 : 0;
    this.#readyCycle[id] = this.#cycle + 1;
    this.#setState(id, WAITS);
    if (type === FRAGMENT && this.#options.coupling === 'dependent') this.#credit--;
    else this.#formed[type] = this.#cycle + this.#formingCycles(type);
  }

  #issue(id: number): void {
    const left = --this.#left[id]!;
    if (left % TASK.clauseInstructions !== 0) return;
    if (left > 0) {
      const { minWaitCycles, maxWaitCycles } = TASK;
      const wait = Math.floor(this.#random() * (maxWaitCycles - minWaitCycles + 1));
      this.#readyCycle[id] = this.#cycle + minWaitCycles + wait;
      this.#setState(id, WAITS);
      return;
    }
    this.#activeCount--;
    if (this.#isVertex[id] === 0 || this.#options.coupling === 'independent') this.#finish(id);
    else if (this.#results < RESULT_FIFO_TASKS) this.#putResult(id);
    else {
      this.#heldCount++;
      this.#setState(id, HELD);
    }
  }

  #putResult(id: number): void {
    this.#results++;
    this.#finish(id);
  }

  #finish(id: number): void {
    this.#done[this.#isVertex[id] === 1 ? VERTEX : FRAGMENT]!++;
    this.#setState(id, FREE);
    this.scheduler.finish(id, this.#cycle);
  }

  #setState(id: number, state: number): void {
    const { warpSlotsPerSm } = this.#options.spec;
    this.#states[Math.floor(id / warpSlotsPerSm)]![id % warpSlotsPerSm] = state;
  }

  /**
   * Returns a geometrically distributed time of at least 1, with the mean time between tasks of the
   * type.
   */
  #formingCycles(type: number): number {
    const { smCount } = this.#options.spec;
    const perCycle = (LOAD * smCount) / (TASK.clauses * TASK.clauseInstructions);
    const [vertex, fragment] = this.ratio;
    const isDependent = this.#options.coupling === 'dependent';
    const rate = isDependent ? VERTEX_RATE : (perCycle * this.ratio[type]!) / (vertex + fragment);
    let cycles = 1;
    while (this.#random() >= rate) cycles++;
    return cycles;
  }

  /**
   * Whether the model is deadlocked: nothing runs, no ID is free, the FIFO is full, and its output
   * waits for an ID.
   */
  #isDeadlocked(): boolean {
    if (this.#activeCount > 0 || this.#heldCount === 0 || this.#credit < 1) return false;
    const [vertex, fragment] = this.scheduler.queues;
    return this.#results >= RESULT_FIFO_TASKS && vertex.freeCount + fragment.freeCount === 0;
  }

  #describeDeadlock(): string {
    const [vertex, fragment] = this.scheduler.queues;
    return (
      `cycle ${this.#cycle}: nothing can move; the FIFO of shaded vertices is full ` +
      `(${this.#results} of ${RESULT_FIFO_TASKS}), ${this.#heldCount} slots are held by vertex warps that ` +
      `wait for it, a fragment warp waits for a slot; vertices own ${vertex.ownedCount} warp IDs, ` +
      `fragments ${fragment.ownedCount}`
    );
  }
}

/** Returns a generator of uniform numbers in [0, 1): linear congruential, modulo 2³². */
function makeRandom(seed: number): () => number {
  let state = (Math.imul(seed, 0x9e37_79b9) + 0x7f4a_7c15) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    let word = state;
    word = Math.imul(word ^ (word >>> 15), 0x2c1b_3c6d);
    return ((word ^ (word >>> 13)) >>> 0) / 2 ** 32;
  };
}
