/**
 * The GLSL preprocessor (GLSL ES 3.00 section 3.4), on tokens: directives are obeyed, macros expanded,
 * positions kept. What comes out is what the parser reads.
 *
 * Long because each of the twelve directives has its own grammar and its own errors.
 */
import type { SourcePosition } from '../../tree/checked-tree.ts';
import type { DiagnosticLog } from '../../tree/diagnostics.ts';
import {
  availableExtensions,
  type ExtensionBehavior,
  type GlslVersion,
} from '../language/extensions.ts';
import {
  ConditionalExpressionError,
  evaluateConditionalExpression,
  evaluateExpressions,
} from './conditional-expression.ts';
import { Lexer, type Token } from './lexer.ts';
import { type Macro, MacroExpander } from './macro-expansion.ts';

export interface PreprocessorOptions {
  readonly defaultVersion: 100 | 110;
  /** Versions that `#version` may name. */
  readonly allowedVersions: readonly GlslVersion[];
  /** Names of the extensions on offer; all that are known when left out. */
  readonly extensions: readonly string[] | undefined;
  /** Whether there is no backslash where there is GLSL ES 1.00 alone, and none makes `defined` by a macro. */
  readonly isWebGl: boolean;
  readonly maxIdentifierLength: number;
  /** What `gl_MaxDrawBuffers` is in GLSL ES 1.00 without its extension, unless the source says so. */
  readonly toldDrawBuffers: number;
}

interface ConditionalGroup {
  readonly position: SourcePosition;
  /** Whether the text around the whole `#if` is read. */
  readonly isOuterActive: boolean;
  /** Whether one of its branches was read already. */
  wasTaken: boolean;
  isActive: boolean;
  hasElse: boolean;
}

const MAX_CONDITIONAL_NESTING = 1024;
const OFFERED_EXTENSIONS = /^tessera_extensions \( ((?:\w+ )*)\)$/;
const DRAW_BUFFERS = /^tessera_draw_buffers \( ([1-8]) \)$/;
const COLOR_TARGETS = /^tessera_color_targets \( ([1-8]) \)$/;

/** Gives the tokens of one source after preprocessing. */
export class Preprocessor {
  version: GlslVersion;
  /** Extensions by the behaviour that the source asked for. */
  readonly extensionBehaviors = new Map<string, ExtensionBehavior>();
  /** Whether `#pragma STDGL invariant(all)` stands in the source. */
  isInvariantAll = false;
  /** Targets that `gl_FragColor` goes to. */
  colorTargetCount = 1;
  /** What `gl_MaxDrawBuffers` is in GLSL ES 1.00 without its extension. */
  toldDrawBuffers: number;
  readonly #lexer: Lexer;
  readonly #log: DiagnosticLog;
  readonly #options: PreprocessorOptions;
  readonly #macros = new Map<string, Macro>();
  readonly #expander: MacroExpander;
  readonly #groups: ConditionalGroup[] = [];
  #available: Set<string> = new Set();
  #hasSeenToken = false;
  #hasSeenDirective = false;
  #hasReportedEnd = false;

  constructor(source: string, options: PreprocessorOptions, log: DiagnosticLog) {
    const hasLaterVersions = options.allowedVersions.some((version) => version !== 100);
    this.#lexer = new Lexer(source, !options.isWebGl || hasLaterVersions);
    this.#log = log;
    this.#options = options;
    this.version = options.defaultVersion;
    this.toldDrawBuffers = options.toldDrawBuffers;
    this.#expander = new MacroExpander(this.#macros, () => this.#readSource(), log);
    this.#definePredefined();
  }

  /** The next token after preprocessing; of kind `end` at the end. */
  next(): Token {
    for (;;) {
      const token = this.#expander.next();
      if (token.kind === 'invalid') {
        this.#log.error(token, token.text, 'invalid character');
        continue;
      }
      this.#checkLength(token);
      return token;
    }
  }

