/**
 * Values of constant expressions. Floats are rounded to 32 bits after each step, and integers wrap.
 * Operations that IEEE 754 defines are computed here. Functions such as `sin` are evaluated by
 * their instructions, so that they have the same bits as in a running shader.
 */
import { evaluateBuiltin } from '../../operations/builtins/evaluate-builtin.ts';
import type { BinaryOperator, ConstantValue, UnaryOperator } from '../../tree/checked-tree.ts';
import { baseOf, componentCount, isNumericShape } from '../../tree/type-rules.ts';
import type { GlslType, ScalarBase } from '../../tree/types.ts';

const { fround } = Math;

/** Converts one scalar as a constructor does. */
export function convertScalar(value: number, from: ScalarBase, to: ScalarBase): number {
  if (from === to) return value;
  switch (to) {
    case 'bool':
      return value !== 0 ? 1 : 0;
    case 'float':
      return fround(value);
    case 'int':
      if (from !== 'float') return value | 0;
      // The language leaves values out of range undefined; a running shader saturates.
      if (Number.isNaN(value)) return 0;
      return Math.max(-0x8000_0000, Math.min(0x7fff_ffff, Math.trunc(value)));
    case 'uint':
      if (from !== 'float') return value >>> 0;
      if (Number.isNaN(value)) return 0;
      return Math.max(0, Math.min(0xffff_ffff, Math.trunc(value)));
  }
}

/** Returns the value of a unary operator. */
export function foldUnary(
  operator: UnaryOperator,
  type: GlslType,
  value: ConstantValue,
): ConstantValue {
  const base = baseOf(type);
  switch (operator) {
    case '+':
      return value;
    case '!':
      return value.map((v) => 1 - v);
    case '~':
      return value.map((v) => (base === 'uint' ? ~v >>> 0 : ~v));
    case '-':
      if (base === 'float') return value.map((v) => -v);
      return value.map((v) => (base === 'uint' ? -v >>> 0 : -v | 0));
  }
}

/** Returns the value of a binary operator, or null if the language leaves it undefined. */
export function foldBinary(
  operator: BinaryOperator,
  leftType: GlslType,
  left: ConstantValue,
  rightType: GlslType,
  right: ConstantValue,
): ConstantValue | null {
  switch (operator) {
    case '==':
      return [left.every((v, i) => v === right[i]) ? 1 : 0];
    case '!=':
      return [left.every((v, i) => v === right[i]) ? 0 : 1];
    case '&&':
      return [left[0]! & right[0]!];
    case '||':
      return [left[0]! | right[0]!];
    case '^^':
      return [left[0]! ^ right[0]!];
    case '<':
      return [left[0]! < right[0]! ? 1 : 0];
    case '>':
      return [left[0]! > right[0]! ? 1 : 0];
    case '<=':
      return [left[0]! <= right[0]! ? 1 : 0];
    case '>=':
      return [left[0]! >= right[0]! ? 1 : 0];
    default:
  }
  if (operator === '*' && (leftType.kind === 'matrix' || rightType.kind === 'matrix')) {
    if (leftType.kind !== 'scalar' && rightType.kind !== 'scalar') {
      return multiplyMatrices(leftType, left, rightType, right);
    }
  }
  const base = baseOf(leftType)!;
  const count = Math.max(left.length, right.length);
  const result = new Array<number>(count);
  for (let i = 0; i < count; i++) {
    const a = left.length === 1 ? left[0]! : left[i]!;
    const b = right.length === 1 ? right[0]! : right[i]!;
    const value = base === 'float' ? foldFloat(operator, a, b) : foldInteger(operator, a, b, base);
    if (value === null) return null;
    result[i] = value;
  }
  return result;
}

function foldFloat(operator: BinaryOperator, a: number, b: number): number | null {
  switch (operator) {
    case '+':
      return fround(a + b);
    case '-':
      return fround(a - b);
    case '*':
      return fround(a * b);
    case '/':
      return fround(a / b);
    default:
      return null;
  }
}

