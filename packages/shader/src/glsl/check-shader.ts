/**
 * The GLSL front end: source in, checked syntax tree out. One pass reads tokens from the preprocessor,
 * parses and checks them; what needs the whole shader is checked at the end.
 */

import type { CheckedShader, FunctionSymbol, ShaderStage } from '../tree/checked-tree.ts';
import { CheckAborted, DiagnosticLog } from '../tree/diagnostics.ts';
import { arrayType } from '../tree/type-rules.ts';
import { checkCallGraph, findMain } from './check/call-graph.ts';
import { CheckContext, SyntaxFailure } from './check/check-context.ts';
import type { Variable } from './check/symbol-scope.ts';
import type { GlslVersion } from './language/extensions.ts';
import {
  DEFAULT_SHADER_LIMITS,
  MAX_IDENTIFIER_LENGTH,
  type ShaderLimits,
} from './language/limits.ts';
import {
  parseDeclarators,
  parseInvariantNames,
  parseUniformBlock,
  setDefaultLayout,
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

export interface CheckShaderOptions {
  readonly stage: ShaderStage;
  /** Version of a source without `#version`: 100, or 110 for programs of desktop OpenGL. */
  readonly defaultVersion?: 100 | 110;
  /** Versions that `#version` may name; all four when left out. */
  readonly allowedVersions?: readonly GlslVersion[];
  /** Extensions on offer; all that the front end knows when left out. */
  readonly extensions?: readonly string[];
  /** Values of the `gl_Max…` constants that differ from the defaults. */
  readonly limits?: Partial<ShaderLimits>;
  /** Whether loops and indices follow appendix A of GLSL ES 1.00, as in WebGL 1. */
  readonly restrictLoops?: boolean;
  /**
   * Whether the further rules of WebGL hold: reserved name prefixes, structs nested four deep at most, no
   * backslash in GLSL ES 1.00, no void or array in commas and choices.
   */
  readonly isWebGl?: boolean;
  /** 1024 when left out. */
  readonly maxIdentifierLength?: number;
  /** What `gl_MaxDrawBuffers` is in GLSL ES 1.00 without its extension: 1 when left out. */
  readonly toldDrawBuffers?: number;
}

const ALL_VERSIONS: readonly GlslVersion[] = [100, 110, 120, 300];

/**
 * Checks one shader. Whatever is wrong with the source is in `diagnostics`; a tree whose diagnostics
 * have an error is not fit for lowering.
 *
 * `globals` has the members of uniform blocks without instance name as variables of their own, and an
 * instance name as one variable of struct type (or array of it); both name their block.
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
      toldDrawBuffers: options.toldDrawBuffers ?? 1,
    },
    log,
  );
  let context: CheckContext | null = null;
  let functions: readonly FunctionSymbol[] = [];
  try {
    context = new CheckContext(preprocessor, log, {
      stage: options.stage,
      limits: { ...DEFAULT_SHADER_LIMITS, ...options.limits },
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
      // A brace that nothing opened would stop the next construct at once.
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
    context.globals.push({ variable, initializer: initializer as never });
  };
  if (qualifiers.hasLayout && qualifiers.storage === 'uniform' && context.accept(';')) {
    setDefaultLayout(context, qualifiers);
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
    // A declaration of no variable still has its qualifiers checked.
    if (precision !== null) resolvePrecision(context, position, specifier.type, precision);
    return;
  }
  // `float, a;` declares nothing and then `a`, by the grammar.
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

/** Checks what only the whole shader shows. Returns the functions for lowering. */
function checkWholeShader(context: CheckContext): FunctionSymbol[] {
  const reached = checkCallGraph(context);
  if (findMain(context) === undefined) context.error(context.token, 'main', 'missing main()');
  checkFragmentOutputs(context);
  settleUnsizedArrays(context);
  return reached.map((entry) => entry.symbol);
}

function checkFragmentOutputs(context: CheckContext): void {
  if (context.stage !== 'fragment') return;
  if (context.usedBuiltIns.has('gl_FragColor') && context.usedBuiltIns.has('gl_FragData')) {
    context.error(context.token, 'gl_FragColor', 'cannot be used together with gl_FragData');
  }
  if (context.version === 300 && context.preprocessor.isInvariantAll) {
    context.error(context.token, 'invariant(all)', 'only vertex shaders have this pragma');
  }
  const outputs = context.globals
    .map((each) => each.variable)
    .filter((variable) => variable.storage === 'output');
  const ownerByLocation = new Map<number, Variable>();
  for (const variable of outputs) {
    if (outputs.length > 1 && variable.location === null) {
      const message = 'must have a location when there are several fragment outputs';
      context.error(variable.position, variable.name, message);
      continue;
    }
    const count = variable.type.kind === 'array' ? variable.type.length : 1;
    for (let i = 0; i < count; i++) {
      const location = (variable.location ?? 0) + i;
      const owner = ownerByLocation.get(location);
      if (owner !== undefined) {
        const message = `location ${location} is taken by '${owner.name}'`;
        context.error(variable.position, variable.name, message);
        break;
      }
      ownerByLocation.set(location, variable);
    }
  }
}

/** Arrays without length are as long as the largest index asks for. */
function settleUnsizedArrays(context: CheckContext): void {
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
