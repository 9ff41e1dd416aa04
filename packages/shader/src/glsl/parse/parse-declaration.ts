/** Parses declarations of variables, invariance and uniform blocks (GLSL ES 3.00 chapter 4). */

import type { Expression, StorageClass, UniformBlock } from '../../tree/checked-tree.ts';
import {
  arrayType,
  containsArray,
  containsSampler,
  typeName,
  VOID,
} from '../../tree/type-rules.ts';
import type { GlslType, StructField } from '../../tree/types.ts';
import type { CheckContext } from '../check/check-context.ts';
import { convertInitializer } from '../check/expected-type.ts';
import { isErrorNode } from '../check/expression-nodes.ts';
import type { ExpressionNode, Variable } from '../check/symbol-scope.ts';
import type { Token } from '../preprocess/lexer.ts';
import { parseArraySuffix, parseAssignment } from './parse-expression.ts';
import { parseTypeSpecifier } from './parse-type.ts';
import {
  type BlockLayout,
  parseQualifiers,
  type Qualifiers,
  resolvePrecision,
} from './qualifiers.ts';
import {
  declareVariable,
  enterVariable,
  giveConstantValue,
  makeVariable,
  storageOf,
} from './variable-declarations.ts';

/** Receives each declared variable in order, with its initial value. */
export type DeclarationSink = (variable: Variable, initializer: Expression | null) => void;

/** Parses `a, b[2] = …, c;` after qualifiers and type; `first` is the first name, already read. */
export function parseDeclarators(
  context: CheckContext,
  qualifiers: Qualifiers,
  type: GlslType,
  first: Token,
  sink: DeclarationSink,
): void {
  const storage = storageOf(context, qualifiers);
  parseDeclarator(context, qualifiers, type, storage, first, sink);
  while (context.accept(',')) {
    parseDeclarator(context, qualifiers, type, storage, context.expectIdentifier(), sink);
  }
}

function parseDeclarator(
  context: CheckContext,
  qualifiers: Qualifiers,
  baseType: GlslType,
  storage: StorageClass,
  name: Token,
  sink: DeclarationSink,
): void {
  let type = parseArraySuffix(context, baseType);
  if (!context.is('=')) {
    if (qualifiers.isConst) {
      context.error(name, name.text, 'variables with qualifier const must be initialized');
    }
    sink(declareVariable(context, name, type, qualifiers, storage), null);
    return;
  }
  const equals = context.advance();
  const node = parseAssignment(context);
  const nodeType = node.type;
  if (type.kind === 'array' && type.length === 0 && nodeType.kind === 'array') {
    type = arrayType(type.element, nodeType.length);
  }
  const initializer = convertInitializer(context, equals, node, type);
  // The name is declared after its initializer: in `int x = x;` the value is an outer x.
  const variable = declareVariable(context, name, type, qualifiers, storage);
  checkInitializer(context, equals, variable, type, node);
  if (initializer !== null && qualifiers.isConst && storage !== 'uniform') {
    giveConstantValue(context, name, variable, initializer);
  }
  if (isErrorNode(node)) variable.isConstantExpression = qualifiers.isConst;
  sink(variable, initializer);
}

function checkInitializer(
  context: CheckContext,
  equals: Token,
  variable: Variable,
  type: GlslType,
  node: ExpressionNode,
): void {
  const { storage, name } = variable;
  if (storage === 'input' || storage === 'output') {
    context.error(equals, name, 'cannot initialize this type of qualifier');
  } else if (storage === 'uniform' && !context.hasUniformInitializers) {
    context.error(equals, name, 'uniforms cannot be initialized in this version');
  } else if (storage === 'uniform' && !node.isConstantExpression) {
    context.error(equals, name, 'a uniform needs a constant initial value');
  }
  if (containsArray(type) && !context.hasArrayValues) {
    context.error(equals, name, 'arrays and structs that contain them cannot be initialized');
  }
  if (containsSampler(type) && storage !== 'uniform') {
    context.error(equals, name, 'samplers cannot be initialized');
  }
  if (storage !== 'global' || variable.isReadOnly) return;
  if (!context.isEs || node.isConstantExpression) return;
  // GLSL ES 1.00 requires constants, too. All implementations accept uniforms and globals here, so
  // these only cause a warning.
  const isTolerated = context.version === 100 && !dependsOnInputs(node);
  const message = 'global variable initializers must be constant expressions';
  if (isTolerated) context.log.warning(equals, '=', message);
  else context.error(equals, '=', message);
}

