/** Checks of operators: the types of operands and result, and the resulting node. */
import type { BinaryOperator, UnaryOperator } from '../../tree/checked-tree.ts';
import {
  BOOL,
  baseOf,
  containsArray,
  containsSampler,
  isNumericShape,
  typeName,
  VOID,
} from '../../tree/type-rules.ts';
import { binaryOperatorType, isOperatorReserved } from '../language/operator-rules.ts';
import type { Token } from '../preprocess/lexer.ts';
import { checkAssignable } from './assignable.ts';
import type { CheckContext } from './check-context.ts';
import {
  balanceOperands,
  binaryNode,
  convertTo,
  depthAbove,
  errorNode,
  isErrorNode,
  positionOf,
  unaryNode,
} from './expression-nodes.ts';
import type { ExpressionNode } from './symbol-scope.ts';

/** Checks `left, right` and returns its node. */
export function checkComma(
  context: CheckContext,
  operator: Token,
  left: ExpressionNode,
  right: ExpressionNode,
): ExpressionNode {
  checkCommaOperands(context, operator, left, right);
  return {
    kind: 'comma',
    left,
    right,
    type: right.type,
    position: positionOf(operator),
    // A constant node would drop the side effects of the left operand.
    constant: context.version === 300 || left.constant === null ? null : right.constant,
    // In GLSL ES 3.00 the result of a comma operator is no constant expression.
    isConstantExpression:
      context.version !== 300 && left.isConstantExpression && right.isConstantExpression,
    depth: depthAbove(context, operator, left, right),
  };
}

function checkCommaOperands(
  context: CheckContext,
  operator: Token,
  left: ExpressionNode,
  right: ExpressionNode,
): void {
  for (const { type } of [left, right]) {
    if (type.kind === 'sampler') {
      context.error(operator, ',', `not allowed for ${typeName(type)}`);
      return;
    }
    if (!context.isWebGl || context.version !== 300) continue;
    if (type === VOID || containsArray(type)) {
      context.error(operator, ',', 'not allowed for void, arrays, or structs containing arrays');
      return;
    }
  }
}

/** Checks `target = value`, or a compound assignment, and returns its node. */
export function checkAssignment(
  context: CheckContext,
  token: Token,
  operator: BinaryOperator | null,
  target: ExpressionNode,
  value: ExpressionNode,
): ExpressionNode {
  if (isErrorNode(target) || isErrorNode(value)) return errorNode(token);
  checkAssignable(context, target, token.text);
  if (operator !== null && isOperatorReserved(operator, context.hasIntegers)) {
    context.error(token, token.text, 'integer operators are reserved in this version');
    return errorNode(token);
  }
  let converted: ExpressionNode | null;
  if (operator === null) {
    converted = convertTo(context, value, target.type);
    if (containsArray(target.type) && !context.hasArrayValues) {
      context.error(token, '=', 'arrays and structs that contain them cannot be assigned');
      return errorNode(token);
    }
  } else {
    const isShift = operator === '<<' || operator === '>>';
    converted = isShift ? value : balanceOperands(context, target, value)[1];
    const type = binaryOperatorType(operator, target.type, converted.type, context.hasArrayValues);
    if (type !== target.type) converted = null;
  }
  if (converted === null || target.type === VOID) {
    const types = `${typeName(value.type)} to ${typeName(target.type)}`;
    context.error(token, token.text, `cannot convert from ${types}`);
    return errorNode(token);
  }
  return {
    kind: 'assign',
    operator,
    target,
    value: converted,
    type: target.type,
    position: positionOf(token),
    constant: null,
    isConstantExpression: false,
    depth: depthAbove(context, token, target, value),
  };
}

