/**
 * Moves constants to the start of products: (a × b) × c → (a × c) × b. Mesa's compiler does the
 * same, so images agree with it to the last bit. The rounding changes, so the pass applies only to
 * fragment shaders, whose results no other program has to reproduce. GLSL leaves the order of such
 * a product open unless a result is `invariant`.
 */
import type { IrNode, IrProgram, IrRegion, IrValue } from '../ir.ts';
import { forEachNode, operandsOf } from '../regions.ts';

type Product = IrNode & { kind: 'operator' };

/** Returns `program` with constants moved, or `program` itself if there are none to move. */
export function gatherConstants(program: IrProgram): IrProgram {
  const constants = new Set<number>();
  const products = new Map<number, Product>();
  const useCounts = new Uint32Array(program.valueCount);
  forEachNode(program.body, (node) => {
    for (const { id } of operandsOf(node)) useCounts[id]!++;
    if (node.kind === 'constant') constants.add(node.result.id);
    if (node.kind === 'operator' && node.op === 'fmul') products.set(node.result.id, node);
  });
  let valueCount = program.valueCount;
  let hasMoved = false;

  /** Returns the nodes that replace `node`. */
  const move = (node: Product): readonly Product[] => {
    const at = node.operands.findIndex(({ id }) => constants.has(id));
    if (at < 0) return [node];
    const inner = products.get(node.operands[1 - at]!.id);
    if (inner === undefined || useCounts[inner.result.id] !== 1) return [node];
    const [a, b] = inner.operands as readonly [IrValue, IrValue];
    if (constants.has(a.id) || constants.has(b.id)) return [node];
    hasMoved = true;
    const scaled: Product = {
      ...node,
      result: { ...node.result, id: valueCount++ },
      operands: [a, node.operands[at]!],
    };
    const moved: Product = { ...node, operands: [scaled.result, b] };
    products.set(moved.result.id, moved);
    // The scaled operand may be a product itself.
    return [...move(scaled), moved];
  };
  const rewriteNode = (node: IrNode): readonly IrNode[] => {
    switch (node.kind) {
      case 'operator':
        return node.op === 'fmul' ? move(node) : [node];
      case 'if':
        return [{ ...node, then: rewrite(node.then), else: rewrite(node.else) }];
      case 'block':
      case 'loop':
        return [{ ...node, body: rewrite(node.body) }];
      default:
        return [node];
    }
  };
  const rewrite = (region: IrRegion): IrRegion => region.flatMap(rewriteNode);
  const body = rewrite(program.body);
  return hasMoved ? { ...program, body, valueCount } : program;
}
