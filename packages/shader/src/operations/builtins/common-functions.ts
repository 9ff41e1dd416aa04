/** Common functions (GLSL ES 3.00, 8.3), and reinterpretation of floats and integers. */

import type { IrValue } from '../../ir/ir.ts';
import type { IrBuilder } from '../../ir/ir-builder.ts';
import { type BuiltinFunction, byBase, componentwise } from './builtin-function.ts';

const floatSign = (builder: IrBuilder, x: IrValue): IrValue => {
  const zero = builder.float(0);
  const notPositive = builder.select(builder.operator('flt', x, zero), builder.float(-1), zero);
  return builder.select(builder.operator('flt', zero, x), builder.float(1), notPositive);
};

const intSign = (builder: IrBuilder, x: IrValue): IrValue =>
  builder.operator('imin', builder.operator('imax', x, builder.int(-1)), builder.int(1));

const intAbs = (builder: IrBuilder, x: IrValue): IrValue =>
  builder.operator('imax', x, builder.operator('ineg', x));

/**
 * Returns min(max(low, x), high) with the operators of a base type. A NaN becomes `low`, as on
 * GPUs, because the operators return their first source. Shaders clamp terms that are NaN for some
 * directions, such as a product with the half vector of opposite directions.
 */
const clampWith = (min: 'fmin' | 'imin' | 'umin', max: 'fmax' | 'imax' | 'umax') =>
  componentwise((builder, x, low, high) =>
    builder.operator(min, builder.operator(max, low!, x!), high!),
  );

const fract = (builder: IrBuilder, x: IrValue): IrValue =>
  builder.operator('fsub', x, builder.operator('ffloor', x));

const modulo = (builder: IrBuilder, x: IrValue, y: IrValue): IrValue => {
  const quotient = builder.operator('ffloor', builder.operator('fdiv', x, y));
  return builder.operator('fsub', x, builder.operator('fmul', y, quotient));
};

/** Returns x (1 − a) + y a. */
const mixFloat = (builder: IrBuilder, x: IrValue, y: IrValue, a: IrValue): IrValue => {
  const rest = builder.operator('fsub', builder.float(1), a);
  return builder.operator(
    'fadd',
    builder.operator('fmul', x, rest),
    builder.operator('fmul', y, a),
  );
};

const mix: BuiltinFunction = (builder, operands, type) => {
  const isChoice = operands[2]!.values[0]!.type === 'bool';
  const form = componentwise((b, x, y, a) =>
    isChoice ? b.select(a!, y!, x!) : mixFloat(b, x!, y!, a!),
  );
  return form(builder, operands, type);
};

const step = (builder: IrBuilder, edge: IrValue, x: IrValue): IrValue =>
  builder.select(builder.operator('flt', x, edge), builder.float(0), builder.float(1));

/** Returns t² (3 − 2 t) with t = (x − a) / (b − a), clamped to [0, 1]. */
const smoothstep = (builder: IrBuilder, a: IrValue, b: IrValue, x: IrValue): IrValue => {
  const ratio = builder.operator(
    'fdiv',
    builder.operator('fsub', x, a),
    builder.operator('fsub', b, a),
  );
  const t = builder.operator(
    'fmin',
    builder.operator('fmax', builder.float(0), ratio),
    builder.float(1),
  );
  const twice = builder.operator('fmul', builder.float(2), t);
  const factor = builder.operator('fsub', builder.float(3), twice);
  return builder.operator('fmul', builder.operator('fmul', t, t), factor);
};

const isInfinite = (builder: IrBuilder, x: IrValue): IrValue =>
  builder.operator('feq', builder.operator('fabs', x), builder.float(Number.POSITIVE_INFINITY));

/** Common functions by name. `modf` is absent because it writes an argument. */
export const COMMON_FUNCTIONS: Readonly<Record<string, BuiltinFunction>> = {
  abs: byBase({
    float: componentwise((b, x) => b.operator('fabs', x!)),
    int: componentwise((b, x) => intAbs(b, x!)),
  }),
  sign: byBase({
    float: componentwise((b, x) => floatSign(b, x!)),
    int: componentwise((b, x) => intSign(b, x!)),
  }),
  floor: componentwise((b, x) => b.operator('ffloor', x!)),
  ceil: componentwise((b, x) => b.operator('fceil', x!)),
  trunc: componentwise((b, x) => b.operator('ftrunc', x!)),
  truncate: componentwise((b, x) => b.operator('ftrunc', x!)),
  round: componentwise((b, x) => b.operator('fnearest', x!)),
  roundEven: componentwise((b, x) => b.operator('fnearest', x!)),
  fract: componentwise((b, x) => fract(b, x!)),
  mod: componentwise((b, x, y) => modulo(b, x!, y!)),
  min: byBase({
    float: componentwise((b, x, y) => b.operator('fmin', x!, y!)),
    int: componentwise((b, x, y) => b.operator('imin', x!, y!)),
    uint: componentwise((b, x, y) => b.operator('umin', x!, y!)),
  }),
  max: byBase({
    float: componentwise((b, x, y) => b.operator('fmax', x!, y!)),
    int: componentwise((b, x, y) => b.operator('imax', x!, y!)),
    uint: componentwise((b, x, y) => b.operator('umax', x!, y!)),
  }),
  clamp: byBase({
    float: clampWith('fmin', 'fmax'),
    int: clampWith('imin', 'imax'),
    uint: clampWith('umin', 'umax'),
  }),
  mix,
  step: componentwise((b, edge, x) => step(b, edge!, x!)),
  smoothstep: componentwise((b, low, high, x) => smoothstep(b, low!, high!, x!)),
  isnan: componentwise((b, x) => b.operator('fne', x!, x!)),
  isinf: componentwise((b, x) => isInfinite(b, x!)),
  floatBitsToInt: componentwise((b, x) => b.operator('f32AsI32', x!)),
  floatBitsToUint: componentwise((b, x) => b.operator('f32AsI32', x!)),
  intBitsToFloat: componentwise((b, x) => b.operator('i32AsF32', x!)),
  uintBitsToFloat: componentwise((b, x) => b.operator('i32AsF32', x!)),
  dFdx: componentwise((b, x) => derivative(b, 'fddx', x!)),
  dFdy: componentwise((b, x) => derivative(b, 'fddy', x!)),
  fwidth: componentwise((b, x) =>
    b.operator(
      'fadd',
      b.operator('fabs', derivative(b, 'fddx', x!)),
      b.operator('fabs', derivative(b, 'fddy', x!)),
    ),
  ),
};

/** Returns a difference between pixels. That of a constant is 0 (GLSL 1.20, section 4.3.3). */
function derivative(b: IrBuilder, operator: 'fddx' | 'fddy', x: IrValue): IrValue {
  return b.constantNumber(x) === null ? b.operator(operator, x) : b.float(0);
}
