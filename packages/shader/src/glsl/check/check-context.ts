/**
 * State that the parts of the checking parser share: the current token, the scopes, the language
 * version, and the declarations of the shader so far.
 */

import type {
  Expression,
  ShaderStage,
  SourcePosition,
  UniformBlock,
} from '../../tree/checked-tree.ts';
import type { DiagnosticLog } from '../../tree/diagnostics.ts';
import { TYPES_BY_NAME } from '../../tree/type-rules.ts';
import type { GlslType } from '../../tree/types.ts';
import { builtInFunctions } from '../language/built-in-functions.ts';
import type { BuiltInSignature } from '../language/built-in-signature.ts';
import {
  type BuiltInVariable,
  builtInStructs,
  builtInVariables,
} from '../language/built-in-variables.ts';
import type { ExtensionName } from '../language/extensions.ts';
import { type Keyword, keywordTable } from '../language/keywords.ts';
import { limitsOf, MAX_NESTING, type ShaderLimits } from '../language/limits.ts';
import type { GlslVersion } from '../language/versions.ts';
import { isEsVersion, isLaterVersion } from '../language/versions.ts';
import type { Token } from '../preprocess/lexer.ts';
import type { Preprocessor } from '../preprocess/preprocessor.ts';
import {
  type ExpressionNode,
  type FunctionEntry,
  SymbolScope,
  type Variable,
} from './symbol-scope.ts';

/** Error that is thrown on a syntax error and caught where parsing can resume. */
export class SyntaxFailure extends Error {
  override readonly name = 'SyntaxFailure';
}

/** Stage and restrictions of one check. */
export interface ContextOptions {
  readonly stage: ShaderStage;
  /** Limits that differ from those of the language. */
  readonly limits: Partial<ShaderLimits>;
  /** Whether the loop and index rules of appendix A of GLSL ES 1.00 apply. */
  readonly restrictLoops: boolean;
  /** Whether names that WebGL reserves are rejected. */
  readonly isWebGl: boolean;
}

/** Variable node whose array type may still change; see {@link CheckContext.unsizedNodes}. */
type UnsizedNode = Expression & { kind: 'variable' };

/** State of one check. */
export class CheckContext {
  readonly stage: ShaderStage;
  readonly limits: ShaderLimits;
  readonly isWebGl: boolean;
  readonly log: DiagnosticLog;
  readonly preprocessor: Preprocessor;
  readonly scope = new SymbolScope();

  readonly globals: { variable: Variable; initializer: Expression | null }[] = [];
  readonly #knownGlobals = new Set<Variable>();
  readonly blocks: UniformBlock[] = [];
  /** Number of views that the shader declares so far. */
  viewCount: number | null = null;
  readonly builtins = new Map<string, Variable>();
  /** Names of built-in variables used in expressions; others are only redeclared. */
  readonly usedBuiltIns = new Set<string>();
  /** All functions of the source in order of declaration. */
  readonly functions: FunctionEntry[] = [];
  /** Uses of arrays whose length was not yet known. */
  readonly unsizedNodes: UnsizedNode[] = [];

  currentFunction: FunctionEntry | null = null;
  /** Number of enclosing loops in the current function; `break` and `continue` need one. */
  loopDepth = 0;
  switchDepth = 0;
  /** Counters of the enclosing loops, for appendix A. */
  readonly loopCounters: Variable[] = [];

  /**
   * Operand that was parsed before it was clear that an expression starts here. The next operand
   * consumes it.
   */
  pendingOperand: ExpressionNode | null = null;

  token: Token;
  #lookahead: Token | null = null;
  #nesting = 0;
  #keywords: ReadonlyMap<string, Keyword> | null = null;
  /** State of the preprocessor that the keywords belong to. */
  #keywordRevision = -1;
  readonly #restrictLoops: boolean;
  #builtInVariables: ReadonlyMap<string, BuiltInVariable> | null = null;
  #builtInFunctions: ReadonlyMap<string, readonly BuiltInSignature[]> | null = null;

