/** Time that a shader core takes for the instructions of each class. */
import type { IssueCost } from '@tessera/frame';
import type { Instruction } from './instruction.ts';
import { instructionInfo, LATENCY_CLASSES, type LatencyClass } from './instructions.ts';

/** Time of the instructions of one class. */
export interface OperationTiming {
  /** Cycles for which an instruction occupies the issue port, at least 1. */
  readonly issueCycles: number;
  /** Cycles from issue until a dependent instruction of the warp can be issued, at least 1. */
  readonly latencyCycles: number;
}

/** Timings of all classes. */
export type OperationTimings = Readonly<Record<LatencyClass, OperationTiming>>;

/** Timings of a core that issues an instruction of any class in each cycle and never stalls. */
export const UNIT_TIMINGS: OperationTimings = Object.fromEntries(
  Object.keys(LATENCY_CLASSES).map((name) => [name, { issueCycles: 1, latencyCycles: 1 }]),
) as Record<LatencyClass, OperationTiming>; // The keys are those of the table.

export type { IssueCost };

/** Cost of no code. */
export const NO_COST: IssueCost = { instructions: 0, issueCycles: 0, stallCycles: 0 };

/** Returns `a + factor · b`. */
export function addCost(a: IssueCost, b: IssueCost, factor = 1): IssueCost {
  return {
    instructions: a.instructions + factor * b.instructions,
    issueCycles: a.issueCycles + factor * b.issueCycles,
    stallCycles: a.stallCycles + factor * b.stallCycles,
  };
}

/**
 * Issues instructions of one warp in order (a scoreboard of registers without renaming) and sums
 * their cost.
 */
export class InOrderIssue {
  readonly #timings: OperationTimings;
  /** Cycle from which a register can be read, counted from the last call of `awaitResults`. */
  readonly #readyAt = new Map<number, number>();
  #cycle = 0;
  #instructions = 0;
  #issueCycles = 0;
  #stallCycles = 0;

  constructor(timings: OperationTimings) {
    this.#timings = timings;
  }

  /** Cost of the instructions so far. */
  get cost(): IssueCost {
    return {
      instructions: this.#instructions,
      issueCycles: this.#issueCycles,
      stallCycles: this.#stallCycles,
    };
  }

  /** Issues one instruction. Returns the cycles for which it waits for earlier ones. */
  issue({ mnemonic, result, sources }: Instruction): number {
    const { resultCount, latencyClass } = instructionInfo(mnemonic);
    let start = this.#cycle;
    for (const source of sources) {
      if (source.kind !== 'register') continue;
      start = Math.max(start, this.#readyAt.get(source.index) ?? 0);
    }
    const { issueCycles, latencyCycles } = this.#timings[latencyClass];
    for (let i = 0; i < resultCount; i++) {
      this.#readyAt.set(result + i, start + Math.max(issueCycles, latencyCycles));
    }
    const stallCycles = start - this.#cycle;
    this.#stallCycles += stallCycles;
    this.#cycle = start + issueCycles;
    this.#issueCycles += issueCycles;
    this.#instructions++;
    return stallCycles;
  }

  /** Lets all results arrive, for instance because the warp waited for texels. */
  awaitResults(): void {
    this.#readyAt.clear();
    this.#cycle = 0;
  }
}
