/** Lowering of constructors and conversions: `type(arguments…)`. */

import type { IrValue } from '../ir/ir.ts';
import type { IrBuilder } from '../ir/ir-builder.ts';
import type { GlslType, ScalarBase } from '../tree/types.ts';
import type { TypedValues } from './lower-operators.ts';
import { baseOf, scalarBases } from './type-layout.ts';

/** Converts `value`, a scalar of base `from`, to base `to`. */
export function convertScalar(
  builder: IrBuilder,
  value: IrValue,
  from: ScalarBase,
  to: ScalarBase,
): IrValue {
  if (from === to) return value;
  switch (to) {
    case 'float':
      if (from === 'bool') return builder.select(value, builder.float(1), builder.float(0));
      return builder.operator(from === 'int' ? 'i2f' : 'u2f', value);
    case 'int':
    case 'uint':
      if (from === 'bool') return builder.select(value, builder.int(1), builder.int(0));
      if (from === 'float') return builder.operator(to === 'int' ? 'f2i' : 'f2u', value);
      return value;
    case 'bool':
      if (from === 'float') return builder.operator('fne', value, builder.float(0));
      return builder.operator('i32AsBool', value);
  }
}

/** Returns the scalars of `type(…)`. */
export function lowerConstructor(
  builder: IrBuilder,
  type: GlslType,
  operands: readonly TypedValues[],
): IrValue[] {
  const [first] = operands;
  switch (type.kind) {
    case 'scalar':
      return convertAll(builder, type.base, operands).slice(0, 1);
    case 'vector': {
      const values = convertAll(builder, type.base, operands);
      const isFilled = operands.length === 1 && first!.type.kind === 'scalar';
      return isFilled ? new Array(type.size).fill(values[0]) : values.slice(0, type.size);
    }
    case 'matrix': {
      const { columns, rows } = type;
      if (operands.length === 1 && first!.type.kind === 'scalar') {
        const [diagonal] = convertAll(builder, 'float', operands);
        return matrixOf(columns, rows, (column, row) =>
          column === row ? diagonal! : builder.float(0),
        );
      }
      if (operands.length === 1 && first!.type.kind === 'matrix') {
        const source = first!.type;
        return matrixOf(columns, rows, (column, row) => {
          const isInside = column < source.columns && row < source.rows;
          if (isInside) return first!.values[column * source.rows + row]!;
          return builder.float(column === row ? 1 : 0);
        });
      }
      return convertAll(builder, 'float', operands).slice(0, columns * rows);
    }
    default:
      return operands.flatMap(({ values }) => values);
  }
}

function matrixOf(
  columns: number,
  rows: number,
  valueAt: (column: number, row: number) => IrValue,
): IrValue[] {
  const values: IrValue[] = [];
  for (let column = 0; column < columns; column++) {
    for (let row = 0; row < rows; row++) values.push(valueAt(column, row));
  }
  return values;
}

function convertAll(
  builder: IrBuilder,
  base: ScalarBase,
  operands: readonly TypedValues[],
): IrValue[] {
  return operands.flatMap(({ type, values }) => {
    // The front end admits no struct or array that would need a conversion.
    const from =
      type.kind === 'struct' || type.kind === 'array' ? scalarBases(type)[0]! : baseOf(type);
    return values.map((value) => convertScalar(builder, value, from, base));
  });
}
