/**
 * Task scheduler after Deng, Tian and Han (2017), without a clock: chooses the warp slot of the
 * next vertex or fragment warp. Warp IDs identify the slots of all stream multiprocessors. Half of
 * the IDs are pre-allocated to each type of work. Each type allocates its IDs in order, at most one
 * per cycle. Load balancing locks both queues for some cycles and moves exactly one free ID from
 * one type to the other. The slot policy decides when.
 *
 * Both the module of the chip and the study of the strategies use this class. They call `serve` in
 * each cycle in which something may change.
 */

import { divide } from '../portable/integers.ts';
import type { f64, i32, u8 } from '../portable/number-types.ts';
import { WARP_ID_LAYOUT } from '../records/spec-choices.generated.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import {
  chooseFirst,
  chooseMove,
  chooseVertexMove,
  FRAGMENT,
  mayTake,
  NO_MOVE,
  SlotDemand,
  VERTEX,
  type WarpType,
} from './slot-policy.ts';
import { WarpIdQueue } from './warp-id-queue.ts';

const NONE = -1;
/** States of an ID. Slot-cycles are counted by state. */
export const SLOT_STATE = {
  idle: 0,
  vertex: 1,
  fragment: 2,
  /** State of an ID whose warp is done while an earlier one of the type is not. */
  unreleased: 3,
} as const;

/** State of all warp IDs. */
export class TaskScheduler {
  /** ID allocated to each type in the last call of `serve`, or −1. */
  readonly grants: Int32Array = new Int32Array(2).fill(NONE);
  /** IDs of each type. */
  readonly queues: readonly WarpIdQueue[];
  /** Number of IDs moved, by the type that received them. */
  readonly moves: Int32Array = new Int32Array(2);
  /** Number of cycles in which a warp of the type waited and got no ID. */
  readonly waitCycles: Float64Array = new Float64Array(2);
  /** Number of cycles in which the queues were locked. */
  lockCycles: i32 = 0;
  /** Whether vertices go first and gain IDs, and fragments keep those that they have. */
  isVertexFirst: boolean = false;
  private readonly spec: TimingSpec;
  private readonly policy: i32;
  private readonly idCount: i32;
  private readonly floor: i32;
  private readonly states: Uint8Array;
  /**
   * Number of IDs in each state, and the sum of the cycles in which IDs left it, less those in
   * which they entered it.
   */
  private readonly stateCounts: Int32Array = new Int32Array(4);
  private readonly slotCycles: Float64Array = new Float64Array(4);
  private readonly demand: SlotDemand;
  private readonly waitsFrom: Int32Array = new Int32Array(2).fill(NONE);
  private lockedUntil: i32 = 0;
  /**
   * Whether a lock has just ended, so that IDs are allocated before the queues are locked again.
   */
  private mustServe: boolean = false;

  constructor(spec: TimingSpec) {
    const idCount = spec.smCount * spec.warpSlotsPerSm;
    this.spec = spec;
    this.policy = spec.slotPolicy;
    this.floor = spec.warpIdFloor;
    this.idCount = idCount;
    this.states = new Uint8Array(idCount);
    this.queues = [new WarpIdQueue(idCount), new WarpIdQueue(idCount)];
    this.demand = new SlotDemand(spec.warpIdPlenty, spec.fragmentTakesLastId, spec.schedulingSeed);
    this.reset();
  }

  /**
   * Pre-allocates the IDs. Vertices get the first half. Fragments get the rest, which is one more
   * if the number of IDs is odd.
   */
  reset(): void {
    const smCount = this.spec.smCount;
    const warpSlotsPerSm = this.spec.warpSlotsPerSm;
    const warpIdLayout = this.spec.warpIdLayout;
    const half = this.idCount >> 1;
    this.queues[VERTEX]!.clear();
    this.queues[FRAGMENT]!.clear();
    for (let turn = 0; turn < this.idCount; turn++) {
      const interleaved = (turn % smCount) * warpSlotsPerSm + divide(turn, smCount);
      const id = warpIdLayout === WARP_ID_LAYOUT.interleaved ? interleaved : turn;
      this.queues[turn < half ? VERTEX : FRAGMENT]!.append(id);
    }
    this.states.fill(SLOT_STATE.idle as u8);
    this.stateCounts.fill(0);
    this.stateCounts[SLOT_STATE.idle] = this.idCount;
    this.slotCycles.fill(0);
    this.moves.fill(0);
    this.waitCycles.fill(0);
    this.waitsFrom.fill(NONE);
    this.grants.fill(NONE);
    this.demand.asks.fill(0);
    this.lockCycles = 0;
    this.lockedUntil = 0;
    this.mustServe = false;
    this.demand.steps = 0;
  }

  /** Returns the stream multiprocessor of an ID. Its slot there is `id % warpSlotsPerSm`. */
  smOf(id: i32): i32 {
    return divide(id, this.spec.warpSlotsPerSm);
  }