  constructor(preprocessor: Preprocessor, log: DiagnosticLog, options: ContextOptions) {
    this.stage = options.stage;
    this.#restrictLoops = options.restrictLoops;
    this.isWebGl = options.isWebGl;
    this.log = log;
    this.preprocessor = preprocessor;
    // The first token follows the version.
    this.token = this.#fetch();
    this.limits = limitsOf(this.version, options.limits);
    this.#declareInitialScope();
  }

  /** Language version of the source. */
  get version(): GlslVersion {
    return this.preprocessor.version;
  }

  /** Whether appendix A applies; only GLSL ES 1.00 has it. */
  get restrictLoops(): boolean {
    return this.#restrictLoops && this.version === 100;
  }

  /** Whether the language is GLSL ES. */
  get isEs(): boolean {
    return isEsVersion(this.version);
  }

  /** Whether the language has unsigned integers, bit operators and integer varyings. */
  get hasIntegers(): boolean {
    return isLaterVersion(this.version) || this.isExtensionOn('GL_EXT_gpu_shader4');
  }

  /** Whether `in` and `out` qualify globals, which locations of attributes need before 1.30. */
  get hasInOut(): boolean {
    return (
      isLaterVersion(this.version) ||
      this.isExtensionOn('GL_EXT_gpu_shader4') ||
      this.isExtensionOn('GL_ARB_explicit_attrib_location')
    );
  }

  /** Whether the language has uniform blocks. */
  get hasUniformBlocks(): boolean {
    return this.version >= 140 || this.isExtensionOn('GL_ARB_uniform_buffer_object');
  }

  /** Whether declarations of uniforms may have an initial value. */
  get hasUniformInitializers(): boolean {
    return !this.isEs && this.version >= 120;
  }

  /** Whether integers are converted to floats implicitly, and int to uint: desktop from 1.20. */
  get hasImplicitConversions(): boolean {
    return !this.isEs && (this.version >= 120 || this.isExtensionOn('GL_EXT_gpu_shader4'));
  }

  /** Whether arrays are values: assignable, comparable, constructible and returnable. */
  get hasArrayValues(): boolean {
    return this.version >= 120;
  }

  /**
   * Whether the source has enabled an extension. Rectangle samplers are on from the start in
   * desktop shaders, as in Mesa, on which Qt relies.
   */
  isExtensionOn(name: ExtensionName): boolean {
    const behavior = this.preprocessor.extensionBehaviors.get(name);
    if (behavior === undefined) return name === 'GL_ARB_texture_rectangle' && !this.isEs;
    return behavior !== 'disable';
  }

  /**
   * Whether `#pragma STDGL invariant(all)` makes a variable invariant: outputs of vertex shaders,
   * on which alone it has an effect (GLSL ES 1.00, section 4.6.1).
   */
  isInvariantByPragma(isOutput: boolean): boolean {
    return isOutput && this.stage === 'vertex' && this.preprocessor.isInvariantAll;
  }

  /** Notes a global in the order of declaration, or the initial value of one that is known. */
  declareGlobal(variable: Variable, initializer: Expression | null): void {
    // Variables of the language keep their symbol when a shader redeclares them.
    if (variable.name.startsWith('gl_')) return;
    const isKnown = this.#knownGlobals.has(variable);
    this.#knownGlobals.add(variable);
    if (!isKnown) this.globals.push({ variable, initializer });
    else if (initializer !== null) {
      this.globals.splice(
        this.globals.findIndex((global) => global.variable === variable),
        1,
      );
      this.globals.push({ variable, initializer });
    }
  }