function foldInteger(
  operator: BinaryOperator,
  a: number,
  b: number,
  base: ScalarBase,
): number | null {
  const wrap = base === 'uint' ? (v: number): number => v >>> 0 : (v: number): number => v | 0;
  switch (operator) {
    case '+':
      return wrap(a + b);
    case '-':
      return wrap(a - b);
    case '*':
      return wrap(Math.imul(a, b));
    case '/':
      return b === 0 ? null : wrap(Math.trunc(a / b));
    case '%':
      return b === 0 ? null : wrap(a % b);
    case '<<':
      return b < 0 || b > 31 ? null : wrap(a << b);
    case '>>':
      if (b < 0 || b > 31) return null;
      return base === 'uint' ? a >>> b : a >> b;
    case '&':
      return wrap(a & b);
    case '|':
      return wrap(a | b);
    case '^':
      return wrap(a ^ b);
    default:
      return null;
  }
}

/** Multiplies matrices or vectors. Products are summed from first to last, each step rounded. */
function multiplyMatrices(
  leftType: GlslType,
  left: ConstantValue,
  rightType: GlslType,
  right: ConstantValue,
): ConstantValue {
  // A vector on the left is a row, on the right a column.
  const inner = rightType.kind === 'matrix' ? rightType.rows : right.length;
  const rows = leftType.kind === 'matrix' ? leftType.rows : 1;
  const columns = rightType.kind === 'matrix' ? rightType.columns : 1;
  const result: number[] = [];
  for (let column = 0; column < columns; column++) {
    for (let row = 0; row < rows; row++) {
      let sum = 0;
      for (let k = 0; k < inner; k++) {
        const product = fround(left[k * rows + row]! * right[column * inner + k]!);
        sum = k === 0 ? product : fround(sum + product);
      }
      result.push(sum);
    }
  }
  return result;
}

/** Returns the value of a constructor, or null if an argument is not constant. */
export function foldConstructor(
  type: GlslType,
  args: readonly { readonly type: GlslType; readonly constant: ConstantValue | null }[],
): ConstantValue | null {
  const values: number[] = [];
  if (type.kind === 'array' || type.kind === 'struct') {
    for (const { constant } of args) {
      if (constant === null) return null;
      for (const value of constant) values.push(value);
    }
    return values;
  }
  const base = baseOf(type);
  if (base === null) return null;
  for (const arg of args) {
    const from = baseOf(arg.type);
    if (arg.constant === null || from === null) return null;
    for (const value of arg.constant) values.push(convertScalar(value, from, base));
  }
  const first = args[0]!.type;
  if (type.kind === 'matrix') {
    if (args.length === 1 && first.kind === 'scalar') {
      return buildMatrix(type, (column, row) => (column === row ? values[0]! : 0));
    }
    if (args.length === 1 && first.kind === 'matrix') {
      return buildMatrix(type, (column, row) => {
        if (column < first.columns && row < first.rows) return values[column * first.rows + row]!;
        return column === row ? 1 : 0;
      });
    }
  }
  const count = componentCount(type);
  if (args.length === 1 && first.kind === 'scalar') {
    return new Array<number>(count).fill(values[0]!);
  }
  return values.slice(0, count);
}

function buildMatrix(
  type: { readonly columns: number; readonly rows: number },
  element: (column: number, row: number) => number,
): number[] {
  const values: number[] = [];
  for (let column = 0; column < type.columns; column++) {
    for (let row = 0; row < type.rows; row++) values.push(element(column, row));
  }
  return values;
}

const add = (a: number, b: number): number => fround(a + b);
const subtract = (a: number, b: number): number => fround(a - b);
const multiply = (a: number, b: number): number => fround(a * b);

function dot(a: ConstantValue, b: ConstantValue): number {
  let sum = multiply(a[0]!, b[0]!);
  for (let i = 1; i < a.length; i++) sum = add(sum, multiply(a[i]!, b[i]!));
  return sum;
}

