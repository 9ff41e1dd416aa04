/**
 * Compares the cost of code with that of a branch that skips the code if no lane of the group needs
 * it.
 */
import { instructionInfo, type LatencyClass } from '../isa/instructions.ts';
import type { IsaNode } from '../isa/structure.ts';
import { instructionsOf } from '../isa/structure-properties.ts';

/**
 * Minimum weight of code that is worth skipping. An unpredictable branch costs about twenty cycles,
 * an instruction on four lanes about one.
 */
const MIN_WEIGHT = 14;

/** Approximate number of machine instructions per instruction; 1 if not listed. */
const WEIGHTS: Partial<Record<LatencyClass, number>> = {
  special: 20,
  division: 4,
  integerDivision: 15,
  constantLoad: 12,
  arrayAccess: 12,
  texture: 100,
};

/** Whether the code of `nodes` is expensive enough for a branch around it. */
export function isWorthSkipping(nodes: readonly IsaNode[]): boolean {
  let weight = 0;
  for (const { mnemonic } of nodes.flatMap(instructionsOf)) {
    weight += WEIGHTS[instructionInfo(mnemonic).latencyClass] ?? 1;
  }
  return weight >= MIN_WEIGHT;
}
