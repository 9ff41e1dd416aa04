/** Lowering of unary and binary operators on scalars, vectors, matrices and aggregates. */

import type { IrOperator, IrValue } from '../ir/ir.ts';
import type { IrBuilder } from '../ir/ir-builder.ts';
import type { BinaryOperator, UnaryOperator } from '../tree/checked-tree.ts';
import type { GlslType, ScalarBase } from '../tree/types.ts';
import { baseOf, scalarBases } from './type-layout.ts';

/** Type and scalars of a value. */
export interface TypedValues {
  readonly type: GlslType;
  readonly values: readonly IrValue[];
}

/** Returns the scalars of `operator operand`. */
export function lowerUnary(
  builder: IrBuilder,
  operator: UnaryOperator,
  operand: TypedValues,
): IrValue[] {
  const op = (): IrOperator | null => {
    switch (operator) {
      case '+':
        return null;
      case '-':
        return baseOf(operand.type) === 'float' ? 'fneg' : 'ineg';
      case '!':
        return 'bnot';
      case '~':
        return 'inot';
    }
  };
  const chosen = op();
  return operand.values.map((value) => (chosen === null ? value : builder.operator(chosen, value)));
}

/** Componentwise operators by base of the left operand, without comparisons. */
const ARITHMETIC: Readonly<
  Partial<Record<BinaryOperator, Partial<Record<ScalarBase, IrOperator>>>>
> = {
  '+': { float: 'fadd', int: 'iadd', uint: 'iadd' },
  '-': { float: 'fsub', int: 'isub', uint: 'isub' },
  '*': { float: 'fmul', int: 'imul', uint: 'imul' },
  '/': { float: 'fdiv', int: 'idiv', uint: 'udiv' },
  '%': { int: 'irem', uint: 'urem' },
  '<<': { int: 'ishl', uint: 'ishl' },
  '>>': { int: 'ishr', uint: 'ushr' },
  '&': { int: 'iand', uint: 'iand' },
  '|': { int: 'ior', uint: 'ior' },
  '^': { int: 'ixor', uint: 'ixor' },
  '&&': { bool: 'band' },
  '||': { bool: 'bor' },
  '^^': { bool: 'bxor' },
};

const ORDER: Readonly<Partial<Record<ScalarBase, { less: IrOperator; lessOrEqual: IrOperator }>>> =
  {
    float: { less: 'flt', lessOrEqual: 'fle' },
    int: { less: 'ilt', lessOrEqual: 'ile' },
    uint: { less: 'ult', lessOrEqual: 'ule' },
  };

/** Returns the scalars of `left operator right`. */
export function lowerBinary(
  builder: IrBuilder,
  operator: BinaryOperator,
  left: TypedValues,
  right: TypedValues,
): IrValue[] {
  switch (operator) {
    case '==':
      return [allEqual(builder, left, right)];
    case '!=':
      return [builder.operator('bnot', allEqual(builder, left, right))];
    case '<':
    case '>':
    case '<=':
    case '>=':
      return [compare(builder, operator, baseOf(left.type), left.values[0]!, right.values[0]!)];
    case '*':
      if (left.type.kind === 'matrix' || right.type.kind === 'matrix') {
        return multiplyMatrices(builder, left, right);
      }
  }
  const op = ARITHMETIC[operator]?.[baseOf(left.type)];
  if (op === undefined) throw new Error(`operator ${operator} of ${baseOf(left.type)} operands`);
  return zip(left.values, right.values, (a, b) => builder.operator(op, a, b));
}

/** Combines scalars pairwise; a single scalar is paired with each scalar of the other side. */
export function zip(
  left: readonly IrValue[],
  right: readonly IrValue[],
  combine: (a: IrValue, b: IrValue) => IrValue,
): IrValue[] {
  const count = Math.max(left.length, right.length);
  return Array.from({ length: count }, (_, k) =>
    combine(left.length === 1 ? left[0]! : left[k]!, right.length === 1 ? right[0]! : right[k]!),
  );
}

/** Returns the ordered comparison of two scalars. */
export function compare(
  builder: IrBuilder,
  operator: '<' | '>' | '<=' | '>=',
  base: ScalarBase,
  a: IrValue,
  b: IrValue,
): IrValue {
  const ops = ORDER[base]!;
  const op = operator === '<' || operator === '>' ? ops.less : ops.lessOrEqual;
  return operator === '<' || operator === '<='
    ? builder.operator(op, a, b)
    : builder.operator(op, b, a);
}

/** Returns the equality of two scalars. */
export function equalScalars(
  builder: IrBuilder,
  base: ScalarBase,
  a: IrValue,
  b: IrValue,
): IrValue {
  if (base === 'bool') return builder.operator('bnot', builder.operator('bxor', a, b));
  return builder.operator(base === 'float' ? 'feq' : 'ieq', a, b);
}

function allEqual(builder: IrBuilder, left: TypedValues, right: TypedValues): IrValue {
  return scalarBases(left.type)
    .map((base, k) => equalScalars(builder, base, left.values[k]!, right.values[k]!))
    .reduce((all, one) => builder.operator('band', all, one), builder.bool(true));
}

/** Returns Σ aᵢ bᵢ, summed from the left. */
export function dotProduct(
  builder: IrBuilder,
  a: readonly IrValue[],
  b: readonly IrValue[],
): IrValue {
  return a
    .map((value, k) => builder.operator('fmul', value, b[k]!))
    .reduce((sum, product) => builder.operator('fadd', sum, product));
}

function multiplyMatrices(builder: IrBuilder, left: TypedValues, right: TypedValues): IrValue[] {
  if (left.values.length === 1 || right.values.length === 1) {
    return zip(left.values, right.values, (a, b) => builder.operator('fmul', a, b));
  }
  // A vector on the left is a row, on the right a column.
  const leftRows = left.type.kind === 'matrix' ? left.type.rows : 1;
  const inner = left.values.length / leftRows;
  const rightColumns = right.values.length / inner;
  const result: IrValue[] = [];
  for (let column = 0; column < rightColumns; column++) {
    const columnValues = right.values.slice(column * inner, (column + 1) * inner);
    for (let row = 0; row < leftRows; row++) {
      const rowValues = Array.from({ length: inner }, (_, k) => left.values[k * leftRows + row]!);
      result.push(dotProduct(builder, rowValues, columnValues));
    }
  }
  return result;
}
