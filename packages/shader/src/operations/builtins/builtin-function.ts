/** Lowering of built-in functions whose arguments are values. */

import type { IrValue } from '../../ir/ir.ts';
import type { IrBuilder } from '../../ir/ir-builder.ts';
import type { GlslType } from '../../tree/types.ts';
import type { TypedValues } from '../lower-operators.ts';
import { baseOf } from '../type-layout.ts';

/** Emits a call of a function whose arguments are values; returns the scalars of the result. */
export type BuiltinFunction = (
  builder: IrBuilder,
  operands: readonly TypedValues[],
  type: GlslType,
) => readonly IrValue[];

/**
 * Returns a function that applies `emit` to each component; single scalars are paired with every
 * component.
 */
export function componentwise(
  emit: (builder: IrBuilder, ...scalars: IrValue[]) => IrValue,
): BuiltinFunction {
  return (builder, operands) => {
    const count = Math.max(...operands.map(({ values }) => values.length));
    return Array.from({ length: count }, (_, k) =>
      emit(
        builder,
        ...operands.map(({ values }) => (values.length === 1 ? values[0]! : values[k]!)),
      ),
    );
  };
}

/** Returns a function that differs by the base type of its first argument. */
export function byBase(
  forms: Readonly<Partial<Record<'float' | 'int' | 'uint' | 'bool', BuiltinFunction>>>,
): BuiltinFunction {
  return (builder, operands, type) => {
    const base = baseOf(operands[0]!.type);
    const form = forms[base];
    if (form === undefined) throw new Error(`the built-in function has no overload for ${base}`);
    return form(builder, operands, type);
  };
}

/** Returns c₀ + x (c₁ + x (c₂ + …)), evaluated by Horner's method. */
export function polynomial(
  builder: IrBuilder,
  x: IrValue,
  coefficients: readonly number[],
): IrValue {
  return coefficients
    .map((coefficient) => builder.float(coefficient))
    .reduceRight((sum, coefficient) =>
      builder.operator('fadd', builder.operator('fmul', sum, x), coefficient),
    );
}
