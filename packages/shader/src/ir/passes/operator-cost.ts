/**
 * Approximate cost of nodes in issue slots of the shader core. It suffices to compare a branch with
 * running both sides, and copies of a loop body with its jumps.
 */
import type { IrNode, IrOperator, IrRegion } from '../ir.ts';
import { regionsOf } from '../regions.ts';

/** Operators that take more than one slot. */
const OPERATOR_COSTS: Partial<Record<IrOperator, number>> = {
  fdiv: 4,
  fsqrt: 4,
  frsq: 4,
  fexp2: 8,
  flog2: 8,
  fsin: 12,
  fcos: 12,
  idiv: 12,
  irem: 12,
  udiv: 12,
  urem: 12,
};

/** Returns the cost of `node` itself, without the regions inside it. */
export function costOf(node: IrNode): number {
  switch (node.kind) {
    case 'constant':
    case 'exit':
    case 'continue':
    case 'block':
      return 0;
    case 'operator':
      return OPERATOR_COSTS[node.op] ?? 1;
    case 'texture':
      return 16;
    case 'readArray':
    case 'writeArray':
    case 'textureSize':
      return 4;
    case 'if':
    case 'loop':
      return 2;
    default:
      return 1;
  }
}

/** Returns the cost of all nodes of `region`, each counted once. */
export function costOfRegion(region: IrRegion): number {
  let cost = 0;
  for (const node of region) {
    cost += costOf(node);
    for (const inner of regionsOf(node)) cost += costOfRegion(inner);
  }
  return cost;
}
