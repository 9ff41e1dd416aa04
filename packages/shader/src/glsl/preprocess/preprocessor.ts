/**
 * The GLSL preprocessor (GLSL ES 3.00 section 3.4), on tokens: directives are obeyed, macros expanded,
 * positions kept. What comes out is what the parser reads.
 */
import type { DiagnosticLog } from '../../tree/diagnostics.ts';
import {
  availableExtensions,
  type ExtensionBehavior,
  type GlslVersion,
} from '../language/extensions.ts';
import { ConditionalDirectives } from './conditional-directives.ts';
import { ConditionalExpressionError, evaluateExpressions } from './conditional-expression.ts';
import { DirectiveLine } from './directive-line.ts';
import { Lexer, type Token } from './lexer.ts';
import { MacroExpander } from './macro-expansion.ts';
import { MacroTable } from './macro-table.ts';

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
  readonly #line: DirectiveLine;
  readonly #macros: MacroTable;
  readonly #expander: MacroExpander;
  readonly #conditionals: ConditionalDirectives;
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
    this.#line = new DirectiveLine(this.#lexer, log);
    this.#macros = new MacroTable(this.#line, log, (token) => this.#checkLength(token));
    this.#expander = new MacroExpander(this.#macros.byName, () => this.#readSource(), log);
    this.#conditionals = new ConditionalDirectives(
      this.#lexer,
      this.#line,
      log,
      this.#macros,
      this.#expander,
      { isWebGl: options.isWebGl, isEs: () => this.#isEs() },
    );
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
    const open = this.#conditionals.openPosition;
    if (open !== null) this.#log.error(open, '#if', 'unterminated conditional directive');
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
        this.#macros.define(name);
        break;
      case 'undef':
        this.#macros.undefine(name);
        break;
      case 'if':
      case 'ifdef':
      case 'ifndef':
        this.#conditionals.open(name);
        break;
      case 'elif':
      case 'else':
        this.#conditionals.continue(name);
        break;
      case 'endif':
        this.#conditionals.close(name);
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

  #definePredefined(): void {
    this.#available = availableExtensions(this.version, this.#options.extensions);
    this.#macros.definePredefined(this.version, this.#available);
  }

  #isEs(): boolean {
    return this.version === 100 || this.version === 300;
  }

  #reportErrorDirective(hash: Token): void {
    const tokens = this.#line.restOfLine();
    let text = '';
    for (const token of tokens)
      text += (text !== '' && token.hasSpaceBefore ? ' ' : '') + token.text;
    this.#log.error(hash, '#error', text);
  }

  #obeyPragma(): void {
    const text = this.#line
      .restOfLine()
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
      this.#macros.remove(name);
    }
  }

  #obeyExtension(directive: Token): void {
    const tokens = this.#line.restOfLine();
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
    const tokens = this.#line.restOfLine();
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
    const end = this.#line.endOfLine(directive);
    const tokens = this.#expander.expandLine(this.#line.restOfLine(), end);
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
