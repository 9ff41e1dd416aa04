/**
 * Slot policies: who gets the warp ID when both types of work want it. The task scheduler asks them once a cycle
 * for at most one move of an ID from one type to the other.
 *
 * The first three are the strategies that Deng, Tian and Han compare. They share the paper's first case: one
 * type has one free ID left, the other plenty. They differ where both have one left. The other two are named by
 * the paper as those of other chips, in half a sentence each; they know no «plenty»: any free slot is handed on.
 */

export const VERTEX = 0;
export const FRAGMENT = 1;
export type WarpType = typeof VERTEX | typeof FRAGMENT;
/** No ID moves. */
export const NO_MOVE = -1;

export const SLOT_POLICIES = [
  'vertex-first',
  'pixel-biased',
  'fair-random',
  'videocore',
  'gcn',
] as const;
export type SlotPolicyName = (typeof SLOT_POLICIES)[number];

/** What a policy sees; arrays by type. */
export interface SlotDemand {
  readonly free: Int32Array;
  /** Whether a warp waits, 0 or 1, and since when. */
  readonly asks: Uint8Array;
  readonly since: Int32Array;
  /** Whether the type has a free ID and stays at its floor or above without it, 0 or 1. */
  readonly canGive: Uint8Array;
  /** Free IDs from which a type has plenty. */
  readonly plenty: number;
  /** Case 3 holds whenever fragments ask, not only when they ask alone. */
  readonly fragmentTakesLastId: boolean;
  /** 0 or 1, by the seed; the same until an ID is given or moved. */
  coin(): number;
}

export interface SlotPolicy {
  /** The type that one ID moves to, or NO_MOVE. */
  chooseMove(demand: SlotDemand): WarpType | typeof NO_MOVE;
  /** Whether a type may take its next free ID. */
  mayTake(demand: SlotDemand, type: WarpType): boolean;
  /** The type that goes first when both want the same stream multiprocessor in one cycle. */
  chooseFirst(demand: SlotDemand): WarpType;
}

export const SLOT_POLICY_BY_NAME: Readonly<Record<SlotPolicyName, SlotPolicy>> = {
  'vertex-first': {
    chooseMove(demand) {
      const move = moveFromPlenty(demand);
      if (move !== NO_MOVE || !areBothLow(demand)) return move;
      return canGain(demand, VERTEX) ? VERTEX : NO_MOVE;
    },
    mayTake: () => true,
    chooseFirst: () => VERTEX,
  },
  'pixel-biased': {
    chooseMove(demand) {
      const move = moveFromPlenty(demand);
      if (move !== NO_MOVE || !areBothLow(demand) || !canGain(demand, FRAGMENT)) return move;
      return demand.asks[VERTEX] === 0 || demand.fragmentTakesLastId ? FRAGMENT : NO_MOVE;
    },
    mayTake: () => true,
    chooseFirst: () => FRAGMENT,
  },
  'fair-random': {
    chooseMove(demand) {
      const move = moveFromPlenty(demand);
      if (move !== NO_MOVE || !areBothLow(demand)) return move;
      const type = firstToAsk(demand);
      return canGain(demand, type) ? type : NO_MOVE;
    },
    mayTake: () => true,
    chooseFirst: firstToAsk,
  },
  videocore: {
    chooseMove(demand) {
      if (needsId(demand, VERTEX)) return VERTEX;
      return needsId(demand, FRAGMENT) ? FRAGMENT : NO_MOVE;
    },
    mayTake: () => true,
    chooseFirst: () => VERTEX,
  },
  gcn: {
    // The last free slot of all is kept for fragments, without which nothing would drain.
    chooseMove(demand) {
      const first = firstToAsk(demand);
      for (const type of [first, (1 - first) as WarpType]) {
        if (needsId(demand, type) && (type === FRAGMENT || !isLast(demand))) return type;
      }
      return NO_MOVE;
    },
    mayTake: (demand, type) => type === FRAGMENT || !isLast(demand),
    chooseFirst: firstToAsk,
  },
};

/** Case 1: a type that asks has one free ID left or none, the other plenty. */
function moveFromPlenty(demand: SlotDemand): WarpType | typeof NO_MOVE {
  const { free, plenty } = demand;
  if (free[VERTEX]! <= 1 && free[FRAGMENT]! >= plenty && canGain(demand, VERTEX)) return VERTEX;
  if (free[FRAGMENT]! <= 1 && free[VERTEX]! >= plenty && canGain(demand, FRAGMENT)) {
    return FRAGMENT;
  }
  return NO_MOVE;
}

function areBothLow({ free }: SlotDemand): boolean {
  return free[VERTEX]! <= 1 && free[FRAGMENT]! <= 1;
}

function canGain({ asks, canGive }: SlotDemand, type: WarpType): boolean {
  return asks[type] === 1 && canGive[1 - type] === 1;
}

function needsId(demand: SlotDemand, type: WarpType): boolean {
  return demand.free[type] === 0 && canGain(demand, type);
}

function isLast({ free }: SlotDemand): boolean {
  return free[VERTEX]! + free[FRAGMENT]! === 1;
}

/** First come; by the coin when both came at once. */
function firstToAsk(demand: SlotDemand): WarpType {
  const { asks, since } = demand;
  if (asks[VERTEX] === 0) return FRAGMENT;
  if (asks[FRAGMENT] === 0) return VERTEX;
  if (since[VERTEX] !== since[FRAGMENT]) {
    return since[VERTEX]! < since[FRAGMENT]! ? VERTEX : FRAGMENT;
  }
  return demand.coin() === 0 ? VERTEX : FRAGMENT;
}
