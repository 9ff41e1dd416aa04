/** Whether code is worth a branch around it when no lane of the group needs it. */
import type { Instruction } from '../isa/instruction.ts';
import { instructionInfo, type LatencyClass } from '../isa/instructions.ts';
import type { IsaNode } from '../isa/structure.ts';

/**
 * From about here on skipping pays: a branch that goes now this way, now that way costs some twenty cycles,
 * an instruction on four lanes about one.
 */
const MIN_WEIGHT = 14;

/** Roughly the machine instructions that one instruction becomes; 1 where not listed. */
const WEIGHTS: Partial<Record<LatencyClass, number>> = {
  special: 20,
  division: 4,
  integerDivision: 15,
  constantLoad: 12,
  arrayAccess: 12,
  texture: 100,
};

export function isWorthSkipping(nodes: readonly IsaNode[]): boolean {
  let weight = 0;
  for (const { mnemonic } of nodes.flatMap(instructionsOf)) {
    weight += WEIGHTS[instructionInfo(mnemonic).latencyClass] ?? 1;
  }
  return weight >= MIN_WEIGHT;
}

/** Instructions of a node but for control flow, inner bodies included. */
export function instructionsOf(node: IsaNode): readonly Instruction[] {
  switch (node.kind) {
    case 'straight':
      return node.instructions;
    case 'block':
    case 'loop':
      return node.body.flatMap(instructionsOf);
    case 'if':
      return [...node.then, ...node.else].flatMap(instructionsOf);
    default:
      return [];
  }
}
