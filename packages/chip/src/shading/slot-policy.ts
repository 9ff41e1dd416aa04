/**
 * Slot policies decide which type of work gets a warp ID when both want it. The task scheduler asks
 * the policy once per cycle for at most one move of an ID from one type to the other.
 *
 * The first three are the strategies that Deng, Tian and Han (2017) compare. They share the paper's
 * first case: one type has one free ID left, and the other has plenty. They differ when both have
 * one left. The paper mentions the other two only briefly, as policies of other chips. They have no
 * notion of "plenty" and move any free ID.
 */

import { multiply } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { SLOT_POLICY } from '../records/spec-choices.generated.ts';

/** Type of work: vertices. */
export const VERTEX = 0;
/** Type of work: fragments. */
export const FRAGMENT = 1;
/** Type of work: VERTEX or FRAGMENT. */
export type WarpType = i32;
/** Result of a policy that moves no ID. */
export const NO_MOVE = -1;

/** Demand that a policy decides on, in arrays by type of work. */
export class SlotDemand {
  readonly free: Int32Array = new Int32Array(2);
  /** 1 if a warp waits. The next field has the cycle from which it waits. */
  readonly asks: Uint8Array = new Uint8Array(2);
  readonly since: Int32Array = new Int32Array(2);
  /** 1 if the type has a free ID and keeps at least its floor without it. */
  readonly canGive: Uint8Array = new Uint8Array(2);
  /** Smallest number of free IDs that counts as plenty. */
  readonly plenty: i32;
  /**
   * Whether case 3 applies whenever fragments request an ID, not only when they alone request one.
   */
  readonly fragmentTakesLastId: boolean;
  /** Number of IDs allocated or moved. The coin keeps its side until the next one. */
  steps: i32 = 0;
  private readonly seed: i32;

  constructor(plenty: i32, fragmentTakesLastId: boolean, seed: i32) {
    this.plenty = plenty;
    this.fragmentTakesLastId = fragmentTakesLastId;
    this.seed = seed;
  }

  /** Returns VERTEX or FRAGMENT, determined by the seed. */
  coin(): WarpType {
    return hashBit(this.seed, this.steps);
  }
}

/** Returns the type that one ID moves to under a policy, or NO_MOVE. */
export function chooseMove(policy: i32, demand: SlotDemand): WarpType {
  if (policy === SLOT_POLICY.videocore) {
    if (needsId(demand, VERTEX)) return VERTEX;
    return needsId(demand, FRAGMENT) ? FRAGMENT : NO_MOVE;
  }
  if (policy === SLOT_POLICY.gcn) {
    const first = firstToAsk(demand);
    if (needsId(demand, first) && mayTake(policy, demand, first)) return first;
    const second = 1 - first;
    return needsId(demand, second) && mayTake(policy, demand, second) ? second : NO_MOVE;
  }
  const move = moveFromPlenty(demand);
  if (move !== NO_MOVE || !areBothLow(demand)) return move;
  if (policy === SLOT_POLICY.vertexFirst) return canGain(demand, VERTEX) ? VERTEX : NO_MOVE;
  if (policy === SLOT_POLICY.fairRandom) {
    const type = firstToAsk(demand);
    return canGain(demand, type) ? type : NO_MOVE;
  }
  if (!canGain(demand, FRAGMENT)) return NO_MOVE;
  return demand.asks[VERTEX]! === 0 || demand.fragmentTakesLastId ? FRAGMENT : NO_MOVE;
}

/**
 * Returns VERTEX if an ID moves to vertices while a visibility phase has priority, or NO_MOVE.
 * Fragments get no further IDs then, whatever the policy.
 */
export function chooseVertexMove(demand: SlotDemand): WarpType {
  return demand.free[VERTEX]! <= 1 && canGain(demand, VERTEX) ? VERTEX : NO_MOVE;
}

/** Whether a type may take its next free ID. */
export function mayTake(policy: i32, demand: SlotDemand, type: WarpType): boolean {
  // The last free slot of all is reserved for fragments, without which nothing would drain.
  return policy !== SLOT_POLICY.gcn || type === FRAGMENT || !isLast(demand);
}

/** Returns the type that goes first when both want the same stream multiprocessor in one cycle. */
export function chooseFirst(policy: i32, demand: SlotDemand): WarpType {
  if (policy === SLOT_POLICY.pixelBiased) return FRAGMENT;
  if (policy === SLOT_POLICY.vertexFirst || policy === SLOT_POLICY.videocore) return VERTEX;
  return firstToAsk(demand);
}

/** Case 1: a requesting type has at most one free ID left, and the other has plenty. */
function moveFromPlenty(demand: SlotDemand): WarpType {
  const free = demand.free;
  const plenty = demand.plenty;
  if (free[VERTEX]! <= 1 && free[FRAGMENT]! >= plenty && canGain(demand, VERTEX)) return VERTEX;
  if (free[FRAGMENT]! <= 1 && free[VERTEX]! >= plenty && canGain(demand, FRAGMENT)) {
    return FRAGMENT;
  }
  return NO_MOVE;
}

function areBothLow(demand: SlotDemand): boolean {
  return demand.free[VERTEX]! <= 1 && demand.free[FRAGMENT]! <= 1;
}

function canGain(demand: SlotDemand, type: WarpType): boolean {
  return demand.asks[type]! === 1 && demand.canGive[1 - type]! === 1;
}

function needsId(demand: SlotDemand, type: WarpType): boolean {
  return demand.free[type]! === 0 && canGain(demand, type);
}

function isLast(demand: SlotDemand): boolean {
  return demand.free[VERTEX]! + demand.free[FRAGMENT]! === 1;
}

/** Returns the type that requested first. The coin decides if both requested in the same cycle. */
function firstToAsk(demand: SlotDemand): WarpType {
  if (demand.asks[VERTEX]! === 0) return FRAGMENT;
  if (demand.asks[FRAGMENT]! === 0) return VERTEX;
  const vertexSince = demand.since[VERTEX]!;
  const fragmentSince = demand.since[FRAGMENT]!;
  if (vertexSince !== fragmentSince) return vertexSince < fragmentSince ? VERTEX : FRAGMENT;
  return demand.coin();
}

/** Returns one bit of a hash of two integers (the finalizer of MurmurHash3). */
function hashBit(seed: i32, step: i32): i32 {
  let word = seed ^ multiply(step + 1, -0x61c88647);
  word = multiply(word ^ (word >>> 16), -0x7a143595);
  word = multiply(word ^ (word >>> 13), -0x3d4d51cb);
  return (word ^ (word >>> 16)) & 1;
}
