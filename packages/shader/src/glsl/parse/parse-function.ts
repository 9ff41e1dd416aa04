/** Parses function prototypes and definitions (GLSL ES 3.00 section 6.1). */

import type { BlockStatement } from '../../tree/checked-tree.ts';
import {
  containsArray,
  containsSampler,
  ERROR_TYPE,
  typeName,
  VOID,
} from '../../tree/type-rules.ts';
import type { CheckContext } from '../check/check-context.ts';
import { positionOf } from '../check/expression-nodes.ts';
import type { FunctionEntry, Variable } from '../check/symbol-scope.ts';
import type { Token } from '../preprocess/lexer.ts';
import { parseArraySuffix } from './parse-expression.ts';
import { parseTypeSpecifier, type TypeSpecifier } from './parse-type.ts';
import { parseQualifiers, type Qualifiers, resolvePrecision } from './qualifiers.ts';
import { enterVariable, makeVariable } from './variable-declarations.ts';

interface Parameter {
  readonly variable: Variable;
  /** Name of the parameter; null if it has none. */
  readonly name: Token | null;
}

/**
 * Parses a prototype or a definition from the opening parenthesis.
 *
 * @param parseBody Parser of the body; a parameter because statements may contain prototypes.
 */
export function parseFunction(
  context: CheckContext,
  qualifiers: Qualifiers,
  specifier: TypeSpecifier,
  name: Token,
  parseBody: (context: CheckContext) => BlockStatement,
): void {
  checkReturnType(context, qualifiers, specifier, name);
  const parameters = parseParameters(context);
  const isDefinition = context.is('{');
  if (!isDefinition && !context.is(';')) context.failSyntax();
  const isLocal = !context.scope.isGlobal;
  if (isLocal && (isDefinition || context.version === 300 || context.isWebGl)) {
    context.error(name, name.text, 'functions can only be declared at global scope');
  }
  const entry = declareFunction(context, specifier, name, parameters, isDefinition);
  if (!isDefinition) {
    for (const parameter of parameters) {
      if (parameter.name !== null) context.checkDeclarableName(parameter.name);
    }
    context.advance();
    return;
  }
  const variables = parameters.map((parameter) => parameter.variable);
  entry.symbol.parameters = variables;
  entry.symbol.position = positionOf(name);
  const caller = context.currentFunction;
  context.currentFunction = entry;
  context.scope.push();
  for (const parameter of parameters) {
    if (parameter.name !== null) enterVariable(context, parameter.name, parameter.variable);
  }
  // In GLSL ES 1.00 the body is a scope inside that of the parameters; in later versions and in
  // WebGL both are one.
  const isScopeInside = context.version === 100 && !context.isWebGl;
  if (isScopeInside) context.scope.push();
  entry.symbol.body = parseBody(context);
  if (specifier.type !== VOID && !entry.hasReturn && context.isWebGl) {
    context.error(name, name.text, 'function does not return a value');
  }
  if (isScopeInside) context.scope.pop();
  context.scope.pop();
  context.currentFunction = caller;
}

function checkReturnType(
  context: CheckContext,
  qualifiers: Qualifiers,
  specifier: TypeSpecifier,
  name: Token,
): void {
  const { type } = specifier;
  const hasOther =
    qualifiers.isConst ||
    qualifiers.storage !== null ||
    qualifiers.isInvariant ||
    qualifiers.isCentroid ||
    qualifiers.isSample ||
    qualifiers.interpolation !== null ||
    qualifiers.hasLayout;
  if (hasOther) {
    context.error(qualifiers.position, name.text, 'no qualifiers allowed for a function return');
  }
  resolvePrecision(context, specifier.position, type, qualifiers.precision);
  if (containsSampler(type)) {
    context.error(specifier.position, typeName(type), 'a function cannot return samplers');
  }
  if (containsArray(type) && !context.hasArrayValues) {
    context.error(specifier.position, typeName(type), 'a function cannot return arrays');
  }
  if (type.kind === 'array' && type.length === 0) {
    context.error(specifier.position, name.text, 'the returned array must have a size');
  }
  if (specifier.definesStruct && context.isEs) {
    context.error(specifier.position, 'struct', 'a struct cannot be defined in a return type');
  }
}

function parseParameters(context: CheckContext): Parameter[] {
  context.expect('(');
  const parameters: Parameter[] = [];
  if (context.accept(')')) return parameters;
  if (context.is('void') && context.peek().text === ')') {
    context.advance();
    context.advance();
    return parameters;
  }
  do parameters.push(parseParameter(context));
  while (context.accept(','));
  context.expect(')');
  return parameters;
}

