/**
 * Merges a multiplication into the addition that uses its result, if there is only one use. `fmad`
 * rounds twice, so the result is equal.
 */
import type { IrNode, IrProgram, IrRegion } from '../ir.ts';
import { forEachNode, operandsOf } from '../regions.ts';

/**
 * Returns `program` with pairs of fmul and fadd merged. The fmul nodes are left for dead code
 * removal.
 */
export function formMads(program: IrProgram): IrProgram {
  const useCounts = new Uint32Array(program.valueCount);
  const products = new Map<number, IrNode & { kind: 'operator' }>();
  forEachNode(program.body, (node) => {
    for (const { id } of operandsOf(node)) useCounts[id]!++;
    if (node.kind === 'operator' && node.op === 'fmul') products.set(node.result.id, node);
  });
  const rewriteNode = (node: IrNode): IrNode => {
    switch (node.kind) {
      case 'operator': {
        if (node.op !== 'fadd') return node;
        const at = node.operands.findIndex(({ id }) => useCounts[id] === 1 && products.has(id));
        if (at < 0) return node;
        const product = products.get(node.operands[at]!.id)!;
        return { ...node, op: 'fmad', operands: [...product.operands, node.operands[1 - at]!] };
      }
      case 'if':
        return { ...node, then: rewrite(node.then), else: rewrite(node.else) };
      case 'block':
      case 'loop':
        return { ...node, body: rewrite(node.body) };
      default:
        return node;
    }
  };
  const rewrite = (region: IrRegion): IrRegion => region.map(rewriteNode);
  return { ...program, body: rewrite(program.body) };
}
