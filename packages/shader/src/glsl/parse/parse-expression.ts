/**
 * Parses expressions (GLSL ES 3.00 chapter 5) by recursive descent; binary operators by precedence
 * climbing. The checks of each production are in `check/`.
 */
import {
  arrayType,
  BOOL,
  componentCount,
  ERROR_TYPE,
  INT,
  UINT,
  VOID,
} from '../../tree/type-rules.ts';
import type { GlslType } from '../../tree/types.ts';
import type { CheckContext } from '../check/check-context.ts';
import { checkIndex } from '../check/check-index.ts';
import {
  checkAssignment,
  checkBinary,
  checkComma,
  checkConditional,
  checkIncrement,
  checkUnary,
} from '../check/check-operators.ts';
import { checkLengthMethod, checkSelection } from '../check/check-selection.ts';
import { errorNode, isErrorNode, literalNode, variableNode } from '../check/expression-nodes.ts';
import { callNode, constructorCall } from '../check/function-calls.ts';
import { parseNumber } from '../check/number-literals.ts';
import type { ExpressionNode, Variable } from '../check/symbol-scope.ts';
import { MAX_VARIABLE_COMPONENTS } from '../language/limits.ts';
import { ASSIGNMENT_OPERATORS, BINARY_PRECEDENCES } from '../language/operator-rules.ts';
import type { Token } from '../preprocess/lexer.ts';

/** Parses `expression`: assignments separated by commas. */
export function parseExpression(context: CheckContext): ExpressionNode {
  let left = parseAssignment(context);
  while (context.is(',')) {
    const operator = context.advance();
    const right = parseAssignment(context);
    left = checkComma(context, operator, left, right);
  }
  return left;
}

/** Parses `assignment_expression`. */
export function parseAssignment(context: CheckContext): ExpressionNode {
  context.enter();
  const target = parseConditional(context);
  const operator =
    context.token.kind === 'punctuator' ? ASSIGNMENT_OPERATORS.get(context.token.text) : undefined;
  if (operator === undefined) {
    context.leave();
    return target;
  }
  const token = context.advance();
  const value = parseAssignment(context);
  context.leave();
  return checkAssignment(context, token, operator, target, value);
}

function parseConditional(context: CheckContext): ExpressionNode {
  const condition = parseBinary(context, 1);
  if (!context.is('?')) return condition;
  const token = context.advance();
  context.enter();
  const whenTrue = parseExpression(context);
  context.expect(':');
  const whenFalse = parseAssignment(context);
  context.leave();
  return checkConditional(context, token, condition, whenTrue, whenFalse);
}

function parseBinary(context: CheckContext, lowest: number): ExpressionNode {
  let left = parseUnary(context);
  for (;;) {
    if (context.token.kind !== 'punctuator') return left;
    const precedence = BINARY_PRECEDENCES.get(context.token.text);
    if (precedence === undefined || precedence < lowest) return left;
    const token = context.advance();
    const right = parseBinary(context, precedence + 1);
    left = checkBinary(context, token, left, right);
  }
}

/** Parses an expression whose first operand is already parsed. */
export function parseExpressionAfter(context: CheckContext, first: ExpressionNode): ExpressionNode {
  context.pendingOperand = first;
  return parseExpression(context);
}

function parseUnary(context: CheckContext): ExpressionNode {
  if (context.pendingOperand !== null) return parsePostfix(context);
  const { text, kind } = context.token;
  if (kind !== 'punctuator') return parsePostfix(context);
  switch (text) {
    case '++':
    case '--': {
      const token = context.advance();
      context.enter();
      const target = parseUnary(context);
      context.leave();
      return checkIncrement(context, token, target, true);
    }
    case '+':
    case '-':
    case '!':
    case '~': {
      const token = context.advance();
      context.enter();
      const operand = parseUnary(context);
      context.leave();
      return checkUnary(context, token, text, operand);
    }
    default:
      return parsePostfix(context);
  }
}

function parsePostfix(context: CheckContext): ExpressionNode {
  let node = context.pendingOperand ?? parsePrimary(context);
  context.pendingOperand = null;
  for (;;) {
    if (context.token.kind !== 'punctuator') return node;
    switch (context.token.text) {
      case '[':
        node = parseIndex(context, node);
        break;
      case '.':
        node = parseSelection(context, node);
        break;
      case '++':
      case '--':
        node = checkIncrement(context, context.advance(), node, false);
        break;
      default:
        return checkBlockInstance(context, node);
    }
  }
}

/**
 * Reports the instance of a uniform block where a value is expected: only its members are values
 * (GLSL ES 3.00, section 4.3.7). Before a closing parenthesis the place of the parentheses decides,
 * as in `(instance).member`.
 */
function checkBlockInstance(context: CheckContext, node: ExpressionNode): ExpressionNode {
  const instance = node.kind === 'index' ? node.object : node;
  if (instance.kind !== 'variable' || context.is(')')) return node;
  const { name, block } = instance.variable;
  if (block === null || block.instanceName !== name) return node;
  context.error(node.position, name, 'a uniform block is not a value: a member is expected');
  return errorNode(node.position);
}

