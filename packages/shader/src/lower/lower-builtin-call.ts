/** Calls of built-in functions, by name. */

import type { IrValue } from '../ir/ir.ts';
import { BUILTIN_FUNCTIONS } from '../operations/builtins/builtin-table.ts';
import { lowerBinary } from '../operations/lower-operators.ts';
import { componentCount } from '../operations/type-layout.ts';
import type { Expression } from '../tree/checked-tree.ts';
import { lowerTarget } from './lower-place.ts';
import { isTextureFunction, lowerTextureCall } from './lower-texture-call.ts';
import type { Lowering } from './lowering.ts';
import { readPlace, wholePlace, writePlace } from './place.ts';

type Call = Expression & { kind: 'builtinCall' };

export function lowerBuiltinCall(lowering: Lowering, call: Call): readonly IrValue[] {
  const { name } = call;
  if (isTextureFunction(name)) return lowerTextureCall(lowering, call);
  if (name === 'modf') return lowerModf(lowering, call);
  if (name === 'ftransform') return lowerFtransform(lowering);
  const operands = call.arguments.map((argument) => lowering.lowerTyped(argument));
  // As in all OpenGL implementations: noise is zero.
  if (/^noise[1-4]$/.test(name)) {
    return new Array(componentCount(call.type)).fill(lowering.builder.float(0));
  }
  const builtin = BUILTIN_FUNCTIONS.get(name);
  if (builtin === undefined) throw new Error(`built-in function ${name} has no lowering`);
  return builtin(lowering.builder, operands, call.type);
}

/** The fraction, with the sign of the argument; the whole part goes to the second argument. */
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

/** gl_ModelViewProjectionMatrix × gl_Vertex, in the order of operations of that expression. */
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
