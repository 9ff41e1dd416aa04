/** Properties of the nodes of a program's structure. */
import type { Instruction } from './instruction.ts';
import type { IsaNode } from './structure.ts';

/** Returns the instructions of a node without control flow, including inner bodies. */
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

/** Whether `node` is a loop or contains one. */
export function containsLoop(node: IsaNode): boolean {
  switch (node.kind) {
    case 'loop':
      return true;
    case 'block':
      return node.body.some(containsLoop);
    case 'if':
      return node.then.some(containsLoop) || node.else.some(containsLoop);
    default:
      return false;
  }
}

/** Whether lanes may jump from inside `node` to a target outside it. */
export function mayLeave(node: IsaNode): boolean {
  return leavesTo(node, 0);
}

/** Whether `node`, inside `depth` targets of its own, has an exit or continue beyond those. */
function leavesTo(node: IsaNode, depth: number): boolean {
  switch (node.kind) {
    case 'straight':
      return false;
    case 'exit':
    case 'continue':
      return node.depth >= depth;
    case 'if':
      return [...node.then, ...node.else].some((inner) => leavesTo(inner, depth));
    case 'block':
    case 'loop':
      return node.body.some((inner) => leavesTo(inner, depth + 1));
  }
}

/** Whether lanes may discard inside `node`. */
export function mayDiscard(node: IsaNode): boolean {
  return instructionsOf(node).some(({ mnemonic }) => mnemonic === 'discard');
}