/** Checks `condition ? first : second` and returns its node. */
export function checkConditional(
  context: CheckContext,
  token: Token,
  condition: ExpressionNode,
  first: ExpressionNode,
  second: ExpressionNode,
): ExpressionNode {
  if (isErrorNode(condition) || isErrorNode(first) || isErrorNode(second)) return errorNode(token);
  if (condition.type !== BOOL) {
    context.error(token, '?:', 'boolean expression expected');
    return errorNode(token);
  }
  let whenTrue = first;
  let whenFalse = second;
  if (first.type !== second.type) {
    whenTrue = convertTo(context, first, second.type) ?? first;
    whenFalse = convertTo(context, second, first.type) ?? second;
  }
  const { type } = whenTrue;
  if (type !== whenFalse.type) {
    const types = `${typeName(first.type)} and ${typeName(second.type)}`;
    context.error(token, '?:', `mismatching types of the ternary operator: ${types}`);
    return errorNode(token);
  }
  if (containsSampler(type) || (type === VOID && context.isEs)) {
    context.error(token, '?:', `not allowed for ${typeName(type)}`);
    return errorNode(token);
  }
  if (context.version === 100 && (type.kind === 'array' || type.kind === 'struct')) {
    context.error(token, '?:', 'not allowed for structures or arrays');
    return errorNode(token);
  }
  if (context.isWebGl && containsArray(type)) {
    context.error(token, '?:', `not allowed for ${typeName(type)} in WebGL`);
    return errorNode(token);
  }
  const chosen = condition.constant?.[0] === 0 ? whenFalse.constant : whenTrue.constant;
  return {
    kind: 'conditional',
    condition,
    whenTrue,
    whenFalse,
    type,
    position: positionOf(token),
    constant: condition.constant === null ? null : chosen,
    isConstantExpression:
      condition.isConstantExpression &&
      whenTrue.isConstantExpression &&
      whenFalse.isConstantExpression,
    depth: depthAbove(context, token, condition, whenTrue, whenFalse),
  };
}

/** Checks a binary operator other than the comma and assignments, and returns its node. */
export function checkBinary(
  context: CheckContext,
  token: Token,
  left: ExpressionNode,
  right: ExpressionNode,
): ExpressionNode {
  if (isErrorNode(left) || isErrorNode(right)) return errorNode(token);
  const operator = token.text as BinaryOperator;
  if (isOperatorReserved(operator, context.hasIntegers)) {
    context.error(token, operator, 'integer operators are reserved in this version');
    return errorNode(token);
  }
  // The operands of a shift keep their types.
  const isShift = operator === '<<' || operator === '>>';
  const [a, b] = isShift ? [left, right] : balanceOperands(context, left, right);
  const type = binaryOperatorType(operator, a.type, b.type, context.hasArrayValues);
  if (type === null) {
    const types = `${typeName(left.type)} and ${typeName(right.type)}`;
    context.error(token, operator, `wrong operand types: no operation accepts ${types}`);
    return errorNode(token);
  }
  return binaryNode(context, token, operator, type, a, b);
}

/** Checks `+`, `-`, `!` or `~` and returns its node. */
export function checkUnary(
  context: CheckContext,
  token: Token,
  operator: UnaryOperator,
  operand: ExpressionNode,
): ExpressionNode {
  if (isErrorNode(operand)) return operand;
  const base = isNumericShape(operand.type) ? baseOf(operand.type) : null;
  let isFitting: boolean;
  if (operator === '!') isFitting = operand.type === BOOL;
  else if (operator === '~') {
    isFitting = context.hasIntegers && (base === 'int' || base === 'uint');
  } else isFitting = base !== null && base !== 'bool';
  if (!isFitting) {
    context.error(token, operator, `wrong operand type ${typeName(operand.type)}`);
    return errorNode(token);
  }
  return unaryNode(context, token, operator, operand);
}

/** Checks `++` or `--`, as a prefix or postfix, and returns its node. */
export function checkIncrement(
  context: CheckContext,
  token: Token,
  target: ExpressionNode,
  isPrefix: boolean,
): ExpressionNode {
  if (isErrorNode(target)) return target;
  const base = isNumericShape(target.type) ? baseOf(target.type) : null;
  if (base === null || base === 'bool') {
    context.error(token, token.text, `wrong operand type ${typeName(target.type)}`);
    return errorNode(token);
  }
  checkAssignable(context, target, token.text);
  return {
    kind: 'increment',
    operator: token.text as '++' | '--',
    isPrefix,
    target,
    type: target.type,
    position: positionOf(token),
    constant: null,
    isConstantExpression: false,
    depth: depthAbove(context, token, target),
  };
}
