/**
 * Parses and checks expressions (GLSL ES 3.00 chapter 5) by recursive descent; binary operators by
 * precedence climbing.
 *
 * Long because the productions call each other in a circle; one file keeps the circle in sight.
 */

import type { BinaryOperator, UnaryOperator } from '../../tree/checked-tree.ts';
import {
  arrayType,
  BOOL,
  baseOf,
  componentCount,
  containsArray,
  containsSampler,
  ERROR_TYPE,
  INT,
  isNumericShape,
  typeName,
  UINT,
  VOID,
} from '../../tree/type-rules.ts';
import type { GlslType } from '../../tree/types.ts';
import { checkAssignable } from '../check/assignable.ts';
import type { CheckContext } from '../check/check-context.ts';
import {
  balanceOperands,
  binaryNode,
  convertTo,
  depthAbove,
  elementType,
  errorNode,
  fieldNode,
  indexNode,
  isErrorNode,
  literalNode,
  positionOf,
  swizzleNode,
  unaryNode,
  variableNode,
} from '../check/expression-nodes.ts';
import { callNode, constructorCall } from '../check/function-calls.ts';
import { checkRestrictedIndex } from '../check/loop-restrictions.ts';
import { parseNumber } from '../check/number-literals.ts';
import type { ExpressionNode, Variable } from '../check/symbol-scope.ts';
import { MAX_VARIABLE_COMPONENTS } from '../language/limits.ts';
import {
  ASSIGNMENT_OPERATORS,
  BINARY_PRECEDENCES,
  binaryOperatorType,
  isOperatorReserved,
} from '../language/operator-rules.ts';
import type { Token } from '../preprocess/lexer.ts';

/** `expression`: assignments separated by commas. */
export function parseExpression(context: CheckContext): ExpressionNode {
  let left = parseAssignment(context);
  while (context.is(',')) {
    const operator = context.advance();
    const right = parseAssignment(context);
    checkCommaOperands(context, operator, left, right);
    left = {
      kind: 'comma',
      left,
      right,
      type: right.type,
      position: positionOf(operator),
      // With a constant the effects of the left side would be lost.
      constant: context.version === 300 || left.constant === null ? null : right.constant,
      // In GLSL ES 3.00 the operator takes the result out of the constant expressions.
      isConstantExpression:
        context.version !== 300 && left.isConstantExpression && right.isConstantExpression,
      depth: depthAbove(context, operator, left, right),
    };
  }
  return left;
}

function checkCommaOperands(
  context: CheckContext,
  operator: Token,
  left: ExpressionNode,
  right: ExpressionNode,
): void {
  if (!context.isWebGl || context.version !== 300) return;
  for (const { type } of [left, right]) {
    if (type === VOID || containsArray(type)) {
      context.error(operator, ',', 'not allowed for void, arrays, or structs containing arrays');
      return;
    }
  }
}

/** `assignment_expression`. */
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
  return assignNode(context, token, operator, target, value);
}

function assignNode(
  context: CheckContext,
  token: Token,
  operator: BinaryOperator | null,
  target: ExpressionNode,
  value: ExpressionNode,
): ExpressionNode {
  if (isErrorNode(target) || isErrorNode(value)) return errorNode(token);
  checkAssignable(context, target, token.text);
  if (operator !== null && isOperatorReserved(operator, context.version)) {
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
    converted = balanceOperands(context, target, value)[1];
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

function parseConditional(context: CheckContext): ExpressionNode {
  const condition = parseBinary(context, 1);
  if (!context.is('?')) return condition;
  const token = context.advance();
  context.enter();
  const whenTrue = parseExpression(context);
  context.expect(':');
  const whenFalse = parseAssignment(context);
  context.leave();
  return conditionalNode(context, token, condition, whenTrue, whenFalse);
}

function conditionalNode(
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

function parseBinary(context: CheckContext, lowest: number): ExpressionNode {
  let left = parseUnary(context);
  for (;;) {
    if (context.token.kind !== 'punctuator') return left;
    const precedence = BINARY_PRECEDENCES.get(context.token.text);
    if (precedence === undefined || precedence < lowest) return left;
    const token = context.advance();
    const right = parseBinary(context, precedence + 1);
    left = binaryExpression(context, token, left, right);
  }
}

function binaryExpression(
  context: CheckContext,
  token: Token,
  left: ExpressionNode,
  right: ExpressionNode,
): ExpressionNode {
  if (isErrorNode(left) || isErrorNode(right)) return errorNode(token);
  const operator = token.text as BinaryOperator;
  if (isOperatorReserved(operator, context.version)) {
    context.error(token, operator, 'integer operators are reserved in this version');
    return errorNode(token);
  }
  const [a, b] = balanceOperands(context, left, right);
  const type = binaryOperatorType(operator, a.type, b.type, context.hasArrayValues);
  if (type === null) {
    const types = `${typeName(left.type)} and ${typeName(right.type)}`;
    context.error(token, operator, `wrong operand types: no operation takes ${types}`);
    return errorNode(token);
  }
  return binaryNode(context, token, operator, type, a, b);
}

/** An expression of which the first operand has been read already. */
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
      return incrementNode(context, token, target, true);
    }
    case '+':
    case '-':
    case '!':
    case '~': {
      const token = context.advance();
      context.enter();
      const operand = parseUnary(context);
      context.leave();
      return unaryExpression(context, token, text, operand);
    }
    default:
      return parsePostfix(context);
  }
}

