/**
 * Constructors of expression nodes. They derive the type from the parts, fold constants, and limit
 * the depth.
 */

import type {
  BinaryOperator,
  ConstantValue,
  SourcePosition,
  UnaryOperator,
} from '../../tree/checked-tree.ts';
import {
  baseOf,
  componentCount,
  ERROR_TYPE,
  isImplicitlyConvertible,
  isWidened,
  vectorType,
  withBase,
} from '../../tree/type-rules.ts';
import type { GlslType, ScalarBase } from '../../tree/types.ts';
import { MAX_NESTING } from '../language/limits.ts';
import type { CheckContext } from './check-context.ts';
import { foldBinary, foldConstructor, foldUnary } from './constant-folding.ts';
import type { ExpressionNode, Variable } from './symbol-scope.ts';

/** Largest constant that is folded, in scalars. Copies of larger ones could fill the memory. */
const MAX_FOLDED_COMPONENTS = 4096;

/**
 * Returns the position without the rest of the token, which the tree would otherwise keep alive.
 */
export function positionOf(token: SourcePosition): SourcePosition {
  return { source: token.source, line: token.line, row: token.row, column: token.column };
}

/** Returns a node with the constant `value`. */
export function literalNode(
  position: SourcePosition,
  type: GlslType,
  value: ConstantValue,
): ExpressionNode {
  return {
    kind: 'literal',
    type,
    position: positionOf(position),
    constant: value,
    isConstantExpression: true,
    depth: 1,
  };
}

/** Returns the node for an expression whose error is already reported. */
export function errorNode(position: SourcePosition): ExpressionNode {
  return {
    kind: 'literal',
    type: ERROR_TYPE,
    position: positionOf(position),
    constant: null,
    isConstantExpression: true,
    depth: 1,
  };
}

/** Whether an error in `node` is already reported. */
export function isErrorNode(node: ExpressionNode): boolean {
  return node.type === ERROR_TYPE;
}

/** Returns a use of `variable`. */
export function variableNode(position: SourcePosition, variable: Variable): ExpressionNode {
  return {
    kind: 'variable',
    variable,
    type: variable.type,
    position: positionOf(position),
    constant: variable.constant,
    isConstantExpression: variable.isConstantExpression,
    depth: 1,
  };
}

/** Returns the depth of a node over `parts`. Aborts the check if the expression is too deep. */
export function depthAbove(
  context: CheckContext,
  position: SourcePosition,
  ...parts: readonly ExpressionNode[]
): number {
  let depth = 0;
  for (const part of parts) if (part.depth > depth) depth = part.depth;
  if (depth >= MAX_NESTING) {
    context.log.abort(position, 'expression', 'expression too complex');
  }
  return depth + 1;
}

/** Returns a constructor call, folded if all arguments are constant. */
export function constructNode(
  context: CheckContext,
  position: SourcePosition,
  type: GlslType,
  args: readonly ExpressionNode[],
): ExpressionNode {
  const isConstantExpression = args.every((arg) => arg.isConstantExpression);
  const isFoldable = isConstantExpression && componentCount(type) <= MAX_FOLDED_COMPONENTS;
  return {
    kind: 'construct',
    type,
    position: positionOf(position),
    arguments: args,
    constant: isFoldable ? foldConstructor(type, args) : null,
    isConstantExpression,
    depth: depthAbove(context, position, ...args),
  };
}

/**
 * Returns `node` as a value of `type`, with the implicit conversions of desktop GLSL; null if there
 * is none.
 */
export function convertTo(
  context: CheckContext,
  node: ExpressionNode,
  type: GlslType,
): ExpressionNode | null {
  if (node.type === type || isErrorNode(node) || type === ERROR_TYPE) return node;
  if (!context.hasImplicitConversions || !isImplicitlyConvertible(node.type, type)) return null;
  return constructNode(context, node.position, type, [node]);
}

/** Returns a unary operation, folded if its operand is constant. */
export function unaryNode(
  context: CheckContext,
  position: SourcePosition,
  operator: UnaryOperator,
  operand: ExpressionNode,
): ExpressionNode {
  return {
    kind: 'unary',
    operator,
    operand,
    type: operand.type,
    position: positionOf(position),
    constant:
      operand.constant === null ? null : foldUnary(operator, operand.type, operand.constant),
    isConstantExpression: operand.isConstantExpression,
    depth: depthAbove(context, position, operand),
  };
}

