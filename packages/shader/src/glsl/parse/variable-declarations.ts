/** Rules for variables by storage, stage and version (section 4.3 of GLSL ES 3.00 and 1.00). */

import type { SourcePosition, StorageClass } from '../../tree/checked-tree.ts';
import {
  areTypesAlike,
  baseOf,
  containsArray,
  containsSampler,
  containsType,
  ERROR_TYPE,
  typeName,
  VOID,
} from '../../tree/type-rules.ts';
import type { GlslType } from '../../tree/types.ts';
import type { CheckContext } from '../check/check-context.ts';
import { sizeLimitOf } from '../check/check-index.ts';
import { positionOf } from '../check/expression-nodes.ts';

import type { ExpressionNode, Variable } from '../check/symbol-scope.ts';
import type { BuiltInVariable } from '../language/built-in-variables.ts';
import type { Token } from '../preprocess/lexer.ts';
import { type Qualifiers, resolvePrecision } from './qualifiers.ts';

/** Creates a variable without declaring it. */
export function makeVariable(
  name: string,
  type: GlslType,
  storage: StorageClass,
  position: SourcePosition,
): Variable {
  return {
    name,
    type,
    storage,
    position: positionOf(position),
    precision: null,
    constant: null,
    isFlat: false,
    isNoPerspective: false,
    isCentroid: false,
    isSample: false,
    isInvariant: false,
    location: null,
    index: 0,
    direction: null,
    isReadOnly: false,
    block: null,
    isConstantExpression: false,
    largestIndex: -1,
  };
}

/**
 * Returns the storage of a global or local declaration; reports qualifiers that are invalid there.
 */
export function storageOf(context: CheckContext, qualifiers: Qualifiers): StorageClass {
  const { storage } = qualifiers;
  const isGlobal = context.scope.isGlobal;
  const refuse = (message: string): void => {
    context.error(qualifiers.position, storage ?? 'qualifier', message);
  };
  if (!isGlobal) {
    const hasOther =
      storage !== null ||
      qualifiers.isInvariant ||
      qualifiers.isCentroid ||
      qualifiers.isSample ||
      qualifiers.interpolation !== null ||
      qualifiers.hasLayout;
    if (hasOther) refuse('this qualifier is only allowed at global scope');
    return 'local';
  }
  switch (storage) {
    case null:
      return 'global';
    case 'uniform':
      return 'uniform';
    case 'attribute':
      if (context.stage !== 'vertex') refuse('attributes are only allowed in vertex shaders');
      return 'input';
    case 'varying':
      return context.stage === 'vertex' ? 'output' : 'input';
    case 'in':
    case 'out':
      if (!context.hasInOut) refuse('global in and out need version 130 or 300 es');
      return storage === 'in' ? 'input' : 'output';
    case 'inout':
      refuse('only parameters can be inout');
      return 'global';
  }
}

/**
 * Checks everything about a declared variable except its initial value. Returns the symbol: that of
 * the first declaration if this one repeats it.
 */
export function declareVariable(
  context: CheckContext,
  name: Token,
  type: GlslType,
  qualifiers: Qualifiers,
  storage: StorageClass,
): Variable {
  const variable = makeVariable(name.text, type, storage, name);
  variable.precision = resolvePrecision(context, name, type, qualifiers.precision);
  variable.isFlat = qualifiers.interpolation === 'flat';
  variable.isNoPerspective = qualifiers.interpolation === 'noperspective';
  variable.isCentroid = qualifiers.isCentroid;
  variable.isSample = qualifiers.isSample;
  variable.isInvariant =
    qualifiers.isInvariant || context.isInvariantByPragma(storage === 'output');
  variable.location = qualifiers.location;
  variable.index = qualifiers.index ?? 0;
  variable.isReadOnly = qualifiers.isConst || storage === 'uniform' || storage === 'input';
  if (type !== ERROR_TYPE) {
    checkType(context, name, variable, qualifiers);
    checkInterface(context, name, variable, qualifiers);
  }
  return enterVariable(context, name, variable);
}

/**
 * Declares a variable in the innermost scope; reports a redefinition. Returns the variable that the
 * name stands for.
 */
export function enterVariable(context: CheckContext, name: Token, variable: Variable): Variable {
  if (redeclareBuiltIn(context, name, variable)) return variable;
  context.checkDeclarableName(name);
  const existing = context.scope.findHere(name.text);
  if (existing === undefined) {
    context.scope.declare(name.text, { kind: 'variable', variable });
    return variable;
  }
  if (existing.kind === 'variable') {
    const earlier = existing.variable;
    if (giveLength(context, earlier, variable) || isShared(context, earlier, variable)) {
      return earlier;
    }
  }
  context.error(name, name.text, 'redefinition of a name of this scope');
  return variable;
}

/**
 * Whether `variable` is the same global as one of an earlier shader of the stage (GLSL 1.20,
 * section 4.3).
 */
