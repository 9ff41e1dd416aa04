/** Geometric functions (GLSL ES 3.00, 8.5) and vector relational functions (8.7). */

import type { IrValue } from '../../ir/ir.ts';
import type { IrBuilder } from '../../ir/ir-builder.ts';
import { compare, dotProduct, equalScalars, zip } from '../lower-operators.ts';
import { baseOf } from '../type-layout.ts';
import type { BuiltinFunction } from './builtin-function.ts';

type Vector = readonly IrValue[];

function lengthOf(builder: IrBuilder, v: Vector): IrValue {
  if (v.length === 1) return builder.operator('fabs', v[0]!);
  return builder.operator('fsqrt', dotProduct(builder, v, v));
}

const scale = (builder: IrBuilder, v: Vector, factor: IrValue): IrValue[] =>
  v.map((value) => builder.operator('fmul', value, factor));
const subtract = (builder: IrBuilder, a: Vector, b: Vector): IrValue[] =>
  zip(a, b, (x, y) => builder.operator('fsub', x, y));

const cross: BuiltinFunction = (builder, operands) => {
  const [a, b] = operands.map(({ values }) => values) as [Vector, Vector];
  return [0, 1, 2].map((k) => {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    return builder.operator(
      'fsub',
      builder.operator('fmul', a[i]!, b[j]!),
      builder.operator('fmul', a[j]!, b[i]!),
    );
  });
};

const normalize: BuiltinFunction = (builder, operands) => {
  const v = operands[0]!.values;
  return scale(builder, v, builder.operator('frsq', dotProduct(builder, v, v)));
};

const faceforward: BuiltinFunction = (builder, operands) => {
  const [n, incident, reference] = operands.map(({ values }) => values) as [Vector, Vector, Vector];
  const dot = dotProduct(builder, reference, incident);
  const isFacing = builder.operator('flt', dot, builder.float(0));
  return n.map((value) => builder.select(isFacing, value, builder.operator('fneg', value)));
};

/** I − 2 (N·I) N */
const reflect: BuiltinFunction = (builder, operands) => {
  const [incident, n] = operands.map(({ values }) => values) as [Vector, Vector];
  const twice = builder.operator('fmul', builder.float(2), dotProduct(builder, n, incident));
  return subtract(builder, incident, scale(builder, n, twice));
};

/** η I − (η (N·I) + √k) N with k = 1 − η² (1 − (N·I)²); zero if k < 0. */
const refract: BuiltinFunction = (builder, operands) => {
  const [incident, n, [eta]] = operands.map(({ values }) => values) as [Vector, Vector, Vector];
  const one = builder.float(1);
  const dot = dotProduct(builder, n, incident);
  const sine2 = builder.operator('fsub', one, builder.operator('fmul', dot, dot));
  const eta2 = builder.operator('fmul', eta!, eta!);
  const k = builder.operator('fsub', one, builder.operator('fmul', eta2, sine2));
  const factor = builder.operator(
    'fadd',
    builder.operator('fmul', eta!, dot),
    builder.operator('fsqrt', k),
  );
  const refracted = subtract(builder, scale(builder, incident, eta!), scale(builder, n, factor));
  const isTotal = builder.operator('flt', k, builder.float(0));
  return refracted.map((value) => builder.select(isTotal, builder.float(0), value));
};

const relational =
  (operator: '<' | '>' | '<=' | '>='): BuiltinFunction =>
  (builder, [left, right]) =>
    zip(left!.values, right!.values, (a, b) =>
      compare(builder, operator, baseOf(left!.type), a, b),
    );

const equality =
  (isEqual: boolean): BuiltinFunction =>
  (builder, [left, right]) =>
    zip(left!.values, right!.values, (a, b) => {
      const equal = equalScalars(builder, baseOf(left!.type), a, b);
      return isEqual ? equal : builder.operator('bnot', equal);
    });

const combine =
  (op: 'band' | 'bor'): BuiltinFunction =>
  (builder, [operand]) => [operand!.values.reduce((a, b) => builder.operator(op, a, b))];

/** Geometric and relational functions by name. */
export const GEOMETRIC_FUNCTIONS: Readonly<Record<string, BuiltinFunction>> = {
  length: (builder, [v]) => [lengthOf(builder, v!.values)],
  distance: (builder, [a, b]) => [lengthOf(builder, subtract(builder, a!.values, b!.values))],
  dot: (builder, [a, b]) => [dotProduct(builder, a!.values, b!.values)],
  cross,
  normalize,
  faceforward,
  reflect,
  refract,
  lessThan: relational('<'),
  lessThanEqual: relational('<='),
  greaterThan: relational('>'),
  greaterThanEqual: relational('>='),
  equal: equality(true),
  notEqual: equality(false),
  any: combine('bor'),
  all: combine('band'),
  not: (builder, [operand]) => operand!.values.map((value) => builder.operator('bnot', value)),
};
