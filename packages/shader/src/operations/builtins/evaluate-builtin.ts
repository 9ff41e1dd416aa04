/** Evaluation of built-in functions with constant arguments, by folding their instructions. */

import type { IrValue } from '../../ir/ir.ts';
import { IrBuilder } from '../../ir/ir-builder.ts';
import type { ConstantValue } from '../../tree/checked-tree.ts';
import { baseOf } from '../../tree/type-rules.ts';
import type { GlslType, ScalarBase } from '../../tree/types.ts';
import { BUILTIN_FUNCTIONS } from './builtin-table.ts';

/**
 * Returns the value of a built-in function; `null` if it depends on more than constant arguments.
 */
export function evaluateBuiltin(
  name: string,
  returnType: GlslType,
  args: readonly { readonly type: GlslType; readonly value: ConstantValue }[],
): ConstantValue | null {
  const builtin = BUILTIN_FUNCTIONS.get(name);
  const resultBase = baseOf(returnType);
  if (builtin === undefined || resultBase === null) return null;
  const builder = new IrBuilder();
  const operands = args.map(({ type, value }) => ({
    type,
    values: value.map((scalar) => constantOf(builder, baseOf(type), scalar)),
  }));
  const result: number[] = [];
  for (const value of builtin(builder, operands, returnType)) {
    const number = builder.constantNumber(value);
    if (number === null) return null;
    result.push(asBase(resultBase, number));
  }
  return result;
}

function constantOf(builder: IrBuilder, base: ScalarBase | null, scalar: number): IrValue {
  if (base === 'float') return builder.float(scalar);
  return base === 'bool' ? builder.bool(scalar !== 0) : builder.int(scalar);
}

function asBase(base: ScalarBase, number: number): number {
  if (base === 'bool') return number === 0 ? 0 : 1;
  return base === 'uint' ? number >>> 0 : number;
}