function unaryExpression(
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
    isFitting = context.version === 300 && (base === 'int' || base === 'uint');
  } else isFitting = base !== null && base !== 'bool';
  if (!isFitting) {
    context.error(token, operator, `wrong operand type ${typeName(operand.type)}`);
    return errorNode(token);
  }
  return unaryNode(context, token, operator, operand);
}

function incrementNode(
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
        node = incrementNode(context, context.advance(), node, false);
        break;
      default:
        return node;
    }
  }
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

/** A variable by name, the user's or one of the language. */
function nameNode(context: CheckContext, name: Token): ExpressionNode {
  const entry = context.scope.find(name.text);
  if (entry?.kind === 'variable') return variableUse(context, name, entry.variable);
  if (entry === undefined) {
    const builtIn = context.findBuiltInVariable(name.text);
    if (builtIn !== null) return variableUse(context, name, context.useBuiltInVariable(builtIn));
    context.error(name, name.text, 'undeclared identifier');
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

/** `(a, b, …)`, also `()` and `(void)`. */
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

/** The arguments of a constructor whose type has just been read. */
export function parseConstructorOf(
  context: CheckContext,
  position: Token,
  type: GlslType,
): ExpressionNode {
  if (!context.is('(')) context.failSyntax();
  if (type.kind === 'array' && !context.hasArrayValues) {
    context.error(position, '[]', 'array constructors need a later version');
  }
  const args = parseArguments(context);
  return constructorCall(context, position, type, args);
}

/** `element` with a `[size]` or `[]` that may follow. */
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

/** A constant array length of at least 1; -1 after an error. */
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

/** `constant_expression` of the grammar: no assignment, no comma. */
export function parseConditionalOnly(context: CheckContext): ExpressionNode {
  context.enter();
  const node = parseConditional(context);
  context.leave();
  return node;
}

// ---- parts of values ----

function parseIndex(context: CheckContext, object: ExpressionNode): ExpressionNode {
  const bracket = context.advance();
  context.enter();
  const index = parseExpression(context);
  context.leave();
  context.expect(']');
  if (isErrorNode(object) || isErrorNode(index)) return errorNode(bracket);
  if (elementType(object.type) === null) {
    context.error(bracket, '[', `${typeName(object.type)} cannot be indexed`);
    return errorNode(bracket);
  }
  if (index.type !== INT && index.type !== UINT) {
    context.error(bracket, '[', 'integer expression required');
    return errorNode(bracket);
  }
  if (!checkIndexRange(context, bracket, object, index)) return errorNode(bracket);
  checkIndexConstancy(context, bracket, object, index);
  if (context.restrictLoops) checkRestrictedIndex(context, bracket, object, index);
  return indexNode(context, bracket, object, index);
}

function indexableLength(type: GlslType): number {
  if (type.kind === 'array') return type.length;
  if (type.kind === 'matrix') return type.columns;
  return componentCount(type);
}

function checkIndexRange(
  context: CheckContext,
  bracket: Token,
  object: ExpressionNode,
  index: ExpressionNode,
): boolean {
  const length = indexableLength(object.type);
  const isUnsized = object.type.kind === 'array' && length === 0;
  if (index.constant === null) {
    if (isUnsized) {
      context.error(bracket, '[', 'array must have a size before a variable indexes it');
      return false;
    }
    return true;
  }
  const value = index.constant[0]!;
  const limit = isUnsized ? unsizedLimit(context, object) : length;
  if (value < 0 || value >= limit) {
    context.error(bracket, '[', `index ${value} is out of range`);
    return false;
  }
  if (isUnsized && object.kind === 'variable') {
    const variable = object.variable as Variable;
    variable.largestIndex = Math.max(variable.largestIndex, value);
  }
  return true;
}

function unsizedLimit(context: CheckContext, object: ExpressionNode): number {
  const isTexCoord = object.kind === 'variable' && object.variable.name === 'gl_TexCoord';
  return isTexCoord ? context.limits.maxTextureCoords : MAX_VARIABLE_COMPONENTS / 16;
}

/** Some arrays may only be indexed by constants. */
function checkIndexConstancy(
  context: CheckContext,
  bracket: Token,
  object: ExpressionNode,
  index: ExpressionNode,
): void {
  if (!context.isEs || index.isConstantExpression) return;
  if (object.kind === 'variable') {
    const { variable } = object;
    if (variable.block?.arrayLength != null && object.type.kind === 'array') {
      const isInstanceArray = variable.name === variable.block.instanceName;
      if (isInstanceArray) {
        context.error(bracket, '[', 'array of uniform blocks needs a constant index');
        return;
      }
    }
    // In GLSL ES 1.00 several targets are an extension's, and counters of loops may choose among them.
    const isOneTarget = context.version !== 100 || !context.isExtensionOn('GL_EXT_draw_buffers');
    const isOutputArray =
      context.stage === 'fragment' &&
      ((variable.name === 'gl_FragData' && isOneTarget) ||
        (variable.storage === 'output' && object.type.kind === 'array'));
    if (isOutputArray) {
      context.error(bracket, '[', 'fragment outputs need a constant index');
      return;
    }
  }
  if (context.version === 300 && containsSampler(object.type)) {
    context.error(bracket, '[', 'arrays of samplers need a constant integral index');
  }
}

const COMPONENT_SETS: readonly string[] = ['xyzw', 'rgba', 'stpq'];

function parseSelection(context: CheckContext, object: ExpressionNode): ExpressionNode {
  const dot = context.advance();
  // A field may have the name of nothing that is declared; keywords are refused.
  const name = context.expectIdentifier();
  if (context.is('(')) return lengthMethod(context, object, name);
  if (isErrorNode(object)) return errorNode(name);
  const { type } = object;
  if (type.kind === 'struct') {
    const fieldIndex = type.fields.findIndex((field) => field.name === name.text);
    if (fieldIndex < 0) {
      context.error(name, name.text, `no such field in structure ${typeName(type)}`);
      return errorNode(name);
    }
    return fieldNode(context, name, object, fieldIndex);
  }
  if (type.kind === 'vector') {
    const components = swizzleComponents(name.text, type.size);
    if (components !== null) return swizzleNode(context, name, object, components);
    context.error(name, name.text, `invalid selection of components of ${typeName(type)}`);
    return errorNode(name);
  }
  context.error(dot, name.text, `field selection requires a structure or vector on the left`);
  return errorNode(name);
}

/** Component numbers of a selection such as `xzy`, or null if it is none. */
function swizzleComponents(text: string, size: number): number[] | null {
  if (text.length > 4) return null;
  const set = COMPONENT_SETS.find((names) => names.includes(text[0]!));
  if (set === undefined) return null;
  const components: number[] = [];
  for (const character of text) {
    const component = set.indexOf(character);
    if (component < 0 || component >= size) return null;
    components.push(component);
  }
  return components;
}

/** `array.length()`: a constant, unless the array is made by an expression that may have effects. */
function lengthMethod(context: CheckContext, object: ExpressionNode, name: Token): ExpressionNode {
  const args = parseArguments(context);
  if (isErrorNode(object)) return object;
  const { type } = object;
  if (name.text !== 'length' || args.length > 0 || !context.hasArrayValues) {
    context.error(name, name.text, 'invalid method');
    return errorNode(name);
  }
  if (type.kind !== 'array' || type.length === 0) {
    context.error(name, 'length', 'can only be called on an array with a size');
    return errorNode(name);
  }
  const length = literalNode(name, INT, [type.length]);
  if (isPlain(object)) return length;
  return {
    kind: 'comma',
    left: object,
    right: length,
    type: INT,
    position: positionOf(name),
    constant: null,
    isConstantExpression: false,
    depth: depthAbove(context, name, object, length),
  };
}

/** Whether evaluating `node` has no effect: a constant, or a variable or a part of one. */
function isPlain(node: ExpressionNode): boolean {
  if (node.constant !== null) return true;
  switch (node.kind) {
    case 'variable':
      return true;
    case 'field':
    case 'swizzle':
      return isPlain(node.object as ExpressionNode);
    case 'index':
      return isPlain(node.object as ExpressionNode) && isPlain(node.index as ExpressionNode);
    default:
      return false;
  }
}

/** A condition of `if`, `while`, `for`: reports anything but a bool. */
export function checkCondition(context: CheckContext, node: ExpressionNode): void {
  if (!isErrorNode(node) && node.type !== BOOL) {
    context.error(node.position, typeName(node.type), 'boolean expression expected');
  }
}

/** `node` as the initial value of a variable of `type`; null after a complaint. */
export function convertInitializer(
  context: CheckContext,
  position: Token,
  node: ExpressionNode,
  type: GlslType,
): ExpressionNode | null {
  if (isErrorNode(node) || type === ERROR_TYPE) return null;
  const converted = convertTo(context, node, type);
  if (converted === null || type === VOID) {
    const types = `${typeName(node.type)} to ${typeName(type)}`;
    context.error(position, '=', `cannot convert from ${types}`);
    return null;
  }
  return converted;
}
