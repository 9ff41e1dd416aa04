/** The rules of IR, checked: for tests after each pass. */

import type { IrValue } from './ir.ts';
import { BUILTIN_INPUTS, IR_OPERATORS, type IrNode, type IrProgram, type IrRegion } from './ir.ts';
import { operandsOf, resultsOf } from './regions.ts';

/**
 * Checks that each value is defined once, before its uses and in a region around them, that types match
 * and that labels, variables and arrays exist.
 *
 * @throws {Error} With the first broken rule; that is a bug of the pass that made the program.
 */
export function validateIr(program: IrProgram): void {
  const defined = new Map<number, IrValue>();
  const inScope = new Set<number>();
  const labels = new Map<number, 'block' | 'loop'>();
  const usedLabels = new Set<number>();

  const fail = (node: IrNode, rule: string): never => {
    throw new Error(`IR of the ${program.stage} stage: ${node.kind}: ${rule}`);
  };
  const expectType = (node: IrNode, value: IrValue, type: string): void => {
    if (value.type !== type) fail(node, `value ${value.id} is ${value.type}, not ${type}`);
  };

  function checkNode(node: IrNode): void {
    for (const operand of operandsOf(node)) {
      if (!inScope.has(operand.id)) fail(node, `value ${operand.id} is not defined here`);
      const { type } = defined.get(operand.id)!;
      if (type !== operand.type) fail(node, `value ${operand.id} is used as ${operand.type}`);
    }
    switch (node.kind) {
      case 'operator': {
        const { operands, result } = IR_OPERATORS[node.op];
        if (operands.length !== node.operands.length) fail(node, `${node.op}: operand count`);
        operands.forEach((type, k) => {
          expectType(node, node.operands[k]!, type);
        });
        expectType(node, node.result, result);
        break;
      }
      case 'uniform':
        if (node.index !== null) expectType(node, node.index, 'i32');
        break;
      case 'builtinInput':
        expectType(node, node.result, BUILTIN_INPUTS[node.name]);
        break;
      case 'readVariable':
        expectType(node, node.result, program.variables[node.variable] ?? 'no variable');
        break;
      case 'writeVariable':
        expectType(node, node.value, program.variables[node.variable] ?? 'no variable');
        break;
      case 'readArray':
        expectType(node, node.index, 'i32');
        expectType(node, node.result, program.arrays[node.array]?.type ?? 'no array');
        break;
      case 'writeArray':
        expectType(node, node.index, 'i32');
        expectType(node, node.value, program.arrays[node.array]?.type ?? 'no array');
        break;
      case 'if':
        expectType(node, node.condition, 'bool');
        break;
      case 'exit':
        if (!labels.has(node.label)) fail(node, `label ${node.label} is not around it`);
        break;
      case 'continue':
        if (labels.get(node.label) !== 'loop')
          fail(node, `label ${node.label} is no loop around it`);
        break;
    }
    for (const result of resultsOf(node)) {
      if (defined.has(result.id)) fail(node, `value ${result.id} is defined twice`);
      if (result.id >= program.valueCount) fail(node, `value ${result.id} is out of range`);
      defined.set(result.id, result);
      inScope.add(result.id);
    }
  }

  function checkRegion(region: IrRegion): void {
    const own: number[] = [];
    region.forEach((node, k) => {
      const isLast = k === region.length - 1;
      if ((node.kind === 'exit' || node.kind === 'continue') && !isLast) fail(node, 'not the last');
      checkNode(node);
      own.push(...resultsOf(node).map(({ id }) => id));
      if (node.kind === 'if') {
        checkRegion(node.then);
        checkRegion(node.else);
      } else if (node.kind === 'block' || node.kind === 'loop') {
        if (usedLabels.has(node.label)) fail(node, `label ${node.label} is used twice`);
        usedLabels.add(node.label);
        labels.set(node.label, node.kind);
        checkRegion(node.body);
        labels.delete(node.label);
      }
    });
    for (const id of own) inScope.delete(id);
  }
  checkRegion(program.body);
}