/** Whether a value depends on more than constants, globals and uniforms. */
function dependsOnInputs(node: Expression): boolean {
  switch (node.kind) {
    case 'literal':
      return false;
    case 'variable':
      return !['global', 'constant', 'uniform'].includes(node.variable.storage);
    case 'field':
    case 'swizzle':
      return dependsOnInputs(node.object);
    case 'index':
      return dependsOnInputs(node.object) || dependsOnInputs(node.index);
    case 'unary':
      return dependsOnInputs(node.operand);
    case 'binary':
    case 'comma':
      return dependsOnInputs(node.left) || dependsOnInputs(node.right);
    case 'conditional':
      return [node.condition, node.whenTrue, node.whenFalse].some(dependsOnInputs);
    case 'construct':
      return node.arguments.some(dependsOnInputs);
    case 'builtinCall':
      return node.name.startsWith('texture') || node.arguments.some(dependsOnInputs);
    default:
      return true;
  }
}

/** Parses `a, b;` after a lone `invariant`. */
export function parseInvariantNames(context: CheckContext, qualifiers: Qualifiers): void {
  if (!context.scope.isGlobal) {
    context.error(qualifiers.position, 'invariant', 'only allowed at global scope');
  }
  do {
    const name = context.expectIdentifier();
    const entry = context.scope.find(name.text);
    let variable: Variable | null = entry?.kind === 'variable' ? entry.variable : null;
    if (entry === undefined) {
      const builtIn = context.findBuiltInVariable(name.text);
      if (builtIn !== null) variable = context.builtInSymbol(builtIn);
    }
    if (variable === null) {
      context.error(name, name.text, 'undeclared identifier declared as invariant');
    } else if (!canBeInvariant(context, variable)) {
      context.error(name, name.text, 'this variable cannot be invariant');
    } else {
      variable.isInvariant = true;
    }
  } while (context.accept(','));
  context.expect(';');
}

function canBeInvariant(context: CheckContext, variable: Variable): boolean {
  if (variable.storage === 'output') return true;
  if (variable.storage === 'input') return context.stage === 'fragment' && context.version !== 300;
  if (variable.storage !== 'builtin') return false;
  if (context.stage === 'vertex') return !variable.isReadOnly;
  const readable = ['gl_FragCoord', 'gl_PointCoord'];
  return !variable.isReadOnly || (context.version !== 300 && readable.includes(variable.name));
}

/** Default layouts set by `layout(…) uniform;`, per check. */
const defaultLayouts = new WeakMap<
  CheckContext,
  { block: BlockLayout; matrix: 'row_major' | 'column_major' }
>();

function defaultsOf(context: CheckContext): {
  block: BlockLayout;
  matrix: 'row_major' | 'column_major';
} {
  let defaults = defaultLayouts.get(context);
  if (defaults === undefined) {
    defaults = { block: 'shared', matrix: 'column_major' };
    defaultLayouts.set(context, defaults);
  }
  return defaults;
}

/** Applies `layout(std140) uniform;`. */
export function setDefaultLayout(context: CheckContext, qualifiers: Qualifiers): void {
  const defaults = defaultsOf(context);
  const { location, depthLayout, viewCount } = qualifiers;
  if (location !== null || depthLayout !== null || viewCount !== null) {
    context.error(qualifiers.position, 'layout', 'invalid layout qualifier for a default');
  }
  defaults.block = qualifiers.blockLayout ?? defaults.block;
  defaults.matrix = qualifiers.matrixLayout ?? defaults.matrix;
}

/** Applies `layout(num_views = 2) in;` (OVR_multiview2). */
export function setViewCount(context: CheckContext, qualifiers: Qualifiers): void {
  const { position, viewCount, ...others } = qualifiers;
  const isOther =
    [others.isConst, others.isInvariant, others.isCentroid, others.isSample].includes(true) ||
    [others.interpolation, others.precision, others.location, others.index].some(isGiven) ||
    [others.blockLayout, others.matrixLayout, others.depthLayout].some(isGiven);
  if (isOther) context.error(position, 'num_views', 'cannot be combined with other qualifiers');
  if (isGiven(context.viewCount) && context.viewCount !== viewCount) {
    context.error(position, 'num_views', 'differs from an earlier number of views');
  }
  context.viewCount = viewCount;
}

const isGiven = (value: unknown): boolean => value !== null;

