/**
 * The GLSL front end: turns source into a checked syntax tree. One pass reads tokens from the
 * preprocessor, parses and checks them. Rules that need the whole shader are checked at the end.
 */

import type { CheckedShader, FunctionSymbol, ShaderStage } from '../tree/checked-tree.ts';
import { CheckAborted, DiagnosticLog } from '../tree/diagnostics.ts';
import { arrayType } from '../tree/type-rules.ts';
import { checkCallGraph, findMain } from './check/call-graph.ts';
import { CheckContext, SyntaxFailure } from './check/check-context.ts';
import type { Variable } from './check/symbol-scope.ts';
import { MAX_IDENTIFIER_LENGTH, type ShaderLimits } from './language/limits.ts';
import { ALL_VERSIONS, type GlslVersion } from './language/versions.ts';
import {
  parseDeclarators,
  parseInvariantNames,
  parseUniformBlock,
  setDefaultLayout,
  setViewCount,
} from './parse/parse-declaration.ts';
import { parseFunction } from './parse/parse-function.ts';
import { parseBody } from './parse/parse-statement.ts';
import { checkEmptyDeclaration, isTypeHere, parseTypeSpecifier } from './parse/parse-type.ts';
import {
  parsePrecisionStatement,
  parseQualifiers,
  type Qualifiers,
  resolvePrecision,
} from './parse/qualifiers.ts';
import { Preprocessor } from './preprocess/preprocessor.ts';

/** Stage, language and limits that a shader is checked for. */
export interface CheckShaderOptions {
  readonly stage: ShaderStage;
  /** Version of a source without `#version`: 100, or 110 for programs of desktop OpenGL. */
  readonly defaultVersion?: 100 | 110;
  /** Versions that `#version` may name; all by default. */
  readonly allowedVersions?: readonly GlslVersion[];
  /** Available extensions; all that the front end knows by default. */
  readonly extensions?: readonly string[];
  /** Values of the `gl_Max…` constants that differ from the defaults. */
  readonly limits?: Partial<ShaderLimits>;
  /** Whether loops and indices must follow appendix A of GLSL ES 1.00, as in WebGL 1. */
  readonly restrictLoops?: boolean;
  /**
   * Whether the additional rules of WebGL apply: reserved name prefixes, structs nested at most
   * four deep, no backslash in GLSL ES 1.00, no void or array in comma and conditional expressions.
   */
  readonly isWebGl?: boolean;
  /** Maximum length of an identifier in characters; 1,024 by default. */
  readonly maxIdentifierLength?: number;
  /** Value of `gl_MaxDrawBuffers` in GLSL ES 1.00 without its extension; 1 by default. */
  readonly maxDrawBuffersWithoutExtension?: number;
}

/**
 * Checks one shader. All errors are in `diagnostics`; a tree with errors must not be lowered.
 *
 * `globals` contains the members of uniform blocks without an instance name as separate variables.
 * A block with an instance name is one variable of struct type, or an array of them. Both kinds of
 * variables refer to their block.
 */
export function checkShader(source: string, options: CheckShaderOptions): CheckedShader {
  const log = new DiagnosticLog();
  const preprocessor = new Preprocessor(
    source,
    {
      defaultVersion: options.defaultVersion ?? 100,
      allowedVersions: options.allowedVersions ?? ALL_VERSIONS,
      extensions: options.extensions,
      isWebGl: options.isWebGl ?? false,
      maxIdentifierLength: options.maxIdentifierLength ?? MAX_IDENTIFIER_LENGTH,
      maxDrawBuffersWithoutExtension: options.maxDrawBuffersWithoutExtension ?? 1,
    },
    log,
  );
  let context: CheckContext | null = null;
  let functions: readonly FunctionSymbol[] = [];
  try {
    context = new CheckContext(preprocessor, log, {
      stage: options.stage,
      limits: options.limits ?? {},
      restrictLoops: options.restrictLoops ?? false,
      isWebGl: options.isWebGl ?? false,
    });
    parseTranslationUnit(context);
    functions = checkWholeShader(context);
  } catch (error) {
    if (!(error instanceof CheckAborted)) throw error;
  }
  return {
    stage: options.stage,
    version: preprocessor.version,
    colorTargetCount: preprocessor.colorTargetCount,
    clipMask: preprocessor.clipMask,
    hasDrawBuffers: context?.isExtensionOn('GL_EXT_draw_buffers') ?? false,
    viewCount: context?.viewCount ?? null,
    globals: context?.globals ?? [],
    blocks: context?.blocks ?? [],
    builtins: context === null ? [] : [...context.builtins.values()],
    functions,
    diagnostics: log.entries,
  };
}

