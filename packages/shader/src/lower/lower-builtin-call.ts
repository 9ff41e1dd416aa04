/** Lowering of calls of built-in functions. */

import type { IrValue } from '../ir/ir.ts';
import { BUILTIN_FUNCTIONS } from '../operations/builtins/builtin-table.ts';
import { lowerBinary } from '../operations/lower-operators.ts';
import { componentCount } from '../operations/type-layout.ts';
import type { Expression } from '../tree/checked-tree.ts';
import { lowerInterpolation } from './lower-interpolation.ts';
import { lowerTarget } from './lower-place.ts';
import { isTextureFunction, lowerTextureCall } from './lower-texture-call.ts';
import type { Lowering } from './lowering.ts';
import { readPlace, wholePlace, writePlace } from './place.ts';

type Call = Expression & { kind: 'builtinCall' };

/** Lowers a call of a built-in function; returns the scalars of its result. */
export function lowerBuiltinCall(lowering: Lowering, call: Call): readonly IrValue[] {
  const { name } = call;
  if (isTextureFunction(name)) return lowerTextureCall(lowering, call);
  if (name === 'modf') return lowerModf(lowering, call);
  if (name === 'ftransform') return lowerFtransform(lowering);
  if (name.startsWith('interpolateAt')) return lowerInterpolation(lowering, call);
  const operands = call.arguments.map((argument) => lowering.lowerTyped(argument));
  // Noise is zero, as in all OpenGL implementations.
  if (/^noise[1-4]$/.test(name)) {
    return new Array(componentCount(call.type)).fill(lowering.builder.float(0));
  }
  const builtin = BUILTIN_FUNCTIONS.get(name);
  if (builtin === undefined) throw new Error(`built-in function ${name} has no lowering`);
  return builtin(lowering.builder, operands, call.type);
}

/**
 * Returns the fraction, with the sign of the argument. The integral part is stored in the second
 * argument.
 */
function lowerModf(lowering: Lowering, call: Call): readonly IrValue[] {
  const { builder } = lowering;
  const { values } = lowering.lowerTyped(call.arguments[0]!);
  const target = lowerTarget(lowering, call.arguments[1]!);
  const whole = values.map((value) => builder.operator('ftrunc', value));
  writePlace(builder, target, whole);
  return values.map((value, k) => {
    // Infinity minus itself would be NaN.
    const isWhole = builder.operator('feq', value, whole[k]!);
    const fraction = builder.operator('fsub', value, whole[k]!);
    return builder.select(isWhole, builder.float(0), fraction);
  });
}

/**
 * Returns gl_ModelViewProjectionMatrix × gl_Vertex, with the operation order of that expression.
 */
function lowerFtransform(lowering: Lowering): readonly IrValue[] {
  const { builder } = lowering;
  const matrixType = { kind: 'matrix', columns: 4, rows: 4 } as const;
  const vectorType = { kind: 'vector', base: 'float', size: 4 } as const;
  const read = (name: string, type: typeof matrixType | typeof vectorType) => ({
    type,
    values: readPlace(builder, wholePlace(lowering.builtinStorage(name, type))),
  });
  const matrix = read('gl_ModelViewProjectionMatrix', matrixType);
  return lowerBinary(builder, '*', matrix, read('gl_Vertex', vectorType));
}