function isShared({ scope, preprocessor }: CheckContext, a: Variable, b: Variable): boolean {
  if (preprocessor.shaderCount < 2 || !scope.isGlobal) return false;
  const isConstant = (variable: Variable) => variable.storage === 'constant';
  const haveSameStorage = a.storage === b.storage || (isConstant(a) && b.isReadOnly);
  if (!haveSameStorage) return false;
  if (a.type.kind === 'array' && b.type.kind === 'array' && b.type.length === 0) {
    return areTypesAlike(a.type.element, b.type.element);
  }
  return areTypesAlike(a.type, b.type);
}

/**
 * Whether `variable` redeclares an earlier array without a length and sets it (desktop GLSL).
 */
function giveLength(context: CheckContext, earlier: Variable, variable: Variable): boolean {
  if (context.isEs || earlier.type.kind !== 'array' || variable.type.kind !== 'array') return false;
  if (earlier.type.length !== 0 || earlier.type.element !== variable.type.element) return false;
  if (earlier.storage !== variable.storage) return false;
  if (variable.type.length > 0) {
    if (variable.type.length <= earlier.largestIndex) {
      context.error(variable.position, variable.name, 'size does not cover an index used before');
    }
    earlier.type = variable.type;
  }
  return true;
}

/** Variables of the language that a shader may redeclare with an interpolation. */
const INTERPOLATED_BUILT_INS: ReadonlySet<string> = new Set([
  'gl_FrontColor',
  'gl_BackColor',
  'gl_FrontSecondaryColor',
  'gl_BackSecondaryColor',
  'gl_Color',
  'gl_SecondaryColor',
  'gl_FogFragCoord',
  'gl_FragCoord',
]);

/** Handles a redeclaration of a variable of the language. Returns false if there is none. */
function redeclareBuiltIn(context: CheckContext, name: Token, variable: Variable): boolean {
  if (!context.scope.isGlobal) return false;
  if (name.text === 'gl_FragDepth') return redeclareDepth(context, name, variable);
  const limit = sizeLimitOf(name.text, context.limits);
  if (limit === null && (context.isEs || !INTERPOLATED_BUILT_INS.has(name.text))) return false;
  const builtIn = context.findBuiltInVariable(name.text);
  if (builtIn === null) return false;
  if (limit !== null) return giveBuiltInLength(context, name, variable, builtIn, limit);
  if (variable.type !== builtIn.type) return false;
  const symbol = context.builtInSymbol(builtIn);
  symbol.isFlat = variable.isFlat;
  symbol.isNoPerspective = variable.isNoPerspective;
  return true;
}

/**
 * Handles a redeclaration of `gl_FragDepth`. Its layout changes nothing, because draws that write
 * the depth are tested after their shader.
 */
function redeclareDepth(context: CheckContext, name: Token, variable: Variable): boolean {
  if (!context.isExtensionOn('GL_EXT_conservative_depth')) return false;
  const builtIn = context.findBuiltInVariable(name.text);
  if (builtIn === null || variable.storage !== 'output') return false;
  if (variable.type !== builtIn.type || variable.location !== null) return false;
  if (context.usedBuiltIns.has(name.text) || context.builtins.has(name.text)) {
    context.error(name, name.text, 'must be redeclared before it is used, and once');
  }
  const symbol = context.builtInSymbol(builtIn);
  if (variable.isInvariant) symbol.isInvariant = true;
  return true;
}

/**
 * Handles a redeclaration of an array without a length. In GLSL ES it precedes all uses and has no
 * interpolation (EXT_clip_cull_distance).
 */
function giveBuiltInLength(
  context: CheckContext,
  name: Token,
  variable: Variable,
  builtIn: BuiltInVariable,
  limit: number,
): boolean {
  const { type } = variable;
  const isVarying = variable.storage === (context.stage === 'vertex' ? 'output' : 'input');
  if (!isVarying || type.kind !== 'array' || builtIn.type.kind !== 'array') return false;
  if (type.element !== builtIn.type.element) return false;
  const hasInterpolation = variable.isFlat || variable.isCentroid || variable.isSample;
  if (context.isEs && hasInterpolation) return false;
  if (context.isEs && context.usedBuiltIns.has(name.text)) {
    context.error(name, name.text, 'must be redeclared before it is used, and once');
  }
  const symbol = context.useBuiltInVariable(builtIn);
  if (type.length > limit || type.length <= symbol.largestIndex) {
    context.error(name, name.text, 'size is out of range');
  } else if (type.length > 0) {
    symbol.type = type;
  }
  if (variable.isInvariant) symbol.isInvariant = true;
  return true;
}

function checkType(
  context: CheckContext,
  name: Token,
  variable: Variable,
  qualifiers: Qualifiers,
): void {
  const { type, storage } = variable;
  if (type === VOID) {
    context.error(name, name.text, 'illegal use of type void');
    variable.type = ERROR_TYPE;
    return;
  }
  if (storage !== 'uniform' && containsSampler(type)) {
    context.error(name, name.text, `${typeName(type)}: samplers must be uniform`);
  }
  if (type.kind === 'array' && type.length === 0 && context.isEs) {
    context.error(name, name.text, 'array must have a size');
    variable.type = ERROR_TYPE;
  }
  if (qualifiers.isConst && qualifiers.storage !== null) {
    context.error(name, 'const', 'cannot be combined with another storage qualifier');
  }
}