function parseTranslationUnit(context: CheckContext): void {
  while (context.token.kind !== 'end') {
    try {
      parseExternalDeclaration(context);
    } catch (error) {
      if (!(error instanceof SyntaxFailure)) throw error;
      context.restoreNesting(0);
      context.scope.popTo(1);
      context.currentFunction = null;
      context.skipConstruct();
      // An unmatched brace would stop the next construct at once.
      if (context.is('}')) context.advance();
    }
  }
}

function parseExternalDeclaration(context: CheckContext): void {
  if (context.is('precision')) {
    parsePrecisionStatement(context);
    return;
  }
  if (context.is(';')) {
    const token = context.advance();
    if (context.isEs) context.error(token, ';', 'extraneous semicolon');
    return;
  }
  const qualifiers = parseQualifiers(context);
  const declare = (variable: Variable, initializer: object | null): void => {
    context.declareGlobal(variable, initializer as never);
  };
  if (qualifiers.hasLayout && qualifiers.storage === 'uniform' && context.accept(';')) {
    setDefaultLayout(context, qualifiers);
    return;
  }
  if (qualifiers.viewCount !== null && qualifiers.storage === 'in' && context.accept(';')) {
    setViewCount(context, qualifiers);
    return;
  }
  if (isInvariantRedeclaration(context, qualifiers)) {
    parseInvariantNames(context, qualifiers);
    return;
  }
  const isBlock =
    qualifiers.storage === 'uniform' &&
    context.token.kind === 'identifier' &&
    context.peek().text === '{';
  if (isBlock) {
    parseUniformBlock(context, qualifiers, declare);
    return;
  }
  const specifier = parseTypeSpecifier(context);
  if (context.accept(';')) {
    const { position, precision, isInvariant } = qualifiers;
    if (isInvariant) context.error(position, 'invariant', 'no variable is qualified');
    checkEmptyDeclaration(context, specifier);
    // The qualifiers of a declaration without variables are still checked.
    if (precision !== null) resolvePrecision(context, position, specifier.type, precision);
    return;
  }
  // By the grammar, `float, a;` consists of an empty declaration and `a`.
  const isEmptyFirst = context.accept(',');
  const name = context.expectIdentifier();
  if (context.is('(') && !isEmptyFirst) {
    parseFunction(context, qualifiers, specifier, name, parseBody);
    return;
  }
  parseDeclarators(context, qualifiers, specifier.type, name, declare);
  context.expect(';');
}

function isInvariantRedeclaration(context: CheckContext, qualifiers: Qualifiers): boolean {
  return (
    qualifiers.isInvariant &&
    qualifiers.storage === null &&
    context.token.kind === 'identifier' &&
    !isTypeHere(context)
  );
}

/** Checks the rules that need the whole shader. Returns the functions for lowering. */
function checkWholeShader(context: CheckContext): FunctionSymbol[] {
  const reached = checkCallGraph(context);
  if (findMain(context) === undefined) context.error(context.token, 'main', 'missing main()');
  checkFragmentOutputs(context);
  resolveUnsizedArrays(context);
  checkDistanceCount(context);
  return reached.map((entry) => entry.symbol);
}

