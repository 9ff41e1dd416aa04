/** Validation of IR, for tests after each pass. */

import type { IrValue } from './ir.ts';
import { BUILTIN_INPUTS, IR_OPERATORS, type IrNode, type IrProgram, type IrRegion } from './ir.ts';
import { operandsOf, resultsOf } from './regions.ts';

/**
 * Checks that each value is defined once, before its uses and in an enclosing region, that types
 * match, and that labels, variables and arrays exist.
 *
 * @throws {Error} With the first violated rule, which is a bug of the pass that produced the
 *   program.
 */
export function validateIr(program: IrProgram): void {
  new IrValidator(program).run();
}

class IrValidator {
  readonly #program: IrProgram;
  readonly #defined = new Map<number, IrValue>();
  readonly #inScope = new Set<number>();
  readonly #labels = new Map<number, 'block' | 'loop'>();
  readonly #usedLabels = new Set<number>();

  constructor(program: IrProgram) {
    this.#program = program;
  }

  run(): void {
    this.#checkRegion(this.#program.body);
  }

  #checkNode(node: IrNode): void {
    for (const operand of operandsOf(node)) {
      if (!this.#inScope.has(operand.id))
        this.#fail(node, `value ${operand.id} is not defined here`);
      const { type } = this.#defined.get(operand.id)!;
      if (type !== operand.type) this.#fail(node, `value ${operand.id} is used as ${operand.type}`);
    }
    this.#checkKind(node);
    for (const result of resultsOf(node)) {
      if (this.#defined.has(result.id)) this.#fail(node, `value ${result.id} is defined twice`);
      if (result.id >= this.#program.valueCount)
        this.#fail(node, `value ${result.id} is out of range`);
      this.#defined.set(result.id, result);
      this.#inScope.add(result.id);
    }
  }

  #checkRegion(region: IrRegion): void {
    const own: number[] = [];
    region.forEach((node, k) => {
      const isLast = k === region.length - 1;
      if ((node.kind === 'exit' || node.kind === 'continue') && !isLast)
        this.#fail(node, 'is not the last node of its region');
      this.#checkNode(node);
      own.push(...resultsOf(node).map(({ id }) => id));
      if (node.kind === 'if') {
        this.#checkRegion(node.then);
        this.#checkRegion(node.else);
      } else if (node.kind === 'block' || node.kind === 'loop') {
        if (this.#usedLabels.has(node.label)) this.#fail(node, `label ${node.label} is used twice`);
        this.#usedLabels.add(node.label);
        this.#labels.set(node.label, node.kind);
        this.#checkRegion(node.body);
        this.#labels.delete(node.label);
      }
    });
    for (const id of own) this.#inScope.delete(id);
  }

  /** Checks the rules specific to the node's kind. */
  #checkKind(node: IrNode): void {
    switch (node.kind) {
      case 'operator': {
        const { operands, result } = IR_OPERATORS[node.op];
        if (operands.length !== node.operands.length) this.#fail(node, `${node.op}: operand count`);
        operands.forEach((type, k) => {
          this.#expectType(node, node.operands[k]!, type);
        });
        this.#expectType(node, node.result, result);
        break;
      }
      case 'uniform':
        if (node.index !== null) this.#expectType(node, node.index, 'i32');
        break;
      case 'builtinInput':
        this.#expectType(node, node.result, BUILTIN_INPUTS[node.name]);
        break;
      case 'readVariable':
        this.#expectType(
          node,
          node.result,
          this.#program.variables[node.variable] ?? 'no variable',
        );
        break;
      case 'writeVariable':
        this.#expectType(node, node.value, this.#program.variables[node.variable] ?? 'no variable');
        break;
      case 'readArray':
        this.#expectType(node, node.index, 'i32');
        this.#expectType(node, node.result, this.#program.arrays[node.array]?.type ?? 'no array');
        break;
      case 'writeArray':
        this.#expectType(node, node.index, 'i32');
        this.#expectType(node, node.value, this.#program.arrays[node.array]?.type ?? 'no array');
        break;
      case 'if':
        this.#expectType(node, node.condition, 'bool');
        break;
      case 'exit':
        if (!this.#labels.has(node.label))
          this.#fail(node, `label ${node.label} is not an enclosing target`);
        break;
      case 'continue':
        if (this.#labels.get(node.label) !== 'loop')
          this.#fail(node, `label ${node.label} is not an enclosing loop`);
        break;
    }
  }

  #expectType(node: IrNode, value: IrValue, type: string): void {
    if (value.type !== type) this.#fail(node, `value ${value.id} is ${value.type}, not ${type}`);
  }

  #fail(node: IrNode, rule: string): never {
    throw new Error(`IR of the ${this.#program.stage} stage: ${node.kind}: ${rule}`);
  }
}