/** Checks the rules for vertex inputs, varyings, fragment outputs and uniforms. */
function checkInterface(
  context: CheckContext,
  name: Token,
  variable: Variable,
  qualifiers: Qualifiers,
): void {
  const { storage, type } = variable;
  const isVarying = storage === (context.stage === 'vertex' ? 'output' : 'input');
  const isAttribute = storage === 'input' && context.stage === 'vertex';
  const isColor = storage === 'output' && context.stage === 'fragment';
  const refuse = (token: string, message: string): void => context.error(name, token, message);

  if (qualifiers.interpolation !== null && !isVarying) {
    refuse(qualifiers.interpolation, 'interpolation qualifiers are for varyings only');
  }
  if (qualifiers.isCentroid && !isVarying) refuse('centroid', 'is for varyings only');
  if (qualifiers.isSample && !isVarying) refuse('sample', 'is for varyings only');
  if (qualifiers.isInvariant && !(storage === 'output' || (isVarying && context.version !== 300))) {
    refuse('invariant', 'only outputs can be invariant');
  }
  if (qualifiers.location !== null && !isAttribute && !isColor) {
    refuse('location', 'only vertex inputs and fragment outputs can have a location');
  }
  if (qualifiers.index !== null && (!isColor || qualifiers.location === null)) {
    refuse('index', 'only fragment outputs with a location can have an index');
  }
  if (qualifiers.depthLayout !== null && name.text !== 'gl_FragDepth') {
    refuse(qualifiers.depthLayout, 'only gl_FragDepth can have this layout');
  }
  if (qualifiers.viewCount !== null)
    refuse('num_views', 'only an in without a variable can have this layout');
  if (qualifiers.blockLayout !== null || qualifiers.matrixLayout !== null) {
    refuse('layout', 'this layout is for uniform blocks only');
  }
  if (isAttribute) checkAttribute(context, type, refuse);
  else if (isColor) checkFragmentOutput(context, type, qualifiers, refuse);
  else if (isVarying) checkVarying(context, type, qualifiers, refuse);
}

type Refuse = (token: string, message: string) => void;

function checkAttribute(context: CheckContext, type: GlslType, refuse: Refuse): void {
  const base = baseOf(type);
  if (type.kind === 'array' || type.kind === 'struct') {
    refuse(typeName(type), 'vertex inputs cannot be arrays or structures');
  } else if (base === 'bool') {
    refuse(typeName(type), 'vertex inputs cannot be bool');
  } else if (!context.hasIntegers && base !== 'float') {
    refuse(typeName(type), 'attributes must have float components');
  }
}

function checkFragmentOutput(
  context: CheckContext,
  type: GlslType,
  qualifiers: Qualifiers,
  refuse: Refuse,
): void {
  const element = type.kind === 'array' ? type.element : type;
  if (element.kind !== 'scalar' && element.kind !== 'vector') {
    refuse(typeName(type), 'fragment outputs cannot be matrices or structures');
  } else if (element.base === 'bool') {
    refuse(typeName(type), 'fragment outputs cannot be bool');
  }
  const count = type.kind === 'array' ? type.length : 1;
  if (count + (qualifiers.location ?? 0) > context.limits.maxDrawBuffers) {
    refuse('location', 'fragment output location is out of range');
  }
}

function checkVarying(
  context: CheckContext,
  type: GlslType,
  qualifiers: Qualifiers,
  refuse: Refuse,
): void {
  const element = type.kind === 'array' ? type.element : type;
  if (!context.hasIntegers) {
    if (baseOf(element) !== 'float') refuse(typeName(type), 'varyings must have float components');
    return;
  }
  if (containsType(type, (part) => baseOf(part) === 'bool')) {
    refuse(typeName(type), 'varyings cannot be bool');
  }
  if (context.isEs && type.kind === 'array' && element.kind === 'struct') {
    refuse(typeName(type), 'varyings cannot be arrays of structures');
  }
  if (context.isEs && type.kind === 'struct') {
    if (containsArray(type)) refuse(typeName(type), 'varying structures cannot contain arrays');
    if (type.fields.some((field) => field.type.kind === 'struct')) {
      refuse(typeName(type), 'varying structures cannot contain structures');
    }
  }
  const isInteger = (part: GlslType): boolean => baseOf(part) === 'int' || baseOf(part) === 'uint';
  // Desktop GLSL requires the qualifier only where the value is interpolated.
  const isRequired = context.isEs || context.stage === 'fragment';
  if (isRequired && qualifiers.interpolation !== 'flat' && containsType(type, isInteger)) {
    refuse(typeName(type), 'integer varyings must be flat');
  }
}

/** Sets the value of a `const` variable to its initializer, which must be constant. */
export function giveConstantValue(
  context: CheckContext,
  name: Token,
  variable: Variable,
  initializer: ExpressionNode,
): void {
  if (!initializer.isConstantExpression) {
    context.error(name, name.text, 'the initial value of a const variable must be constant');
    return;
  }
  variable.isConstantExpression = true;
  variable.constant = initializer.constant;
  if (initializer.constant !== null) variable.storage = 'constant';
}