/** Parses `Name { members } instance[n];` after `uniform`. */
export function parseUniformBlock(
  context: CheckContext,
  qualifiers: Qualifiers,
  sink: DeclarationSink,
): void {
  const blockName = context.expectIdentifier();
  context.checkDeclarableName(blockName);
  if (!context.hasUniformBlocks) {
    context.error(blockName, blockName.text, 'uniform blocks need version 140 or 300 es');
  }
  checkBlockQualifiers(context, qualifiers);
  const defaults = defaultsOf(context);
  const matrixLayout = qualifiers.matrixLayout ?? defaults.matrix;
  context.expect('{');
  const members: { name: Token; field: StructField; isRowMajor: boolean }[] = [];
  while (!context.is('}')) parseBlockMember(context, matrixLayout, members);
  if (members.length === 0) context.failSyntax();
  context.expect('}');
  const fields = members.map((member) => member.field);
  const struct: GlslType = { kind: 'struct', name: blockName.text, fields };
  const instanceName = context.token.kind === 'identifier' ? context.advance() : null;
  const instanceType = instanceName === null ? struct : parseArraySuffix(context, struct);
  if (instanceType.kind === 'array' && instanceType.length === 0) {
    context.error(blockName, blockName.text, 'array of blocks must have a size');
  }
  context.expect(';');
  const block: UniformBlock = {
    name: blockName.text,
    instanceName: instanceName?.text ?? null,
    arrayLength: instanceType.kind === 'array' ? instanceType.length : null,
    layout: qualifiers.blockLayout ?? defaults.block,
    members: members.map(({ field, isRowMajor }) => ({ ...field, isRowMajor })),
  };
  const existing = context.scope.findHere(blockName.text);
  // An earlier shader of the stage may have declared the block and its members.
  const isShared = existing?.kind === 'block' && context.preprocessor.shaderCount > 1;
  if (existing === undefined) {
    context.scope.declare(blockName.text, { kind: 'block' });
    context.blocks.push(block);
  } else if (!isShared) {
    context.error(blockName, blockName.text, 'redefinition of a name of this scope');
  }
  const declare = (name: Token, type: GlslType, precision: Variable['precision']): void => {
    const variable = makeVariable(name.text, type, 'uniform', name);
    variable.precision = precision;
    variable.isReadOnly = true;
    variable.block = block;
    sink(enterVariable(context, name, variable), null);
  };
  if (instanceName !== null) declare(instanceName, instanceType, null);
  else for (const { name, field } of members) declare(name, field.type, field.precision);
}

function checkBlockQualifiers(context: CheckContext, qualifiers: Qualifiers): void {
  const isOther =
    qualifiers.isConst ||
    qualifiers.isInvariant ||
    qualifiers.isCentroid ||
    qualifiers.isSample ||
    qualifiers.interpolation !== null ||
    qualifiers.precision !== null ||
    qualifiers.location !== null ||
    qualifiers.index !== null ||
    qualifiers.depthLayout !== null ||
    qualifiers.viewCount !== null;
  if (isOther) {
    context.error(qualifiers.position, 'uniform', 'invalid qualifier for a uniform block');
  }
}

function parseBlockMember(
  context: CheckContext,
  blockMatrixLayout: 'row_major' | 'column_major',
  members: { name: Token; field: StructField; isRowMajor: boolean }[],
): void {
  const qualifiers = parseQualifiers(context);
  const isAllowed =
    (qualifiers.storage === null || qualifiers.storage === 'uniform') &&
    !qualifiers.isConst &&
    !qualifiers.isInvariant &&
    !qualifiers.isCentroid &&
    !qualifiers.isSample &&
    qualifiers.interpolation === null &&
    qualifiers.location === null &&
    qualifiers.index === null &&
    qualifiers.depthLayout === null &&
    qualifiers.viewCount === null &&
    qualifiers.blockLayout === null;
  if (!isAllowed) {
    context.error(qualifiers.position, 'uniform', 'invalid qualifier for a member of a block');
  }
  const specifier = parseTypeSpecifier(context);
  if (specifier.definesStruct) {
    context.error(specifier.position, 'struct', 'struct definitions are not allowed in blocks');
  }
  if (specifier.type === VOID) context.error(specifier.position, 'void', 'illegal use of void');
  if (containsSampler(specifier.type)) {
    context.error(
      specifier.position,
      typeName(specifier.type),
      'samplers are not allowed in blocks',
    );
  }
  const precision = resolvePrecision(
    context,
    specifier.position,
    specifier.type,
    qualifiers.precision,
  );
  do {
    const name = context.expectIdentifier();
    context.checkDeclarableName(name);
    const type = parseArraySuffix(context, specifier.type);
    if (type.kind === 'array' && type.length === 0) {
      context.error(name, name.text, 'array member must have a size');
    }
    if (members.some((member) => member.name.text === name.text)) {
      context.error(name, name.text, 'duplicate member name in block');
    }
    const isRowMajor = (qualifiers.matrixLayout ?? blockMatrixLayout) === 'row_major';
    members.push({ name, field: { name: name.text, type, precision }, isRowMajor });
  } while (context.accept(','));
  context.expect(';');
}
