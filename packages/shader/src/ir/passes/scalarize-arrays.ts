/** Turns arrays that are indexed only by constants, such as after unrolling, into variables. */
import type { IrNode, IrProgram, IrType } from '../ir.ts';
import { forEachNode, rewriteNodes } from '../regions.ts';

/**
 * Returns `program` with such arrays replaced. Elements outside the array follow the rules of array
 * nodes.
 */
export function scalarizeArrays(program: IrProgram): IrProgram {
  if (program.arrays.length === 0) return program;
  const constants = new Map<number, number>();
  const isDynamic = new Set<number>();
  const isUsed = new Set<number>();
  forEachNode(program.body, (node) => {
    if (node.kind === 'constant') constants.set(node.result.id, node.bits);
    if (node.kind === 'readArray' || node.kind === 'writeArray') {
      isUsed.add(node.array);
      if (!constants.has(node.index.id)) isDynamic.add(node.array);
    }
  });
  const variables: IrType[] = [...program.variables];
  const firstVariable = new Map<number, number>();
  program.arrays.forEach(({ type, length }, array) => {
    if (isDynamic.has(array) || !isUsed.has(array)) return;
    firstVariable.set(array, variables.length);
    for (let k = 0; k < length; k++) variables.push(type);
  });
  if (firstVariable.size === 0) return program;

  const rewriteNode = (node: IrNode): IrNode | null => {
    switch (node.kind) {
      case 'readArray':
      case 'writeArray': {
        const { line } = node;
        const first = firstVariable.get(node.array);
        if (first === undefined) return node;
        const { length } = program.arrays[node.array]!;
        const index = constants.get(node.index.id)!;
        if (node.kind === 'readArray') {
          const nearest = Math.min(Math.max(index, 0), length - 1);
          return { kind: 'readVariable', result: node.result, variable: first + nearest, line };
        }
        if (index < 0 || index >= length) return null;
        return { kind: 'writeVariable', variable: first + index, value: node.value, line };
      }
      default:
        return node;
    }
  };
  return { ...program, body: rewriteNodes(program.body, rewriteNode), variables };
}