/** Functions that work on one component at a time; arguments of one component apply to all. */
const COMPONENTWISE: Readonly<Record<string, (...values: number[]) => number>> = {
  radians: (degrees) => multiply(degrees!, fround(Math.PI / 180)),
  degrees: (radians) => multiply(radians!, fround(180 / Math.PI)),
  sqrt: (x) => fround(Math.sqrt(x!)),
  abs: (x) => Math.abs(x!),
  sign: (x) => (x! > 0 ? 1 : x! < 0 ? -1 : 0),
  floor: (x) => Math.floor(x!),
  ceil: (x) => Math.ceil(x!),
  trunc: (x) => Math.trunc(x!),
  round: roundToEven,
  roundEven: roundToEven,
  fract: (x) => subtract(x!, Math.floor(x!)),
  mod: (x, y) => subtract(x!, multiply(y!, Math.floor(fround(x! / y!)))),
  // Comparisons are used because Math.min and Math.max treat NaN differently from a running shader.
  min: (x, y) => (y! < x! ? y! : x!),
  max: (x, y) => (x! < y! ? y! : x!),
  clamp: (x, low, high) => {
    const raised = x! < low! ? low! : x!;
    return high! < raised ? high! : raised;
  },
  step: (edge, x) => (x! < edge! ? 0 : 1),
};

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  lessThan: (a, b) => a < b,
  lessThanEqual: (a, b) => a <= b,
  greaterThan: (a, b) => a > b,
  greaterThanEqual: (a, b) => a >= b,
  equal: (a, b) => a === b,
  notEqual: (a, b) => a !== b,
};

function roundToEven(value: number | undefined): number {
  const x = value!;
  const low = Math.floor(x);
  const rest = x - low;
  if (rest !== 0.5) return rest < 0.5 ? low : low + 1;
  return low % 2 === 0 ? low : low + 1;
}

/**
 * Returns the value of a built-in function with constant arguments, or null if it has none at
 * compile time.
 */
export function foldBuiltInCall(
  name: string,
  returnType: GlslType,
  args: readonly { readonly type: GlslType; readonly constant: ConstantValue | null }[],
): ConstantValue | null {
  const values: ConstantValue[] = [];
  for (const { type, constant } of args) {
    if (constant === null || !isNumericShape(type)) return null;
    values.push(constant);
  }
  const [a, b, c] = values;
  const count = componentCount(returnType);
  const at = (value: ConstantValue, index: number): number =>
    value.length === 1 ? value[0]! : value[index]!;
  const each = (f: (index: number) => number): number[] =>
    Array.from({ length: count }, (_, index) => f(index));

  if (Object.hasOwn(COMPONENTWISE, name)) {
    const f = COMPONENTWISE[name]!;
    return each((index) => f(...values.map((value) => at(value, index))));
  }
  if (Object.hasOwn(COMPARISONS, name)) {
    const f = COMPARISONS[name]!;
    return each((index) => (f(a![index]!, b![index]!) ? 1 : 0));
  }
  switch (name) {
    case 'mix':
      if (baseOf(args[2]!.type) === 'bool') return each((i) => (c![i] === 0 ? a![i]! : b![i]!));
      return each((i) => {
        const weight = at(c!, i);
        return add(multiply(a![i]!, subtract(1, weight)), multiply(b![i]!, weight));
      });
    case 'dot':
      return [dot(a!, b!)];
    case 'length':
      return [fround(Math.sqrt(dot(a!, a!)))];
    case 'cross':
      return [
        subtract(multiply(a![1]!, b![2]!), multiply(b![1]!, a![2]!)),
        subtract(multiply(a![2]!, b![0]!), multiply(b![2]!, a![0]!)),
        subtract(multiply(a![0]!, b![1]!), multiply(b![0]!, a![1]!)),
      ];
    case 'matrixCompMult':
      return each((i) => multiply(a![i]!, b![i]!));
    case 'any':
      return [a!.some((v) => v !== 0) ? 1 : 0];
    case 'all':
      return [a!.every((v) => v !== 0) ? 1 : 0];
    case 'not':
      return a!.map((v) => 1 - v);
    case 'isnan':
      return a!.map((v) => (Number.isNaN(v) ? 1 : 0));
    case 'isinf':
      return a!.map((v) => (v === Infinity || v === -Infinity ? 1 : 0));
    default:
      return evaluateBuiltin(
        name,
        returnType,
        args.map(({ type }, index) => ({ type, value: values[index]! })),
      );
  }
}
