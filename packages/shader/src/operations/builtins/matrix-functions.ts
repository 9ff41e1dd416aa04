/** Matrix functions (GLSL ES 3.00, 8.6). A matrix is a list of scalars in column-major order. */

import type { IrValue } from '../../ir/ir.ts';
import type { IrBuilder } from '../../ir/ir-builder.ts';
import { zip } from '../lower-operators.ts';
import type { BuiltinFunction } from './builtin-function.ts';

/** Rows and columns of a square submatrix. */
interface Minor {
  readonly rows: readonly number[];
  readonly columns: readonly number[];
}

/**
 * Returns the determinant of `minor` of a matrix with `size` rows, expanded along its first column.
 */
function determinantOf(
  builder: IrBuilder,
  matrix: readonly IrValue[],
  size: number,
  minor: Minor,
): IrValue {
  const [column, ...columns] = minor.columns as [number, ...number[]];
  const at = (row: number): IrValue => matrix[column * size + row]!;
  if (columns.length === 0) return at(minor.rows[0]!);
  return minor.rows
    .map((row) => {
      const rows = minor.rows.filter((other) => other !== row);
      const inner = determinantOf(builder, matrix, size, { rows, columns });
      return builder.operator('fmul', at(row), inner);
    })
    .reduce((sum, term, k) => builder.operator(k % 2 === 1 ? 'fsub' : 'fadd', sum, term));
}

const without = (size: number, left: number): number[] =>
  Array.from({ length: size }, (_, k) => k).filter((k) => k !== left);

const determinant: BuiltinFunction = (builder, [operand]) => {
  const size = Math.sqrt(operand!.values.length);
  const all = without(size, -1);
  return [determinantOf(builder, operand!.values, size, { rows: all, columns: all })];
};

/**
 * Inverse of a matrix: the transposed matrix of cofactors divided by the determinant. A singular
 * matrix has no finite result.
 */
const inverse: BuiltinFunction = (builder, [operand]) => {
  const matrix = operand!.values;
  const size = Math.sqrt(matrix.length);
  const cofactor = (column: number, row: number): IrValue => {
    const minor = { rows: without(size, row), columns: without(size, column) };
    const value = determinantOf(builder, matrix, size, minor);
    return (row + column) % 2 === 1 ? builder.operator('fneg', value) : value;
  };
  const cofactors = matrix.map((_, k) => cofactor(Math.floor(k / size), k % size));
  const whole = cofactors
    .slice(0, size)
    .map((value, row) => builder.operator('fmul', matrix[row]!, value))
    .reduce((sum, term) => builder.operator('fadd', sum, term));
  const reciprocal = builder.operator('fdiv', builder.float(1), whole);
  return matrix.map((_, k) => {
    const [column, row] = [Math.floor(k / size), k % size];
    return builder.operator('fmul', cofactors[row * size + column]!, reciprocal);
  });
};

const transpose: BuiltinFunction = (_builder, [operand]) => {
  const { type, values } = operand!;
  if (type.kind !== 'matrix') throw new Error('the argument of transpose is not a matrix');
  const { columns, rows } = type;
  return Array.from({ length: columns * rows }, (_, k) => {
    const [column, row] = [Math.floor(k / columns), k % columns];
    return values[row * rows + column]!;
  });
};

/** Product column × row: the element in column c and row r is a[r] × b[c]. */
const outerProduct: BuiltinFunction = (builder, [a, b]) =>
  b!.values.flatMap((y) => a!.values.map((x) => builder.operator('fmul', x, y)));

/** Matrix functions by name. */
export const MATRIX_FUNCTIONS: Readonly<Record<string, BuiltinFunction>> = {
  determinant,
  inverse,
  transpose,
  outerProduct,
  matrixCompMult: (builder, [a, b]) =>
    zip(a!.values, b!.values, (x, y) => builder.operator('fmul', x, y)),
};
