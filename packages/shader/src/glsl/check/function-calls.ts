/**
 * Calls of functions and constructors: overload resolution and arguments (GLSL ES 3.00 sections 5.4
 * and 6.1).
 */

import type { Expression } from '../../tree/checked-tree.ts';
import {
  arrayType,
  baseOf,
  componentCount,
  ERROR_TYPE,
  isImplicitlyConvertible,
  isNumericShape,
  typeName,
  VOID,
} from '../../tree/type-rules.ts';
import type { GlslType } from '../../tree/types.ts';
import type { BuiltInSignature } from '../language/built-in-signature.ts';
import type { Token } from '../preprocess/lexer.ts';
import { checkAssignable } from './assignable.ts';
import type { CheckContext } from './check-context.ts';
import { foldBuiltInCall } from './constant-folding.ts';
import {
  constructNode,
  convertTo,
  depthAbove,
  errorNode,
  isErrorNode,
  positionOf,
} from './expression-nodes.ts';
import type { ExpressionNode, FunctionEntry } from './symbol-scope.ts';

type Candidate = Pick<FunctionEntry, 'parameterTypes'> & Partial<Pick<FunctionEntry, 'symbol'>>;

/** Returns the call of a user's or built-in function named `name`. */
export function callNode(
  context: CheckContext,
  name: Token,
  args: readonly ExpressionNode[],
): ExpressionNode {
  const entry = context.scope.find(name.text);
  if (entry !== undefined && entry.kind !== 'functions') {
    context.error(name, name.text, 'function name expected');
    return errorNode(name);
  }
  if (args.some(isErrorNode)) return errorNode(name);
  const { shaderCount } = context.preprocessor;
  const known = entry?.kind === 'functions' ? entry.overloads : [];
  // A shader sees functions of others, and what they do with names of the language, by prototype.
  const overloads =
    shaderCount < 2 ? known : known.filter(({ lastShader }) => lastShader === shaderCount);
  const builtIns = context.findBuiltInFunctions(name.text);
  const exact = findExact(overloads, args);
  if (exact !== null) return userCall(context, name, exact, args);
  const exactBuiltIn = findExact(builtIns, args);
  if (exactBuiltIn !== null) return builtInCall(context, name, exactBuiltIn, args);
  if (context.hasImplicitConversions) {
    const converted = findByConversion(overloads, args);
    if (converted !== null) return userCall(context, name, converted, args);
    const convertedBuiltIn = findByConversion(builtIns, args);
    if (convertedBuiltIn !== null) return builtInCall(context, name, convertedBuiltIn, args);
  }
  const argumentTypes = args.map((arg) => typeName(arg.type)).join(', ');
  const message =
    overloads.length + builtIns.length === 0
      ? `undeclared identifier: there is no function of this name${context.needOf(name.text)}`
      : `no matching overloaded function found for (${argumentTypes})`;
  context.error(name, name.text, message);
  return errorNode(name);
}

function findExact<T extends Candidate>(
  candidates: readonly T[],
  args: readonly ExpressionNode[],
): T | null {
  for (const candidate of candidates) {
    const { parameterTypes } = candidate;
    if (parameterTypes.length !== args.length) continue;
    if (parameterTypes.every((type, index) => type === args[index]!.type)) return candidate;
  }
  return null;
}

/** Returns the first candidate among those that convert the fewest arguments. */
function findByConversion<T extends Candidate>(
  candidates: readonly T[],
  args: readonly ExpressionNode[],
): T | null {
  let best: T | null = null;
  let fewest = Infinity;
  for (const candidate of candidates) {
    const { parameterTypes } = candidate;
    if (parameterTypes.length !== args.length) continue;
    let conversionCount = 0;
    const fits = parameterTypes.every((type, index) => {
      const given = args[index]!.type;
      if (type === given) return true;
      conversionCount++;
      // An output is converted after the call (GLSL 1.30, section 6.1).
      const direction = candidate.symbol?.parameters[index]?.direction ?? 'in';
      const isIn = direction === 'out' || isImplicitlyConvertible(given, type);
      return isIn && (direction === 'in' || isImplicitlyConvertible(type, given));
    });
    if (fits && conversionCount < fewest) {
      best = candidate;
      fewest = conversionCount;
    }
  }
  return best;
}

function convertArguments(
  context: CheckContext,
  args: readonly ExpressionNode[],
  types: readonly GlslType[],
): ExpressionNode[] {
  return args.map((arg, index) => convertTo(context, arg, types[index]!) ?? arg);
}

function userCall(
  context: CheckContext,
  name: Token,
  entry: FunctionEntry,
  args: readonly ExpressionNode[],
): ExpressionNode {
  const { symbol } = entry;
  symbol.parameters.forEach((parameter, index) => {
    if (parameter.direction !== 'in') checkAssignable(context, args[index]!, name.text);
  });
  const caller = context.currentFunction;
  if (caller === null) {
    context.error(name, name.text, 'user-defined functions cannot initialize a global variable');
  } else if (!caller.callees.has(entry)) {
    caller.callees.set(entry, positionOf(name));
  }
  return {
    kind: 'call',
    function: symbol,
    arguments: args.map((arg, index) =>
      symbol.parameters[index]!.direction === 'in'
        ? (convertTo(context, arg, entry.parameterTypes[index]!) ?? arg)
        : arg,
    ),
    type: symbol.returnType,
    position: positionOf(name),
    constant: null,
    isConstantExpression: false,
    depth: depthAbove(context, name, ...args),
  };
}

