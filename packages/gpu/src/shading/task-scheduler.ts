/**
 * Task scheduler after Deng, Tian and Han 2017, without a clock: which warp slot the next vertex or fragment
 * warp gets. Warp IDs name the slots of all stream multiprocessors. Half of them are pre-allocated to each type
 * of work; both types give theirs in turn, one each in a cycle. Load balancing locks both queues for some cycles
 * and moves exactly one free ID from one type to the other; the slot policy decides when.
 *
 * The module of the chiplet and the study of the strategies both drive this class, a call of `serve` for each
 * cycle in which something may change.
 */
import type { ChipletSpec } from '../chiplet-spec.ts';
import {
  FRAGMENT,
  NO_MOVE,
  SLOT_POLICY_BY_NAME,
  type SlotDemand,
  type SlotPolicy,
  VERTEX,
  type WarpType,
} from './slot-policy.ts';
import { WarpIdQueue } from './warp-id-queue.ts';

/** The parameters that it goes by. */
export type TaskSchedulerSpec = Pick<
  ChipletSpec,
  | 'smCount'
  | 'warpSlotsPerSm'
  | 'slotPolicy'
  | 'warpIdLayout'
  | 'warpIdFloor'
  | 'warpIdPlenty'
  | 'warpIdLockCycles'
  | 'fragmentTakesLastId'
  | 'schedulingSeed'
>;

const NONE = -1;
/** States of an ID, and what its slot-cycles count as. */
const IDLE = 0;
const HOLDS_VERTEX = 1;
const HOLDS_FRAGMENT = 2;
/** Its warp is done, but an earlier one of the type is not. */
const UNRELEASED = 3;

export class TaskScheduler {
  /** By type: the ID given in the last call of `serve`, or −1. */
  readonly grants = new Int32Array(2).fill(NONE);
  /** By type. */
  readonly queues: readonly [WarpIdQueue, WarpIdQueue];
  /** IDs moved, by the type that got them. */
  readonly moves = new Int32Array(2);
  /** Cycles in which a warp of the type waited and was given no ID. */
  readonly waitCycles = new Float64Array(2);
  /** Cycles in which the queues were locked. */
  lockCycles = 0;
  private readonly spec: TaskSchedulerSpec;
  private readonly policy: SlotPolicy;
  private readonly idCount: number;
  private readonly floor: number;
  private readonly states: Uint8Array;
  /** IDs in each state; the sum of the cycles in which IDs left it, less those in which they came to it. */
  private readonly stateCounts = new Int32Array(4);
  private readonly slotCycles = new Float64Array(4);
  private readonly demand: SlotDemand & { readonly asks: Uint8Array };
  private readonly waitsFrom = new Int32Array(2).fill(NONE);
  private lockedUntil = 0;
  /** A lock has ended: IDs are given before the queues are locked again. */
  private mustServe = false;
  /** IDs given or moved. */
  private steps = 0;

  constructor(spec: TaskSchedulerSpec) {
    this.spec = spec;
    this.policy = SLOT_POLICY_BY_NAME[spec.slotPolicy];
    this.floor = spec.warpIdFloor;
    this.idCount = spec.smCount * spec.warpSlotsPerSm;
    this.states = new Uint8Array(this.idCount);
    this.queues = [new WarpIdQueue(this.idCount), new WarpIdQueue(this.idCount)];
    this.demand = {
      free: new Int32Array(2),
      asks: new Uint8Array(2),
      since: new Int32Array(2),
      canGive: new Uint8Array(2),
      plenty: spec.warpIdPlenty,
      fragmentTakesLastId: spec.fragmentTakesLastId,
      coin: () => hashBit(spec.schedulingSeed, this.steps),
    };
    this.reset();
  }

  /** Pre-allocates the IDs: the first half to vertices, one more to fragments when they are odd. */
  reset(): void {
    const { smCount, warpSlotsPerSm, warpIdLayout } = this.spec;
    const half = this.idCount >> 1;
    for (const queue of this.queues) queue.clear();
    for (let turn = 0; turn < this.idCount; turn++) {
      const interleaved = (turn % smCount) * warpSlotsPerSm + Math.floor(turn / smCount);
      const id = warpIdLayout === 'interleaved' ? interleaved : turn;
      this.queues[turn < half ? VERTEX : FRAGMENT].append(id);
    }
    this.states.fill(IDLE);
    this.stateCounts.fill(0);
    this.stateCounts[IDLE] = this.idCount;
    this.slotCycles.fill(0);
    this.moves.fill(0);
    this.waitCycles.fill(0);
    this.waitsFrom.fill(NONE);
    this.grants.fill(NONE);
    this.demand.asks.fill(0);
    this.lockCycles = 0;
    this.lockedUntil = 0;
    this.mustServe = false;
    this.steps = 0;
  }

  /** Stream multiprocessor of an ID; its slot there is `id % warpSlotsPerSm`. */
  smOf(id: number): number {
    return Math.floor(id / this.spec.warpSlotsPerSm);
  }