function parsePrimary(context: CheckContext): ExpressionNode {
  const { token } = context;
  switch (token.kind) {
    case 'number':
      context.advance();
      return parseNumber(context, token);
    case 'identifier':
      return parseName(context);
    case 'keyword':
      if (token.text === 'true' || token.text === 'false') {
        context.advance();
        return literalNode(token, BOOL, [token.text === 'true' ? 1 : 0]);
      }
      if (context.typeHere() !== null) return parseConstructor(context);
      return context.failSyntax();
    default: {
      context.expect('(');
      context.enter();
      const inner = parseExpression(context);
      context.leave();
      context.expect(')');
      return inner;
    }
  }
}

function parseName(context: CheckContext): ExpressionNode {
  if (context.typeHere() !== null) return parseConstructor(context);
  const name = context.advance();
  if (context.is('(')) {
    const args = parseArguments(context);
    return callNode(context, name, args);
  }
  return nameNode(context, name);
}

/** Returns the use of a variable of the source or of the language. */
function nameNode(context: CheckContext, name: Token): ExpressionNode {
  const entry = context.scope.find(name.text);
  if (entry?.kind === 'variable') return variableUse(context, name, entry.variable);
  if (entry === undefined) {
    const builtIn = context.findBuiltInVariable(name.text);
    if (builtIn !== null) return variableUse(context, name, context.useBuiltInVariable(builtIn));
    context.error(name, name.text, `undeclared identifier${context.needOf(name.text)}`);
  } else {
    context.error(name, name.text, 'variable expected');
  }
  return errorNode(name);
}

function variableUse(context: CheckContext, name: Token, variable: Variable): ExpressionNode {
  const node = variableNode(name, variable);
  if (variable.type.kind === 'array' && variable.type.length === 0 && node.kind === 'variable') {
    context.unsizedNodes.push(node);
  }
  return node;
}

/** Parses `(a, b, …)`, `()` or `(void)`. */
function parseArguments(context: CheckContext): ExpressionNode[] {
  context.expect('(');
  if (context.accept(')')) return [];
  if (context.is('void') && context.peek().text === ')') {
    context.advance();
    context.advance();
    return [];
  }
  const args: ExpressionNode[] = [];
  context.enter();
  do args.push(parseAssignment(context));
  while (context.accept(','));
  context.leave();
  context.expect(')');
  return args;
}

function parseConstructor(context: CheckContext): ExpressionNode {
  const token = context.token;
  const element = context.typeHere()!;
  context.advance();
  return parseConstructorOf(context, token, parseArraySuffix(context, element));
}

/** Parses the arguments of a constructor whose type was just parsed. */
export function parseConstructorOf(
  context: CheckContext,
  position: Token,
  type: GlslType,
): ExpressionNode {
  if (!context.is('(')) context.failSyntax();
  if (type.kind === 'array' && !context.hasArrayValues) {
    context.error(position, '[]', 'array constructors need version 120 or 300 es');
  }
  const args = parseArguments(context);
  return constructorCall(context, position, type, args);
}

/** Parses an optional `[size]` or `[]` after `element`; returns the resulting type. */
export function parseArraySuffix(context: CheckContext, element: GlslType): GlslType {
  if (!context.is('[')) return element;
  const bracket = context.advance();
  let length = 0;
  if (!context.is(']')) length = parseArrayLength(context);
  context.expect(']');
  if (context.is('[') || element.kind === 'array') {
    context.error(bracket, '[', 'arrays of arrays are not supported');
    while (context.accept('[')) {
      if (!context.is(']')) parseArrayLength(context);
      context.expect(']');
    }
    return ERROR_TYPE;
  }
  if (element === ERROR_TYPE || length < 0) return ERROR_TYPE;
  if (element === VOID) {
    context.error(bracket, '[', 'illegal use of type void');
    return ERROR_TYPE;
  }
  if (length * Math.max(1, componentCount(element)) > MAX_VARIABLE_COMPONENTS) {
    context.error(bracket, '[', 'array is too large');
    return ERROR_TYPE;
  }
  return arrayType(element, length);
}

/** Parses a constant array length of at least 1; returns -1 after an error. */
function parseArrayLength(context: CheckContext): number {
  const position = context.token;
  const size = parseConditionalOnly(context);
  if (isErrorNode(size)) return -1;
  const isInteger = size.type === INT || size.type === UINT;
  if (!isInteger || !size.isConstantExpression || size.constant === null) {
    context.error(position, '[]', 'array size must be a constant integer expression');
    return -1;
  }
  const length = size.constant[0]!;
  if (length <= 0) {
    context.error(position, '[]', 'array size must be greater than zero');
    return -1;
  }
  return length;
}

/** Parses `constant_expression` of the grammar: no assignment, no comma. */
export function parseConditionalOnly(context: CheckContext): ExpressionNode {
  context.enter();
  const node = parseConditional(context);
  context.leave();
  return node;
}

function parseIndex(context: CheckContext, object: ExpressionNode): ExpressionNode {
  const bracket = context.advance();
  context.enter();
  const index = parseExpression(context);
  context.leave();
  context.expect(']');
  return checkIndex(context, bracket, object, index);
}

function parseSelection(context: CheckContext, object: ExpressionNode): ExpressionNode {
  const dot = context.advance();
  // Any identifier is a valid field name here; keywords are rejected.
  const name = context.expectIdentifier();
  if (context.is('(')) {
    return checkLengthMethod(context, object, name, parseArguments(context));
  }
  return checkSelection(context, dot, object, name);
}