function parseParameter(context: CheckContext): Parameter {
  const qualifiers = parseQualifiers(context);
  const specifier = parseTypeSpecifier(context);
  const name = context.token.kind === 'identifier' ? context.advance() : null;
  const type = parseArraySuffix(context, specifier.type);
  const position = name ?? specifier.position;
  const variable = makeVariable(name?.text ?? '', type, 'parameter', position);
  const { storage } = qualifiers;
  variable.direction = storage === 'out' || storage === 'inout' ? storage : 'in';
  variable.isReadOnly = qualifiers.isConst;
  variable.precision = resolvePrecision(context, position, type, qualifiers.precision);
  const refuse = (message: string): void => context.error(position, variable.name, message);
  const isStorageAllowed =
    storage === null || storage === 'in' || storage === 'out' || storage === 'inout';
  const hasOther =
    qualifiers.isInvariant ||
    qualifiers.isCentroid ||
    qualifiers.isSample ||
    qualifiers.interpolation !== null ||
    qualifiers.hasLayout;
  if (!isStorageAllowed || hasOther) refuse('invalid qualifier for a parameter');
  if (qualifiers.isConst && variable.direction !== 'in')
    refuse('const cannot be combined with out');
  if (type === VOID) {
    refuse('a parameter cannot be void');
    variable.type = ERROR_TYPE;
  }
  if (variable.direction !== 'in' && containsSampler(type)) refuse('samplers cannot be out');
  if (type.kind === 'array' && type.length === 0) refuse('an array parameter must have a size');
  if (specifier.definesStruct) refuse('a struct cannot be defined in a parameter');
  return { variable, name };
}

function declareFunction(
  context: CheckContext,
  specifier: TypeSpecifier,
  name: Token,
  parameters: readonly Parameter[],
  isDefinition: boolean,
): FunctionEntry {
  const refuse = (message: string): void => context.error(name, name.text, message);
  const variables = parameters.map((parameter) => parameter.variable);
  const fresh: FunctionEntry = {
    symbol: {
      name: name.text,
      returnType: specifier.type,
      parameters: variables,
      position: positionOf(name),
      body: null,
    },
    parameterTypes: variables.map((variable) => variable.type),
    isDefined: isDefinition,
    hasPrototype: !isDefinition,
    lastShader: context.preprocessor.shaderCount,
    hasReturn: false,
    callees: new Map(),
  };
  context.checkDeclarableName(name);
  checkMain(context, specifier, name, parameters);
  checkBuiltInName(context, name, fresh);
  const existing = context.scope.findGlobal(name.text);
  if (existing !== undefined && existing.kind !== 'functions') {
    refuse('redefinition of a name of this scope');
    return fresh;
  }
  const overloads = existing?.overloads ?? [];
  const same = overloads.find((entry) => haveSameParameters(entry, fresh));
  if (same === undefined) {
    overloads.push(fresh);
    context.functions.push(fresh);
    context.scope.declareGlobal(name.text, { kind: 'functions', overloads });
    return fresh;
  }
  same.lastShader = fresh.lastShader;
  if (same.symbol.returnType !== specifier.type) {
    refuse('overloaded functions must have the same return type');
  }
  const agree = same.symbol.parameters.every((parameter, index) => {
    const other = variables[index]!;
    return parameter.direction === other.direction && parameter.isReadOnly === other.isReadOnly;
  });
  if (!agree) refuse('overloaded functions must have the same parameter qualifiers');
  if (isDefinition) {
    if (same.isDefined) {
      refuse('function already has a body');
      return fresh;
    }
    same.isDefined = true;
  } else {
    if (same.hasPrototype && context.version === 100) {
      refuse('duplicate function prototype declarations are not allowed');
    }
    same.hasPrototype = true;
  }
  return same;
}

function haveSameParameters(a: FunctionEntry, b: FunctionEntry): boolean {
  return (
    a.parameterTypes.length === b.parameterTypes.length &&
    a.parameterTypes.every((type, index) => type === b.parameterTypes[index])
  );
}

function checkMain(
  context: CheckContext,
  specifier: TypeSpecifier,
  name: Token,
  parameters: readonly Parameter[],
): void {
  if (name.text !== 'main') return;
  if (parameters.length > 0) context.error(name, 'main', 'function cannot take any parameters');
  if (specifier.type !== VOID) context.error(name, 'main', 'function must return void');
}

/**
 * Reports a redefinition of a built-in function. GLSL ES 3.00 reserves all its names, GLSL ES 1.00
 * only its signatures.
 */
function checkBuiltInName(context: CheckContext, name: Token, entry: FunctionEntry): void {
  if (!context.isEs) return;
  const builtIns = context.findBuiltInFunctions(name.text);
  const isTaken = builtIns.some(
    ({ parameterTypes }) =>
      context.version === 300 ||
      (parameterTypes.length === entry.parameterTypes.length &&
        parameterTypes.every((type, index) => type === entry.parameterTypes[index])),
  );
  if (isTaken) context.error(name, name.text, 'built-in functions cannot be redefined');
}
