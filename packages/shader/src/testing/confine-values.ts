/**
 * Confines values of random IR to their regions. Random IR may use a value after the loop that
 * defines it, if the definition dominates. Lowering never does, and the passes rely on uses in the
 * defining region and those inside.
 */
import type { IrNode, IrProgram, IrRegion, IrValue } from '../ir/ir.ts';
import { operandsOf, regionsOf, resultsOf, withOperands } from '../ir/regions.ts';

/** Returns `program` with values that are used outside their region carried in variables. */
export function confineValues(program: IrProgram): IrProgram {
  const escaping = findEscaping(program.body);
  const variables = [...program.variables];
  const variableOf = new Map<number, number>();
  for (const value of escaping.values()) variableOf.set(value.id, variables.push(value.type) - 1);
  let valueCount = program.valueCount;

  const rewrite = (region: IrRegion, outer: ReadonlySet<number>): IrRegion => {
    const visible = new Set(outer);
    const result: IrNode[] = [];
    for (const node of region) {
      const rewritten = withOperands(node, (value) => {
        if (visible.has(value.id)) return value;
        const copy = { id: valueCount++, type: value.type };
        result.push({ kind: 'readVariable', result: copy, variable: variableOf.get(value.id)! });
        return copy;
      });
      result.push(rewriteInner(rewritten, visible));
      for (const value of resultsOf(node)) {
        visible.add(value.id);
        const variable = variableOf.get(value.id);
        if (variable !== undefined) result.push({ kind: 'writeVariable', variable, value });
      }
    }
    return result;
  };
  const rewriteInner = (node: IrNode, visible: ReadonlySet<number>): IrNode => {
    if (node.kind === 'if') {
      return { ...node, then: rewrite(node.then, visible), else: rewrite(node.else, visible) };
    }
    if (node.kind === 'block' || node.kind === 'loop') {
      return { ...node, body: rewrite(node.body, visible) };
    }
    return node;
  };
  const body = rewrite(program.body, new Set());
  return { ...program, body, variables, valueCount };
}

/** Returns the values that are used outside their region. */
function findEscaping(body: IrRegion): Map<number, IrValue> {
  const escaping = new Map<number, IrValue>();
  const visit = (region: IrRegion, outer: ReadonlySet<number>): void => {
    const visible = new Set(outer);
    for (const node of region) {
      for (const value of operandsOf(node)) {
        if (!visible.has(value.id)) escaping.set(value.id, value);
      }
      for (const inner of regionsOf(node)) visit(inner, visible);
      for (const { id } of resultsOf(node)) visible.add(id);
    }
  };
  visit(body, new Set());
  return escaping;
}
