/** Operand and result types of operators (section 5.9 of GLSL ES 3.00 and 1.00). */
import type { BinaryOperator } from '../../tree/checked-tree.ts';
import {
  BOOL,
  baseOf,
  containsArray,
  containsSampler,
  isNumericShape,
  matrixType,
  vectorType,
} from '../../tree/type-rules.ts';
import type { GlslType } from '../../tree/types.ts';

/** Precedence by operator; the larger one binds first. */
export const BINARY_PRECEDENCES: ReadonlyMap<string, number> = new Map([
  ['||', 1],
  ['^^', 2],
  ['&&', 3],
  ['|', 4],
  ['^', 5],
  ['&', 6],
  ['==', 7],
  ['!=', 7],
  ['<', 8],
  ['>', 8],
  ['<=', 8],
  ['>=', 8],
  ['<<', 9],
  ['>>', 9],
  ['+', 10],
  ['-', 10],
  ['*', 11],
  ['/', 11],
  ['%', 11],
]);

/** Assignment operators with the operator they combine; null for `=`. */
export const ASSIGNMENT_OPERATORS: ReadonlyMap<string, BinaryOperator | null> = new Map<
  string,
  BinaryOperator | null
>([
  ['=', null],
  ['+=', '+'],
  ['-=', '-'],
  ['*=', '*'],
  ['/=', '/'],
  ['%=', '%'],
  ['<<=', '<<'],
  ['>>=', '>>'],
  ['&=', '&'],
  ['|=', '|'],
  ['^=', '^'],
]);

/** Operators that versions without integers reserve. */
const INTEGER_OPERATORS: ReadonlySet<string> = new Set(['%', '<<', '>>', '&', '|', '^', '~']);

/** Whether a language reserves `operator`. */
export function isOperatorReserved(operator: string, hasIntegers: boolean): boolean {
  return !hasIntegers && INTEGER_OPERATORS.has(operator);
}

/**
 * Returns the type of `left operator right`, or null if the operator does not accept these types.
 * Implicit conversions are already applied.
 */
export function binaryOperatorType(
  operator: BinaryOperator,
  left: GlslType,
  right: GlslType,
  hasArrayValues: boolean,
): GlslType | null {
  switch (operator) {
    case '&&':
    case '||':
    case '^^':
      return left === BOOL && right === BOOL ? BOOL : null;
    case '<':
    case '>':
    case '<=':
    case '>=':
      return left === right && left.kind === 'scalar' && left.base !== 'bool' ? BOOL : null;
    case '==':
    case '!=':
      return left === right && isComparable(left, hasArrayValues) ? BOOL : null;
    case '<<':
    case '>>':
      return shiftType(left, right);
    case '%':
    case '&':
    case '|':
    case '^':
      return isIntegerShape(left) && baseOf(left) === baseOf(right)
        ? componentwiseType(left, right)
        : null;
    default:
      return arithmeticType(operator, left, right);
  }
}

function isComparable(type: GlslType, hasArrayValues: boolean): boolean {
  if (type.kind === 'void' || containsSampler(type)) return false;
  return hasArrayValues || !containsArray(type);
}

function isIntegerShape(type: GlslType): boolean {
  const base = baseOf(type);
  return base === 'int' || base === 'uint';
}

function shiftType(left: GlslType, right: GlslType): GlslType | null {
  if (!isIntegerShape(left) || !isIntegerShape(right)) return null;
  if (right.kind === 'scalar') return left;
  return left.kind === 'vector' && right.kind === 'vector' && left.size === right.size
    ? left
    : null;
}

/**
 * Returns the result type for operands of the same base: equal shapes, or a scalar with any shape.
 */
function componentwiseType(left: GlslType, right: GlslType): GlslType | null {
  if (left === right) return left;
  if (left.kind === 'scalar') return right;
  if (right.kind === 'scalar') return left;
  return null;
}

function arithmeticType(
  operator: BinaryOperator,
  left: GlslType,
  right: GlslType,
): GlslType | null {
  if (!isNumericShape(left) || !isNumericShape(right)) return null;
  const base = baseOf(left);
  if (base !== baseOf(right) || base === 'bool') return null;
  if (operator === '*') {
    if (left.kind === 'matrix' && right.kind === 'matrix') {
      return left.columns === right.rows ? matrixType(right.columns, left.rows) : null;
    }
    if (left.kind === 'matrix' && right.kind === 'vector') {
      return left.columns === right.size ? vectorType('float', left.rows) : null;
    }
    if (left.kind === 'vector' && right.kind === 'matrix') {
      return left.size === right.rows ? vectorType('float', right.columns) : null;
    }
  }
  return componentwiseType(left, right);
}