  /**
   * Serves the types that have a warp waiting in `cycle`. Either allocates at most one ID to each
   * type, in `grants`, or moves one ID, which locks the queues.
   *
   * @param never Value to return if no further call is due.
   * @returns Cycle of the next call, unless a warp finishes or another warp requests an ID earlier.
   */
  serve(cycle: i32, asksVertex: boolean, asksFragment: boolean, never: i32): i32 {
    this.noteDemand(VERTEX, asksVertex, cycle);
    this.noteDemand(FRAGMENT, asksFragment, cycle);
    this.grants[VERTEX] = NONE;
    this.grants[FRAGMENT] = NONE;
    let again = never;
    if (this.spec.hasSerialWarpIdFrees && this.freeOldest(cycle)) again = cycle + 1;
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
   * Marks the warp of an ID as done. The ID becomes free when all IDs allocated before it are done.
   *
   * @returns Whether IDs became free, or will be freed one by one in `serve`.
   * @throws {Error} If the ID holds no warp.
   */
  finish(id: i32, cycle: i32): boolean {
    const state = this.states[id]!;
    if (state !== SLOT_STATE.vertex && state !== SLOT_STATE.fragment) {
      throw new Error(`task scheduler: warp ID ${id} is done but holds no warp`);
    }
    const type = state === SLOT_STATE.vertex ? VERTEX : FRAGMENT;
    const queue = this.queues[type]!;
    this.enter(id, SLOT_STATE.unreleased, cycle);
    if (id !== queue.oldest()) return false;
    if (this.spec.hasSerialWarpIdFrees) return true;
    while (this.isDone(queue)) this.free(queue, cycle);
    return true;
  }

  /**
   * Frees the oldest ID of each type if it is done, unless the queues are locked. Returns whether
   * more IDs can be freed.
   */
  private freeOldest(cycle: i32): boolean {
    if (cycle < this.lockedUntil) return false;
    let isMore = false;
    for (let type = VERTEX; type <= FRAGMENT; type++) {
      const queue = this.queues[type]!;
      if (!this.isDone(queue)) continue;
      this.free(queue, cycle);
      if (this.isDone(queue)) isMore = true;
    }
    return isMore;
  }

  /** Frees the oldest ID of a type. */
  private free(queue: WarpIdQueue, cycle: i32): void {
    this.enter(queue.oldest(), SLOT_STATE.idle, cycle);
    queue.free();
  }

  /** Returns whether the warp of a type's oldest ID is done. */
  private isDone(queue: WarpIdQueue): boolean {
    return queue.busyCount > 0 && this.states[queue.oldest()] === SLOT_STATE.unreleased;
  }

  /** Whether a warp waits for an ID to be freed or moved. */
  get isAwaited(): boolean {
    return this.waitsFrom[VERTEX]! >= 0 || this.waitsFrom[FRAGMENT]! >= 0;
  }

  isLockedAt(cycle: i32): boolean {
    return cycle < this.lockedUntil;
  }

  /**
   * Returns the slot-cycles that IDs spent in a state of SLOT_STATE up to `cycle`. The sum over all
   * states is cycles × slots.
   */
  countSlotCycles(state: i32, cycle: i32): f64 {
    return this.slotCycles[state]! + (cycle as f64) * this.stateCounts[state]!;
  }

  private noteDemand(type: WarpType, asks: boolean, cycle: i32): void {
    const demand = this.demand;
    const waitsFrom = this.waitsFrom;
    if (waitsFrom[type]! >= 0) this.waitCycles[type]! += cycle - waitsFrom[type]!;
    // An ID allocated in the last call was for the previous warp.
    const isNew = demand.asks[type] === 0 || this.grants[type] !== NONE;
    if (asks && isNew) demand.since[type] = cycle;
    demand.asks[type] = asks ? 1 : 0;
  }

  /** Updates the demand that policies decide on. */
  private observe(): void {
    const free = this.demand.free;
    const canGive = this.demand.canGive;
    for (let type = VERTEX; type <= FRAGMENT; type++) {
      const queue = this.queues[type]!;
      free[type] = queue.freeCount;
      canGive[type] = queue.freeCount > 0 && queue.ownedCount > this.floor ? 1 : 0;
    }
  }

  /** Locks both queues and moves one ID, if the policy chooses a move. Returns whether it did. */
  private balance(cycle: i32): boolean {
    const to = this.isVertexFirst
      ? chooseVertexMove(this.demand)
      : chooseMove(this.policy, this.demand);
    if (to === NO_MOVE) return false;
    this.queues[to]!.append(this.queues[to === VERTEX ? FRAGMENT : VERTEX]!.takeLast());
    this.moves[to]!++;
    this.demand.steps++;
    this.lockCycles += this.spec.warpIdLockCycles;
    this.lockedUntil = cycle + this.spec.warpIdLockCycles;
    this.mustServe = true;
    return true;
  }

  /**
   * Allocates the next ID to each requesting type. A stream multiprocessor gets at most one warp
   * per cycle. Returns false if no ID was allocated.
   */
  private grant(cycle: i32): boolean {
    const demand = this.demand;
    const first = this.isVertexFirst ? VERTEX : chooseFirst(this.policy, demand);
    const second = first === VERTEX ? FRAGMENT : VERTEX;
    const isFirst = this.canTake(demand, first);
    const isSecond = this.canTake(demand, second);
    if (isFirst) this.give(first, cycle);
    if (isSecond) {
      const sm = this.smOf(this.queues[second]!.next());
      if (!isFirst || sm !== this.smOf(this.grants[first]!)) this.give(second, cycle);
    }
    return isFirst || isSecond;
  }

  private canTake(demand: SlotDemand, type: WarpType): boolean {
    return demand.asks[type] === 1 && demand.free[type]! > 0 && mayTake(this.policy, demand, type);
  }

  private give(type: WarpType, cycle: i32): void {
    const id = this.queues[type]!.allocate();
    this.enter(id, type === VERTEX ? SLOT_STATE.vertex : SLOT_STATE.fragment, cycle);
    this.grants[type] = id;
    this.demand.steps++;
  }

  private enter(id: i32, state: i32, cycle: i32): void {
    const before = this.states[id]!;
    this.slotCycles[before]! += cycle;
    this.slotCycles[state]! -= cycle;
    this.stateCounts[before]!--;
    this.stateCounts[state]!++;
    this.states[id] = state as u8;
  }
}