function checkFragmentOutputs(context: CheckContext): void {
  if (context.stage !== 'fragment') return;
  const colors = ['gl_FragColor', 'gl_SecondaryFragColorEXT'];
  const arrays = ['gl_FragData', 'gl_SecondaryFragDataEXT'];
  const isUsed = (name: string): boolean => context.usedBuiltIns.has(name);
  const [color, array] = [colors.find(isUsed), arrays.find(isUsed)];
  if (color !== undefined && array !== undefined) {
    context.error(context.token, color, `cannot be used together with ${array}`);
  }
  if (context.version === 300 && context.preprocessor.isInvariantAll) {
    context.error(context.token, 'invariant(all)', 'only vertex shaders have this pragma');
  }
  const outputs = context.globals
    .map((each) => each.variable)
    .filter((variable) => variable.storage === 'output');
  if (!context.isEs) placeOutputs(context, outputs);
  const ownerByPlace = new Map<string, Variable>();
  const isDualSource = outputs.some(({ index }) => index === 1);
  const mostLocations = isDualSource ? context.limits.maxDualSourceDrawBuffers : Infinity;
  for (const variable of outputs) {
    if (outputs.length > 1 && variable.location === null && context.isEs) {
      const message = 'must have a location when there are several fragment outputs';
      context.error(variable.position, variable.name, message);
      continue;
    }
    const count = variable.type.kind === 'array' ? variable.type.length : 1;
    for (let i = 0; i < count; i++) {
      const location = (variable.location ?? 0) + i;
      const place = `${location} ${variable.index}`;
      const owner = ownerByPlace.get(place);
      if (owner !== undefined) {
        const message = `location ${location} is already used by '${owner.name}'`;
        context.error(variable.position, variable.name, message);
        break;
      }
      if (location >= mostLocations) {
        const message = `location ${location} is too large for a shader with a second color`;
        context.error(variable.position, variable.name, message);
        break;
      }
      ownerByPlace.set(place, variable);
    }
  }
}

/**
 * Gives the fragment outputs of desktop GLSL without a layout the color that the API has bound to
 * them, and the others the first free ones in the order of declaration.
 */
function placeOutputs(context: CheckContext, outputs: readonly Variable[]): void {
  const sizeOf = ({ type }: Variable): number => (type.kind === 'array' ? type.length : 1);
  const taken = new Set<number>();
  const place = (variable: Variable, location: number): void => {
    variable.location = location;
    for (let i = 0; i < sizeOf(variable); i++) taken.add(location + i);
  };
  for (const variable of outputs) {
    const bound = context.preprocessor.outputLocations.get(variable.name);
    const location = variable.location ?? bound;
    if (location !== undefined) place(variable, location);
  }
  for (const variable of outputs) {
    if (variable.location !== null) continue;
    let location = 0;
    for (let i = 0; i < sizeOf(variable); ) {
      if (!taken.has(location + i)) i++;
      else {
        location += i + 1;
        i = 0;
      }
    }
    if (location + sizeOf(variable) > context.limits.maxDrawBuffers) {
      context.error(variable.position, variable.name, 'there is no free color for the output');
      return;
    }
    place(variable, location);
  }
}

/** Checks the number of clip and cull distances together (EXT_clip_cull_distance). */
function checkDistanceCount(context: CheckContext): void {
  const count = ['gl_ClipDistance', 'gl_CullDistance'].reduce((sum, name) => {
    const type = context.builtins.get(name)?.type;
    return type?.kind === 'array' ? sum + type.length : sum;
  }, 0);
  const limit = context.limits.maxCombinedClipAndCullDistances;
  if (count <= limit) return;
  context.error(
    context.token,
    'gl_CullDistance',
    `${count} clip and cull distances, at most ${limit}`,
  );
}

/** Gives arrays without a length the length that their largest index requires. */
function resolveUnsizedArrays(context: CheckContext): void {
  const isUnsized = (variable: Variable): boolean =>
    variable.type.kind === 'array' && variable.type.length === 0;
  for (const node of context.unsizedNodes) {
    const variable = node.variable as Variable;
    if (variable.type.kind === 'array' && isUnsized(variable)) {
      variable.type = arrayType(variable.type.element, Math.max(1, variable.largestIndex + 1));
    }
    (node as { type: typeof variable.type }).type = variable.type;
  }
}