  /**
   * Serves the types that have a warp waiting in `cycle`: an ID each at most, in `grants`, or a move that locks
   * the queues.
   *
   * @returns When to call again though nobody finishes and nobody else asks; `never` if that changes nothing.
   */
  serve(cycle: number, asksVertex: boolean, asksFragment: boolean, never: number): number {
    this.noteDemand(VERTEX, asksVertex, cycle);
    this.noteDemand(FRAGMENT, asksFragment, cycle);
    this.grants[VERTEX] = NONE;
    this.grants[FRAGMENT] = NONE;
    let again = never;
    if (cycle < this.lockedUntil) again = this.lockedUntil;
    else if (asksVertex || asksFragment) {
      this.observe();
      const wasLocked = this.mustServe;
      if (!wasLocked && this.balance(cycle)) again = this.lockedUntil;
      else {
        this.mustServe = false;
        if (this.grant(cycle) || wasLocked) again = cycle + 1;
      }
    }
    this.waitsFrom[VERTEX] = asksVertex && this.grants[VERTEX] === NONE ? cycle : NONE;
    this.waitsFrom[FRAGMENT] = asksFragment && this.grants[FRAGMENT] === NONE ? cycle : NONE;
    return again;
  }

  /**
   * The warp of an ID is done. Its ID is free once those given before it are.
   *
   * @returns Whether IDs are free now that were not.
   */
  finish(id: number, cycle: number): boolean {
    const state = this.states[id];
    if (state !== HOLDS_VERTEX && state !== HOLDS_FRAGMENT) {
      throw new Error(`task scheduler: warp ID ${id} is done but holds no warp`);
    }
    const type = state === HOLDS_VERTEX ? VERTEX : FRAGMENT;
    const queue = this.queues[type];
    this.enter(id, UNRELEASED, cycle);
    if (id !== queue.oldest()) return false;
    while (queue.busyCount > 0 && this.states[queue.oldest()] === UNRELEASED) {
      this.enter(queue.oldest(), IDLE, cycle);
      queue.free();
    }
    return true;
  }

  /** Whether IDs that are freed, or given back by the other type, are waited for. */
  get isAwaited(): boolean {
    return this.waitsFrom[VERTEX]! >= 0 || this.waitsFrom[FRAGMENT]! >= 0;
  }

  isLockedAt(cycle: number): boolean {
    return cycle < this.lockedUntil;
  }

  /** Slot-cycles up to `cycle`; together cycles × slots. */
  countSlotCycles(cycle: number): {
    readonly idle: number;
    readonly vertex: number;
    readonly fragment: number;
    readonly unreleased: number;
  } {
    const sum = (state: number) => this.slotCycles[state]! + cycle * this.stateCounts[state]!;
    return {
      idle: sum(IDLE),
      vertex: sum(HOLDS_VERTEX),
      fragment: sum(HOLDS_FRAGMENT),
      unreleased: sum(UNRELEASED),
    };
  }

  private noteDemand(type: WarpType, asks: boolean, cycle: number): void {
    const { demand, waitsFrom } = this;
    if (waitsFrom[type]! >= 0) this.waitCycles[type]! += cycle - waitsFrom[type]!;
    // What was given in the last call was for the warp before this one.
    const isNew = demand.asks[type] === 0 || this.grants[type] !== NONE;
    if (asks && isNew) demand.since[type] = cycle;
    demand.asks[type] = asks ? 1 : 0;
  }

  /** Brings what policies see up to date. */
  private observe(): void {
    const { free, canGive } = this.demand;
    for (let type = VERTEX; type <= FRAGMENT; type++) {
      const { freeCount, busyCount } = this.queues[type as WarpType];
      free[type] = freeCount;
      canGive[type] = freeCount > 0 && freeCount + busyCount > this.floor ? 1 : 0;
    }
  }

  /** Locks both queues and moves one ID, if the policy wants it. */
  private balance(cycle: number): boolean {
    const to = this.policy.chooseMove(this.demand);
    if (to === NO_MOVE) return false;
    this.queues[to].append(this.queues[to === VERTEX ? FRAGMENT : VERTEX].takeLast());
    this.moves[to]!++;
    this.steps++;
    this.lockCycles += this.spec.warpIdLockCycles;
    this.lockedUntil = cycle + this.spec.warpIdLockCycles;
    this.mustServe = true;
    return true;
  }

  /** Gives each type that asks its next ID; false if none. One warp goes to a stream multiprocessor per cycle. */
  private grant(cycle: number): boolean {
    const { demand } = this;
    const first = this.policy.chooseFirst(demand);
    const second = first === VERTEX ? FRAGMENT : VERTEX;
    const isFirst = this.canTake(demand, first);
    const isSecond = this.canTake(demand, second);
    if (isFirst) this.give(first, cycle);
    if (isSecond) {
      const sm = this.smOf(this.queues[second].next());
      if (!isFirst || sm !== this.smOf(this.grants[first]!)) this.give(second, cycle);
    }
    return isFirst || isSecond;
  }

  private canTake(demand: SlotDemand, type: WarpType): boolean {
    return demand.asks[type] === 1 && demand.free[type]! > 0 && this.policy.mayTake(demand, type);
  }

  private give(type: WarpType, cycle: number): void {
    const id = this.queues[type].allocate();
    this.enter(id, type === VERTEX ? HOLDS_VERTEX : HOLDS_FRAGMENT, cycle);
    this.grants[type] = id;
    this.steps++;
  }

  private enter(id: number, state: number, cycle: number): void {
    const before = this.states[id]!;
    this.slotCycles[before]! += cycle;
    this.slotCycles[state]! -= cycle;
    this.stateCounts[before]!--;
    this.stateCounts[state]!++;
    this.states[id] = state;
  }
}

/** One bit of a hash of two integers (the finalizer of MurmurHash3). */
function hashBit(seed: number, step: number): number {
  let word = (seed ^ Math.imul(step + 1, 0x9e37_79b9)) | 0;
  word = Math.imul(word ^ (word >>> 16), 0x85eb_ca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2_ae35);
  return (word ^ (word >>> 16)) & 1;
}