function builtInCall(
  context: CheckContext,
  name: Token,
  signature: BuiltInSignature,
  args: readonly ExpressionNode[],
): ExpressionNode {
  for (const index of signature.outParameters) checkAssignable(context, args[index]!, name.text);
  const converted = convertArguments(context, args, signature.parameterTypes);
  checkTexelOffset(context, name, converted);
  checkInterpolant(context, name, converted);
  const isConstantExpression =
    signature.isConstant && converted.every((arg) => arg.isConstantExpression);
  return {
    kind: 'builtinCall',
    name: name.text,
    arguments: converted,
    type: signature.returnType,
    position: positionOf(name),
    constant: isConstantExpression
      ? foldBuiltInCall(name.text, signature.returnType, converted)
      : null,
    isConstantExpression,
    depth: depthAbove(context, name, ...args),
  };
}

/**
 * Checks that a varying, or an element of one, is interpolated
 * (OES_shader_multisample_interpolation).
 */
function checkInterpolant(
  context: CheckContext,
  name: Token,
  [interpolant]: readonly ExpressionNode[],
): void {
  if (!name.text.startsWith('interpolateAt')) return;
  let node: Expression = interpolant!;
  while (node.kind === 'index') node = node.object;
  if (node.kind === 'variable' && node.variable.storage === 'input') return;
  context.error(interpolant!.position, name.text, 'the first argument must be a varying');
}

/**
 * Checks that a texel offset is constant and in range. It is the last argument of integers.
 */
function checkTexelOffset(
  context: CheckContext,
  name: Token,
  args: readonly ExpressionNode[],
): void {
  if (!name.text.startsWith('te') || !name.text.endsWith('Offset')) return;
  const offset = args.findLast((arg) => baseOf(arg.type) === 'int');
  if (offset === undefined) return;
  if (!offset.isConstantExpression) {
    context.error(offset.position, name.text, 'texture offset must be a constant expression');
    return;
  }
  const { minProgramTexelOffset, maxProgramTexelOffset } = context.limits;
  const isOutside = (value: number): boolean =>
    value < minProgramTexelOffset || value > maxProgramTexelOffset;
  if (offset.constant?.some(isOutside)) {
    context.error(offset.position, name.text, 'texture offset value out of range');
  }
}

/**
 * Returns the constructor call `type(args…)`. An array type without a length takes it from the
 * arguments.
 */
export function constructorCall(
  context: CheckContext,
  position: Token,
  type: GlslType,
  args: readonly ExpressionNode[],
): ExpressionNode {
  if (type === ERROR_TYPE || args.some(isErrorNode)) return errorNode(position);
  const name = typeName(type);
  const refuse = (message: string): ExpressionNode => {
    context.error(position, name, message);
    return errorNode(position);
  };
  if (type === VOID || type.kind === 'sampler') return refuse('this type has no constructor');
  if (args.length === 0) return refuse('constructor does not have any arguments');
  if (args.some((arg) => arg.type === VOID)) return refuse('cannot convert a void value');

  if (type.kind === 'array') {
    const sized = type.length === 0 ? arrayType(type.element, args.length) : type;
    if (sized.kind !== 'array' || sized.length !== args.length) {
      return refuse('array constructor needs one argument per array element');
    }
    return constructAggregate(
      context,
      position,
      sized,
      args,
      args.map(() => type.element),
    );
  }
  if (type.kind === 'struct') {
    if (args.length !== type.fields.length) {
      return refuse('the number of constructor arguments does not match the number of fields');
    }
    return constructAggregate(
      context,
      position,
      type,
      args,
      type.fields.map((field) => field.type),
    );
  }
  const fault = findNumericConstructorFault(context, type, args);
  return fault === null ? constructNode(context, position, type, args) : refuse(fault);
}

function constructAggregate(
  context: CheckContext,
  position: Token,
  type: GlslType,
  args: readonly ExpressionNode[],
  memberTypes: readonly GlslType[],
): ExpressionNode {
  const converted: ExpressionNode[] = [];
  for (const [index, arg] of args.entries()) {
    const member = convertTo(context, arg, memberTypes[index]!);
    if (member === null) {
      const expected = typeName(memberTypes[index]!);
      const message = `argument ${index + 1} of the constructor is ${typeName(arg.type)}, not ${expected}`;
      context.error(arg.position, typeName(type), message);
      return errorNode(position);
    }
    if (member.type.kind === 'array' && !context.hasArrayValues) {
      context.error(arg.position, typeName(type), 'arrays cannot be constructor arguments');
      return errorNode(position);
    }
    converted.push(member);
  }
  return constructNode(context, position, type, converted);
}

function findNumericConstructorFault(
  context: CheckContext,
  type: GlslType,
  args: readonly ExpressionNode[],
): string | null {
  const wanted = componentCount(type);
  let given = 0;
  for (const arg of args) {
    if (!isNumericShape(arg.type) || baseOf(arg.type) === null) {
      return `cannot convert a value of type ${typeName(arg.type)}`;
    }
    if (given >= wanted) return 'too many arguments';
    given += componentCount(arg.type);
  }
  const hasMatrix = args.some((arg) => arg.type.kind === 'matrix');
  if (type.kind === 'matrix' && hasMatrix) {
    if (context.version === 110) return 'a matrix cannot be made from a matrix in GLSL 1.10';
    if (args.length > 1) return 'a matrix from a matrix takes only one argument';
    return null;
  }
  const first = args[0]!.type;
  if (args.length === 1 && first.kind === 'scalar') return null;
  return given < wanted ? 'not enough data provided for construction' : null;
}