  #checkLength(token: Token): void {
    if (token.kind === 'identifier' && token.text.length > this.#options.maxIdentifierLength) {
      this.#log.error(token, token.text, 'identifier is too long');
    }
  }

  // ---- directives ----

  #readSource(): Token {
    for (;;) {
      const token = this.#lexer.next();
      if (token.kind === 'end') {
        this.#reportEnd();
        return token;
      }
      if (token.text === '#' && token.startsLine) {
        this.#readDirective(token);
        this.#hasSeenDirective = true;
        continue;
      }
      this.#hasSeenToken = true;
      return token;
    }
  }

  #reportEnd(): void {
    if (this.#hasReportedEnd) return;
    this.#hasReportedEnd = true;
    const open = this.#groups.at(-1);
    if (open !== undefined) {
      this.#log.error(open.position, '#if', 'unterminated conditional directive');
    }
    const comment = this.#lexer.unterminatedComment;
    if (comment !== null) this.#log.error(comment, '/*', 'unterminated comment');
  }

  /** Obeys one directive; afterwards the lexer stands behind a line, and behind what `#if` skips. */
  #readDirective(hash: Token): void {
    const name = this.#lexer.nextInLine();
    if (name === null) return;
    if (name.kind !== 'identifier') {
      this.#log.error(name, name.text, 'invalid directive name');
      this.#lexer.skipLine();
      return;
    }
    switch (name.text) {
      case 'define':
        this.#define(name);
        break;
      case 'undef':
        this.#undefine(name);
        break;
      case 'if':
      case 'ifdef':
      case 'ifndef':
        this.#openConditional(name);
        break;
      case 'elif':
      case 'else':
        this.#continueConditional(name);
        break;
      case 'endif':
        this.#closeConditional(name);
        break;
      case 'error':
        this.#reportErrorDirective(hash);
        break;
      case 'pragma':
        this.#obeyPragma();
        break;
      case 'extension':
        this.#obeyExtension(name);
        break;
      case 'version':
        this.#obeyVersion(hash);
        break;
      case 'line':
        this.#obeyLine(name);
        break;
      default:
        this.#log.error(name, name.text, 'invalid directive name');
    }
    this.#lexer.skipLine();
  }

  #restOfLine(): Token[] {
    const tokens: Token[] = [];
    for (;;) {
      const token = this.#lexer.nextInLine();
      if (token === null) return tokens;
      tokens.push(token);
    }
  }

  #endOfLine(position: Token): Token {
    return { ...position, kind: 'end', text: 'end of line' };
  }

  #refuseRest(directive: string): void {
    const extra = this.#lexer.nextInLine();
    if (extra !== null) {
      this.#log.error(extra, extra.text, `unexpected token after #${directive}`);
    }
  }

  #isEs(): boolean {
    return this.version === 100 || this.version === 300;
  }

  // ---- macros ----

  #definePredefined(): void {
    this.#macros.clear();
    this.#available = availableExtensions(this.version, this.#options.extensions);
    this.#definePlaced('__LINE__', (token) => String(token.line));
    this.#definePlaced('__FILE__', (token) => String(token.source));
    this.#definePlaced('__VERSION__', () => String(this.version));
    if (this.#isEs()) {
      this.#definePlaced('GL_ES', () => '1');
      this.#definePlaced('GL_FRAGMENT_PRECISION_HIGH', () => '1');
    }
    for (const name of this.#available) this.#definePlaced(name, () => '1');
  }

  #definePlaced(name: string, textAt: (token: Token) => string): void {
    this.#macros.set(name, { name, parameters: null, body: [], isPredefined: true, textAt });
  }

  /** The name after `#define` and `#undef`, or null if it may not be touched. */
  #readMacroName(directive: Token): Token | null {
    const name = this.#lexer.nextInLine();
    if (name === null || name.kind !== 'identifier') {
      this.#log.error(name ?? directive, name?.text ?? directive.text, 'a macro name is expected');
      return null;
    }
    if (this.#macros.get(name.text)?.isPredefined) {
      this.#log.error(name, name.text, 'a predefined macro cannot be redefined or undefined');
      return null;
    }
    if (name.text === 'defined' || (name.text.startsWith('GL_') && directive.text === 'define')) {
      this.#log.error(name, name.text, 'the macro name is reserved');
      return null;
    }
    if (name.text.includes('__')) {
      this.#log.warning(name, name.text, 'macro names with two underscores in a row are reserved');
    }
    return name;
  }

  #define(directive: Token): void {
    const name = this.#readMacroName(directive);
    if (name === null) return;
    const tokens = this.#restOfLine();
    this.#checkLength(name);
    for (const token of tokens) {
      this.#checkLength(token);
      // GLSL ES 3.00 has the backslash among its characters; it does harm where the macro is used.
      const isKnown = token.kind !== 'invalid' || (token.text === '\\' && this.version === 300);
      if (!isKnown) this.#log.error(token, token.text, 'invalid character');
    }
    let parameters: string[] | null = null;
    if (tokens[0]?.text === '(' && !tokens[0].hasSpaceBefore) {
      parameters = this.#readParameters(name, tokens);
      if (parameters === null) return;
    }
    const macro: Macro = {
      name: name.text,
      parameters,
      body: tokens,
      isPredefined: false,
      textAt: null,
    };
    const existing = this.#macros.get(name.text);
    if (existing !== undefined && !areSameMacros(existing, macro)) {
      this.#log.error(name, name.text, 'macro redefined');
      return;
    }
    this.#macros.set(name.text, macro);
  }

  /** Takes `(a, b)` off the front of `tokens`. */
  #readParameters(name: Token, tokens: Token[]): string[] | null {
    const parameters: string[] = [];
    let index = 1;
    if (tokens[index]?.text === ')') {
      tokens.splice(0, 2);
      return parameters;
    }
    for (;;) {
      const parameter = tokens[index++];
      if (parameter === undefined || parameter.kind !== 'identifier') {
        this.#log.error(parameter ?? name, parameter?.text ?? name.text, 'invalid macro parameter');
        return null;
      }
      if (parameters.includes(parameter.text)) {
        this.#log.error(parameter, parameter.text, 'duplicate macro parameter');
        return null;
      }
      parameters.push(parameter.text);
      const separator = tokens[index++];
      if (separator?.text === ')') break;
      if (separator?.text !== ',') {
        this.#log.error(separator ?? name, separator?.text ?? name.text, ') or , expected');
        return null;
      }
    }
    tokens.splice(0, index);
    return parameters;
  }

  #undefine(directive: Token): void {
    const name = this.#readMacroName(directive);
    if (name === null) return;
    this.#macros.delete(name.text);
    this.#refuseRest('undef');
  }

  // ---- conditionals ----

  #openConditional(directive: Token): void {
    if (this.#groups.length >= MAX_CONDITIONAL_NESTING) {
      this.#log.abort(directive, `#${directive.text}`, 'conditionals are nested too deeply');
    }
    const isTrue = this.#readCondition(directive);
    this.#groups.push({
      position: directive,
      isOuterActive: true,
      wasTaken: isTrue,
      isActive: isTrue,
      hasElse: false,
    });
    if (!isTrue) this.#skipGroup();
  }

  /** Reached from text that is read: the branches that follow are skipped. */
  #continueConditional(directive: Token): void {
    const group = this.#groups.at(-1);
    if (group === undefined) {
      this.#log.error(directive, `#${directive.text}`, 'there is no #if for this directive');
      return;
    }
    if (group.hasElse) {
      this.#log.error(directive, `#${directive.text}`, 'directive after #else');
    }
    if (directive.text === 'else') {
      group.hasElse = true;
      this.#refuseRest('else');
    }
    this.#skipGroup();
  }

  #closeConditional(directive: Token): void {
    if (this.#groups.pop() === undefined) {
      this.#log.error(directive, '#endif', 'there is no #if for this directive');
    }
    this.#refuseRest('endif');
  }

  /** Skips lines until the innermost group has a branch to read or ends. */
  #skipGroup(): void {
    const group = this.#groups.at(-1)!;
    let depth = 0;
    for (;;) {
      this.#lexer.skipLine();
      const token = this.#lexer.next();
      if (token.kind === 'end') {
        this.#reportEnd();
        return;
      }
      if (token.text !== '#' || !token.startsLine) continue;
      const name = this.#lexer.nextInLine();
      switch (name?.text) {
        case 'if':
        case 'ifdef':
        case 'ifndef':
          depth++;
          if (depth + this.#groups.length > MAX_CONDITIONAL_NESTING) {
            this.#log.abort(token, `#${name.text}`, 'conditionals are nested too deeply');
          }
          break;
        case 'else':
          if (depth > 0) break;
          if (group.hasElse) this.#log.error(name, '#else', 'directive after #else');
          group.hasElse = true;
          this.#refuseRest('else');
          if (!group.wasTaken) {
            group.wasTaken = true;
            return;
          }
          break;
        case 'elif':
          if (depth > 0) break;
          if (group.hasElse) this.#log.error(name, '#elif', 'directive after #else');
          if (!group.wasTaken && this.#readCondition(name)) {
            group.wasTaken = true;
            return;
          }
          break;
        case 'endif':
          if (depth === 0) {
            this.#groups.pop();
            this.#refuseRest('endif');
            return;
          }
          depth--;
          break;
        default:
      }
    }
  }

  #readCondition(directive: Token): boolean {
    if (directive.text === 'ifdef' || directive.text === 'ifndef') {
      const name = this.#lexer.nextInLine();
      if (name === null || name.kind !== 'identifier') {
        this.#log.error(name ?? directive, `#${directive.text}`, 'a macro name is expected');
        return false;
      }
      this.#refuseRest(directive.text);
      return this.#macros.has(name.text) === (directive.text === 'ifdef');
    }
    const tokens = this.#restOfLine();
    const end = this.#endOfLine(directive);
    try {
      const resolved = this.#expander.expandLine(this.#replaceDefined(tokens, end), end);
      // Outside WebGL a macro whose body says `defined` is as good as one that stands in the line.
      const final = this.#options.isWebGl ? resolved : this.#replaceDefined(resolved, end);
      return evaluateConditionalExpression(final, end, !this.#isEs()) !== 0;
    } catch (error) {
      if (!(error instanceof ConditionalExpressionError)) throw error;
      this.#log.error(error.token, error.token.text, error.message);
      return false;
    }
  }

  #replaceDefined(tokens: readonly Token[], end: Token): Token[] {
    const result: Token[] = [];
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i]!;
      if (token.text !== 'defined') {
        result.push(token);
        continue;
      }
      const hasParentheses = tokens[i + 1]?.text === '(';
      if (hasParentheses) i++;
      i++;
      const name = tokens[i] ?? end;
      if (name.kind !== 'identifier') {
        throw new ConditionalExpressionError(name, 'a macro name is expected after defined');
      }
      if (hasParentheses) {
        i++;
        const close = tokens[i] ?? end;
        if (close.text !== ')') throw new ConditionalExpressionError(close, ') expected');
      }
      result.push({ ...name, kind: 'number', text: this.#macros.has(name.text) ? '1' : '0' });
    }
    return result;
  }

  // ---- the other directives ----

  #reportErrorDirective(hash: Token): void {
    const tokens = this.#restOfLine();
    let text = '';
    for (const token of tokens)
      text += (text !== '' && token.hasSpaceBefore ? ' ' : '') + token.text;
    this.#log.error(hash, '#error', text);
  }

  #obeyPragma(): void {
    const text = this.#restOfLine()
      .map((token) => token.text)
      .join(' ');
    if (text === 'STDGL invariant ( all )') this.isInvariantAll = true;
    // Ours: whoever draws into several targets says so.
    const targets = COLOR_TARGETS.exec(text);
    if (targets !== null) this.colorTargetCount = Number(targets[1]);
    // Ours: a context leaves what it said of itself in the source that it passes on.
    const told = DRAW_BUFFERS.exec(text);
    if (told !== null) this.toldDrawBuffers = Number(told[1]);
    const offered = OFFERED_EXTENSIONS.exec(text);
    if (offered === null) return;
    const names = offered[1]!.split(' ');
    for (const name of [...this.#available]) {
      if (names.includes(name)) continue;
      this.#available.delete(name);
      this.#macros.delete(name);
    }
  }

  #obeyExtension(directive: Token): void {
    const tokens = this.#restOfLine();
    const [name, colon, behavior] = tokens;
    const isWellFormed = tokens.length === 3 && name?.kind === 'identifier' && colon?.text === ':';
    if (!isWellFormed || behavior?.kind !== 'identifier') {
      this.#log.error(directive, '#extension', 'invalid extension directive');
      return;
    }
    if (!isExtensionBehavior(behavior.text)) {
      this.#log.error(behavior, behavior.text, 'invalid extension behavior');
      return;
    }
    if (this.#hasSeenToken) {
      const message = 'an extension directive must stand before all other text';
      if (this.version === 300) this.#log.error(directive, '#extension', message);
      else this.#log.warning(directive, '#extension', message);
    }
    if (name.text === 'all') {
      if (behavior.text === 'require' || behavior.text === 'enable') {
        this.#log.error(behavior, 'all', `cannot be given the behavior ${behavior.text}`);
        return;
      }
      for (const each of this.#available) this.extensionBehaviors.set(each, behavior.text);
      return;
    }
    if (!this.#available.has(name.text)) {
      if (behavior.text === 'require')
        this.#log.error(name, name.text, 'extension is not supported');
      else this.#log.warning(name, name.text, 'extension is not supported');
      return;
    }
    this.extensionBehaviors.set(name.text, behavior.text);
  }

  #obeyVersion(hash: Token): void {
    const tokens = this.#restOfLine();
    const [number, profile] = tokens;
    if (this.#hasSeenToken || this.#hasSeenDirective) {
      this.#log.error(hash, '#version', 'must be the first directive and stand before all text');
      return;
    }
    if (number?.kind !== 'number' || !/^[0-9]+$/.test(number.text)) {
      this.#log.error(number ?? hash, number?.text ?? '#version', 'a version number is expected');
      return;
    }
    const version = this.#options.allowedVersions.find((each) => each === Number(number.text));
    if (version === undefined) {
      this.#log.abort(number, number.text, 'version number is not supported');
    }
    const extra = version === 300 ? tokens[2] : profile;
    if (version === 300 && profile?.text !== 'es') {
      this.#log.error(number, number.text, 'version 300 must be followed by es');
    } else if (extra !== undefined) {
      this.#log.error(extra, extra.text, 'unexpected token after the version');
    }
    if (version === 300 && hash.line !== 1) {
      this.#log.error(hash, '#version', 'must stand on the first line');
    }
    this.version = version;
    this.#definePredefined();
  }

  #obeyLine(directive: Token): void {
    const end = this.#endOfLine(directive);
    const tokens = this.#expander.expandLine(this.#restOfLine(), end);
    let numbers: number[];
    try {
      numbers = evaluateExpressions(tokens, end, 2);
    } catch (error) {
      if (!(error instanceof ConditionalExpressionError)) throw error;
      numbers = [];
    }
    if (numbers.length === 0 || numbers.some((number) => number < 0)) {
      this.#log.error(directive, '#line', 'invalid line directive');
      return;
    }
    // The line end of the directive counts one line. Up to GLSL 1.40 the number is that of the
    // directive's own line; in GLSL ES it is that of the line that follows.
    this.#lexer.line = this.#isEs() ? numbers[0]! - 1 : numbers[0]!;
    if (numbers.length === 2) this.#lexer.source = numbers[1]!;
  }
}

function isExtensionBehavior(text: string): text is ExtensionBehavior {
  return text === 'require' || text === 'enable' || text === 'warn' || text === 'disable';
}

function areSameMacros(a: Macro, b: Macro): boolean {
  if (a.parameters?.join() !== b.parameters?.join()) return false;
  if (a.body.length !== b.body.length) return false;
  return a.body.every((token, index) => {
    const other = b.body[index]!;
    const isSpacingSame = index === 0 || token.hasSpaceBefore === other.hasSpaceBefore;
    return token.text === other.text && isSpacingSame;
  });
}