/** Returns a binary operation of result type `type`, folded if both operands are constant. */
export function binaryNode(
  context: CheckContext,
  position: SourcePosition,
  operator: BinaryOperator,
  type: GlslType,
  left: ExpressionNode,
  right: ExpressionNode,
): ExpressionNode {
  return {
    kind: 'binary',
    operator,
    left,
    right,
    type,
    position: positionOf(position),
    constant:
      left.constant === null || right.constant === null
        ? null
        : foldBinary(operator, left.type, left.constant, right.type, right.constant),
    isConstantExpression: left.isConstantExpression && right.isConstantExpression,
    depth: depthAbove(context, position, left, right),
  };
}

/** Returns the components `components` of a vector. */
export function swizzleNode(
  context: CheckContext,
  position: SourcePosition,
  object: ExpressionNode,
  components: readonly number[],
): ExpressionNode {
  const { constant } = object;
  return {
    kind: 'swizzle',
    object,
    components,
    type: vectorType(baseOf(object.type)!, components.length),
    position: positionOf(position),
    constant: constant === null ? null : components.map((component) => constant[component]!),
    isConstantExpression: object.isConstantExpression,
    depth: depthAbove(context, position, object),
  };
}

/** Returns the field with number `fieldIndex` of a struct. */
export function fieldNode(
  context: CheckContext,
  position: SourcePosition,
  object: ExpressionNode,
  fieldIndex: number,
): ExpressionNode {
  const struct = object.type;
  if (struct.kind !== 'struct')
    throw new Error('a field is selected from a value that is not a struct');
  const { type } = struct.fields[fieldIndex]!;
  let constant: ConstantValue | null = null;
  if (object.constant !== null) {
    let start = 0;
    for (const field of struct.fields.slice(0, fieldIndex)) start += componentCount(field.type);
    constant = object.constant.slice(start, start + componentCount(type));
  }
  return {
    kind: 'field',
    object,
    fieldIndex,
    type,
    position: positionOf(position),
    constant,
    isConstantExpression: object.isConstantExpression,
    depth: depthAbove(context, position, object),
  };
}

/** Returns the element type of an array, matrix or vector; null for other types. */
export function elementType(type: GlslType): GlslType | null {
  switch (type.kind) {
    case 'array':
      return type.element;
    case 'matrix':
      return vectorType('float', type.rows);
    case 'vector':
      return vectorType(type.base, 1);
    default:
      return null;
  }
}

/** Returns the element `index` of an array, matrix or vector. */
export function indexNode(
  context: CheckContext,
  position: SourcePosition,
  object: ExpressionNode,
  index: ExpressionNode,
): ExpressionNode {
  const type = elementType(object.type)!;
  let constant: ConstantValue | null = null;
  if (object.constant !== null && index.constant !== null) {
    const size = componentCount(type);
    const start = index.constant[0]! * size;
    constant = object.constant.slice(start, start + size);
  }
  return {
    kind: 'index',
    object,
    index,
    type,
    position: positionOf(position),
    constant,
    isConstantExpression: object.isConstantExpression && index.isConstantExpression,
    depth: depthAbove(context, position, object, index),
  };
}

/**
 * Applies the implicit conversions of desktop GLSL to two operands: integers become floats, and
 * ints become uints, of the same shape, if the other operand has such components.
 */
export function balanceOperands(
  context: CheckContext,
  left: ExpressionNode,
  right: ExpressionNode,
): [ExpressionNode, ExpressionNode] {
  if (!context.hasImplicitConversions) return [left, right];
  const leftBase = baseOf(left.type);
  const rightBase = baseOf(right.type);
  if (leftBase === null || rightBase === null) return [left, right];
  const convert = (node: ExpressionNode, base: ScalarBase): ExpressionNode =>
    constructNode(context, node.position, withBase(node.type, base), [node]);
  if (isWidened(leftBase, rightBase)) return [convert(left, rightBase), right];
  if (isWidened(rightBase, leftBase)) return [left, convert(right, leftBase)];
  return [left, right];
}
