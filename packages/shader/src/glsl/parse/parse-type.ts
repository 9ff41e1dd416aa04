/** Parses type specifiers and struct definitions (GLSL ES 3.00 section 4.1). */

import {
  areTypesAlike,
  componentCount,
  ERROR_TYPE,
  typeName,
  VOID,
} from '../../tree/type-rules.ts';
import type { GlslType, StructField } from '../../tree/types.ts';
import type { CheckContext } from '../check/check-context.ts';
import {
  MAX_STRUCT_NESTING,
  MAX_VARIABLE_COMPONENTS,
  MAX_WEBGL_STRUCT_NESTING,
} from '../language/limits.ts';
import type { Token } from '../preprocess/lexer.ts';
import { parseArraySuffix } from './parse-expression.ts';
import { isQualifierHere, parseQualifiers, resolvePrecision } from './qualifiers.ts';

/** Type as written in a declaration. */
export interface TypeSpecifier {
  readonly type: GlslType;
  readonly position: Token;
  readonly definesStruct: boolean;
}

/** Whether the current token starts a type specifier. */
export function isTypeHere(context: CheckContext): boolean {
  return context.is('struct') || context.typeHere() !== null;
}

/**
 * Checks `int;`, which declares nothing and is allowed unless the type is an array without a size.
 */
export function checkEmptyDeclaration(
  context: CheckContext,
  { type, position }: TypeSpecifier,
): void {
  if (type.kind === 'array' && type.length === 0) {
    context.error(position, typeName(type), 'array must have a size');
  }
}

/**
 * Parses a type, with `[…]` in versions that allow it.
 *
 * @throws {SyntaxFailure} If there is none.
 */
export function parseTypeSpecifier(context: CheckContext): TypeSpecifier {
  const position = context.token;
  const definesStruct = context.is('struct');
  const element = definesStruct ? parseStruct(context) : context.typeHere();
  if (element === null) {
    if (position.kind === 'identifier' && context.scope.find(position.text) === undefined) {
      context.error(position, position.text, 'undeclared identifier');
    }
    return context.failSyntax();
  }
  if (!definesStruct) context.advance();
  if (!context.is('[')) return { type: element, position, definesStruct };
  if (!context.hasArrayValues) {
    context.error(
      context.token,
      '[',
      'the size of an array stands behind the name in this version',
    );
  }
  return { type: parseArraySuffix(context, element), position, definesStruct };
}

const nestingByStruct = new WeakMap<GlslType, number>();

function parseStruct(context: CheckContext): GlslType {
  const keyword = context.expect('struct');
  let name: Token | null = null;
  if (context.token.kind === 'identifier') {
    name = context.advance();
    context.checkDeclarableName(name);
  }
  context.expect('{');
  context.enter();
  const fields: StructField[] = [];
  let nesting = 1;
  while (!context.is('}')) nesting = Math.max(nesting, parseMember(context, fields) + 1);
  if (fields.length === 0) context.failSyntax();
  context.leave();
  context.expect('}');
  const type: GlslType = { kind: 'struct', name: name?.text ?? '', fields };
  let componentSum = 0;
  for (const field of fields) componentSum += componentCount(field.type);
  const maxNesting = context.isWebGl ? MAX_WEBGL_STRUCT_NESTING : MAX_STRUCT_NESTING;
  if (nesting > maxNesting || componentSum > MAX_VARIABLE_COMPONENTS) {
    context.error(keyword, type.name, 'struct is too large or nested too deeply');
    return ERROR_TYPE;
  }
  nestingByStruct.set(type, nesting);
  return name === null ? type : declareStruct(context, name, type);
}

/** Returns the type that the name stands for: that of an earlier shader of the stage, if alike. */
function declareStruct(context: CheckContext, name: Token, type: GlslType): GlslType {
  const existing = context.scope.findHere(name.text);
  if (existing === undefined) {
    context.scope.declare(name.text, { kind: 'type', type });
    return type;
  }
  const isShared = existing.kind === 'type' && context.preprocessor.shaderCount > 1;
  if (isShared && areTypesAlike(existing.type, type)) return existing.type;
  context.error(name, name.text, 'redefinition of a name of this scope');
  return type;
}

/** Parses `type a, b[2];`; returns the nesting depth of structs in the type. */
function parseMember(context: CheckContext, fields: StructField[]): number {
  if (isQualifierHere(context)) {
    const token = context.token;
    const qualifiers = parseQualifiers(context);
    const isPrecisionOnly =
      !qualifiers.isConst &&
      qualifiers.storage === null &&
      !qualifiers.isInvariant &&
      !qualifiers.isCentroid &&
      !qualifiers.isSample &&
      qualifiers.interpolation === null &&
      !qualifiers.hasLayout;
    if (!isPrecisionOnly) {
      context.error(token, token.text, 'this qualifier is not allowed in a struct');
    }
    return parseMemberOf(context, fields, qualifiers.precision);
  }
  return parseMemberOf(context, fields, null);
}

function parseMemberOf(
  context: CheckContext,
  fields: StructField[],
  givenPrecision: StructField['precision'],
): number {
  const specifier = parseTypeSpecifier(context);
  if (specifier.definesStruct && context.isEs) {
    context.error(specifier.position, 'struct', 'embedded struct definitions are not allowed');
  }
  if (specifier.type === VOID) {
    context.error(specifier.position, 'void', 'illegal use of type void');
  }
  const element = specifier.type.kind === 'array' ? specifier.type.element : specifier.type;
  const precision = resolvePrecision(context, specifier.position, element, givenPrecision);
  do {
    const name = context.expectIdentifier();
    context.checkDeclarableName(name);
    if (fields.some((field) => field.name === name.text)) {
      context.error(name, name.text, 'duplicate field name in structure');
    }
    const type = parseArraySuffix(context, specifier.type);
    if (type.kind === 'array' && type.length === 0) {
      context.error(name, name.text, 'array member must have a size');
    }
    fields.push({ name: name.text, type, precision });
  } while (context.accept(','));
  context.expect(';');
  return nestingByStruct.get(element) ?? 0;
}