  #fetch(): Token {
    const token = this.preprocessor.next();
    if (token.kind !== 'identifier') return token;
    const keyword = this.#currentKeywords().get(token.text);
    if (keyword === undefined) return token;
    if (keyword.text === 'unsigned' && !keyword.isReserved) return this.#readUnsigned(token);
    token.text = keyword.text;
    token.kind = keyword.isReserved ? 'reserved' : 'keyword';
    if (keyword.isReserved) {
      this.log.error(token, token.text, 'reserved word');
      token.kind = 'identifier';
    }
    return token;
  }

  /** Reads `int` after `unsigned`, which GL_EXT_gpu_shader4 writes for `uint`. */
  #readUnsigned(token: Token): Token {
    const next = this.preprocessor.next();
    if (next.text !== 'int') this.log.error(next, next.text, 'int is expected after unsigned');
    token.text = 'uint';
    token.kind = 'keyword';
    return token;
  }

  #currentKeywords(): ReadonlyMap<string, Keyword> {
    const { languageRevision } = this.preprocessor;
    if (this.#keywords === null || this.#keywordRevision !== languageRevision) {
      this.#keywords = keywordTable(this.version, (name) => this.isExtensionOn(name));
      this.#keywordRevision = languageRevision;
    }
    return this.#keywords;
  }

  /** Advances to the next token and returns the previous one. */
  advance(): Token {
    const token = this.token;
    this.token = this.#lookahead ?? this.#fetch();
    this.#lookahead = null;
    return token;
  }

  /** Returns the token after the current one. */
  peek(): Token {
    this.#lookahead ??= this.#fetch();
    return this.#lookahead;
  }

  /** Whether the current token is the keyword or punctuator `text`. */
  is(text: string): boolean {
    return this.token.text === text && this.token.kind !== 'identifier';
  }

  /** Skips `text` if it is the current token; returns whether it was. */
  accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.advance();
    return true;
  }

  /**
   * Skips `text` and returns its token.
   *
   * @throws {SyntaxFailure} If the current token is not `text`.
   */
  expect(text: string): Token {
    if (!this.is(text)) this.failSyntax();
    return this.advance();
  }

  /**
   * Skips an identifier and returns its token.
   *
   * @throws {SyntaxFailure} If the current token is no identifier.
   */
  expectIdentifier(): Token {
    if (this.token.kind !== 'identifier') this.failSyntax();
    return this.advance();
  }

  /**
   * Reports the current token as unexpected.
   *
   * @throws {SyntaxFailure} Always.
   */
  failSyntax(): never {
    const text = this.token.kind === 'end' ? 'end of file' : this.token.text;
    this.log.error(this.token, text, 'syntax error');
    throw new SyntaxFailure(text);
  }

  /**
   * Skips the rest of a construct that could not be parsed, up to and including `;` or its closing
   * brace.
   */
  skipConstruct(): void {
    let depth = 0;
    while (this.token.kind !== 'end') {
      if (this.is('{')) depth++;
      if (this.is('}')) {
        if (depth === 0) return;
        depth--;
        if (depth === 0) {
          this.advance();
          return;
        }
      }
      const isEnd = this.is(';') && depth === 0;
      this.advance();
      if (isEnd) return;
    }
  }

  /**
   * Runs `parse` one level deeper. The nesting of a source is limited, which also limits the stack.
   */
  nested<T>(parse: () => T): T {
    this.enter();
    const result = parse();
    this.leave();
    return result;
  }

  /** Enters one level of nesting. Aborts the check if the source is nested too deeply. */
  enter(): void {
    this.#nesting++;
    if (this.#nesting > MAX_NESTING) {
      this.log.abort(this.token, this.token.text, 'nested too deeply: expression too complex');
    }
  }

  /** Leaves one level of nesting. */
  leave(): void {
    this.#nesting--;
  }

  /** Current level of nesting. */
  get nesting(): number {
    return this.#nesting;
  }

  /** Restores an earlier nesting after a syntax error. */
  restoreNesting(nesting: number): void {
    this.#nesting = nesting;
  }

  error(position: SourcePosition, token: string, message: string): void {
    this.log.error(position, token, message);
  }

  /** Returns the type whose keyword or struct name is the current token, else null. */
  typeHere(): GlslType | null {
    const { kind, text } = this.token;
    if (kind === 'keyword') return TYPES_BY_NAME.get(text) ?? null;
    if (kind !== 'identifier') return null;
    const entry = this.scope.find(text);
    return entry?.kind === 'type' ? entry.type : null;
  }

  /** Reports a name that the source must not declare. */
  checkDeclarableName(name: Token): void {
    const { text } = name;
    if (text.startsWith('gl_')) {
      this.error(name, text, 'identifiers starting with gl_ are reserved');
    } else if (this.isWebGl && (text.startsWith('webgl_') || text.startsWith('_webgl_'))) {
      this.error(name, text, 'identifiers starting with webgl_ and _webgl_ are reserved');
    } else if (text.includes('__') && !this.isWebGl) {
      const message = 'identifiers containing two consecutive underscores are reserved';
      if (this.isEs) this.error(name, text, message);
      else this.log.warning(name, text, message);
    }
  }

  /**
   * Returns the built-in variable `name` of this shader; null if there is none or its extension is
   * off.
   */
  findBuiltInVariable(name: string): BuiltInVariable | null {
    const found = this.#knownBuiltIn(name);
    if (found === undefined) return null;
    const { extensions } = found;
    const isOn = extensions.length === 0 || extensions.some((each) => this.isExtensionOn(each));
    return isOn ? found : null;
  }

  /** Returns the end of a message that names the extension which declares `name`, if one does. */
  needOf(name: string): string {
    const [extension] =
      this.#knownBuiltIn(name)?.extensions ??
      builtInFunctions(this.version, this.stage).get(name)?.[0]?.extensions ??
      [];
    return extension === undefined ? '' : `: it needs #extension ${extension}`;
  }

  #knownBuiltIn(name: string): BuiltInVariable | undefined {
    this.#builtInVariables ??= builtInVariables(
      this.version,
      this.stage,
      this.limits,
      this.isExtensionOn('GL_EXT_draw_buffers'),
      this.preprocessor.maxDrawBuffersWithoutExtension,
    );
    return this.#builtInVariables.get(name);
  }

  /** Returns the overloads of the built-in function `name` whose extensions are on. */
  findBuiltInFunctions(name: string): readonly BuiltInSignature[] {
    this.#builtInFunctions ??= builtInFunctions(this.version, this.stage);
    const all = this.#builtInFunctions.get(name) ?? [];
    return all.some((each) => each.extensions.length > 0)
      ? all.filter(
          ({ extensions }) =>
            extensions.length === 0 || extensions.some((each) => this.isExtensionOn(each)),
        )
      : all;
  }

  /** Returns the symbol of a built-in variable used in an expression. */
  useBuiltInVariable(builtIn: BuiltInVariable): Variable {
    this.usedBuiltIns.add(builtIn.name);
    return this.builtInSymbol(builtIn);
  }

  /** Returns the symbol of a built-in variable; creates it on first use. */
  builtInSymbol(builtIn: BuiltInVariable): Variable {
    let variable = this.builtins.get(builtIn.name);
    if (variable === undefined) {
      variable = {
        name: builtIn.name,
        type: builtIn.type,
        storage: builtIn.value === null ? 'builtin' : 'constant',
        position: { source: 0, line: 0, row: 0, column: 0 },
        precision: builtIn.precision,
        constant: builtIn.value,
        isFlat: false,
        isNoPerspective: false,
        isCentroid: false,
        isSample: false,
        isInvariant: this.isInvariantByPragma(!builtIn.isReadOnly),
        location: null,
        index: 0,
        direction: null,
        isReadOnly: builtIn.isReadOnly,
        block: null,
        isConstantExpression: builtIn.value !== null,
        largestIndex: -1,
      };
      this.builtins.set(builtIn.name, variable);
    }
    return variable;
  }

  #declareInitialScope(): void {
    for (const type of builtInStructs(this.version)) {
      if (type.kind === 'struct') this.scope.declareGlobal(type.name, { kind: 'type', type });
    }
    if (!this.isEs) return;
    const isVertex = this.stage === 'vertex';
    if (isVertex) this.scope.setDefaultPrecision('float', 'highp');
    this.scope.setDefaultPrecision('int', isVertex ? 'highp' : 'mediump');
    this.scope.setDefaultPrecision('sampler2D', 'lowp');
    this.scope.setDefaultPrecision('samplerCube', 'lowp');
    this.scope.setDefaultPrecision('sampler2DRect', 'lowp');
  }
}
