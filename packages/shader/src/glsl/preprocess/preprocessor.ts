/**
 * The GLSL preprocessor (GLSL ES 3.00 section 3.4). It works on tokens: it executes directives,
 * expands macros and keeps positions. The parser reads its output.
 */
import type { DiagnosticLog } from '../../tree/diagnostics.ts';
import { availableExtensions, type ExtensionBehavior } from '../language/extensions.ts';
import { type GlslVersion, isEsVersion } from '../language/versions.ts';
import { ConditionalDirectives } from './conditional-directives.ts';
import { ConditionalExpressionError, evaluateExpressions } from './conditional-expression.ts';
import { DirectiveLine } from './directive-line.ts';
import { Lexer, type Token } from './lexer.ts';
import { MacroExpander } from './macro-expansion.ts';
import { MacroTable } from './macro-table.ts';

/** Languages and extensions that a source may use. */
export interface PreprocessorOptions {
  readonly defaultVersion: 100 | 110;
  /** Versions that `#version` may name. */
  readonly allowedVersions: readonly GlslVersion[];
  /** Names of the available extensions; all known ones if undefined. */
  readonly extensions: readonly string[] | undefined;
  /**
   * Whether a macro must not produce `defined`, and a backslash is invalid if only GLSL ES 1.00 is
   * allowed.
   */
  readonly isWebGl: boolean;
  readonly maxIdentifierLength: number;
  /**
   * Value of `gl_MaxDrawBuffers` in GLSL ES 1.00 without its extension, unless a pragma sets it.
   */
  readonly maxDrawBuffersWithoutExtension: number;
}

const OFFERED_EXTENSIONS = /^tessera_extensions \( ((?:\w+ )*)\)$/;
const DRAW_BUFFERS = /^tessera_draw_buffers \( ([1-8]) \)$/;
const OUTPUT_LOCATION = /^tessera_output_location \( (\w+) ([0-7]) \)$/;
const COLOR_TARGETS = /^tessera_color_targets \( ([1-8]) \)$/;
const CLIP_DISTANCES = /^tessera_clip_distances \( (\d{1,3}) \)$/;
const NEXT_SHADER = 'tessera_next_shader';

/** Produces the preprocessed tokens of one source. */
export class Preprocessor {
  version: GlslVersion;
  /** Number of changes of the version and the extensions so far. */
  languageRevision = 0;
  /** Extensions with the behavior that the source requested. */
  readonly extensionBehaviors = new Map<string, ExtensionBehavior>();
  /** Colors of the fragment outputs that the API has bound, by name. */
  readonly outputLocations = new Map<string, number>();
  /** Number of shaders of the stage that have begun so far; 0 if the source does not name them. */
  shaderCount = 0;
  /** Whether the source contains `#pragma STDGL invariant(all)`. */
  isInvariantAll = false;
  /** Number of render targets that `gl_FragColor` writes to. */
  colorTargetCount = 1;
  /** Clip distances that clip, one bit each. */
  clipMask = 0;
  /** Value of `gl_MaxDrawBuffers` in GLSL ES 1.00 without its extension. */
  maxDrawBuffersWithoutExtension: number;
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
    this.maxDrawBuffersWithoutExtension = options.maxDrawBuffersWithoutExtension;
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

  /** Returns the next token after preprocessing; its kind is `end` at the end. */
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

  /**
   * Executes one directive. Afterwards the lexer is at the end of a line, after any text that `#if`
   * skips.
   */
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
    return isEsVersion(this.version);
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
    // Extension of Tessera: several shaders of one stage are linked as one source.
    if (text === NEXT_SHADER) {
      if (this.shaderCount === 0) this.#macros.save();
      else this.#macros.restore();
      this.shaderCount++;
    }
    // Extension of Tessera: sets the number of render targets of a draw.
    const targets = COLOR_TARGETS.exec(text);
    if (targets !== null) this.colorTargetCount = Number(targets[1]);
    // Extension of Tessera: names the clip distances that a draw has enabled.
    const clipping = CLIP_DISTANCES.exec(text);
    if (clipping !== null) this.clipMask = Number(clipping[1]) & 0xff;
    // Extension of Tessera: a program records the colors that it binds to fragment outputs.
    const output = OUTPUT_LOCATION.exec(text);
    if (output !== null) this.outputLocations.set(output[1]!, Number(output[2]));
    // Extension of Tessera: a context records its own limit in the source that it forwards.
    const drawBuffers = DRAW_BUFFERS.exec(text);
    if (drawBuffers !== null) this.maxDrawBuffersWithoutExtension = Number(drawBuffers[1]);
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
    this.languageRevision++;
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
      const message = 'an extension directive must precede all other text';
      if (this.#isLateError(behavior.text)) this.#log.error(directive, '#extension', message);
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

  /** Whether a directive after other text is an error. WebGL 1 only refuses to disable there. */
  #isLateError(behavior: ExtensionBehavior): boolean {
    return this.version === 300 || (this.#options.isWebGl && behavior === 'disable');
  }

  #obeyVersion(hash: Token): void {
    const tokens = this.#line.restOfLine();
    const [number, profile] = tokens;
    if (this.#hasSeenToken || this.#hasSeenDirective) {
      this.#log.error(hash, '#version', 'must be the first directive and precede all other text');
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
    const hasProfile =
      version === 300 || (version >= 150 && /^(core|compatibility)$/.test(profile?.text ?? ''));
    const extra = hasProfile ? tokens[2] : profile;
    if (version === 300 && profile?.text !== 'es') {
      this.#log.error(number, number.text, 'version 300 must be followed by es');
    } else if (extra !== undefined) {
      this.#log.error(extra, extra.text, 'unexpected token after the version');
    }
    if (version === 300 && hash.line !== 1) {
      this.#log.error(hash, '#version', 'must be on the first line');
    }
    this.version = version;
    this.languageRevision++;
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
    // The line end of the directive adds one line. Up to GLSL 1.50 the number is that of the
    // directive's own line; in GLSL ES and GLSL 3.30 it is that of the next line.
    const isNext = this.#isEs() || this.version === 330;
    this.#lexer.line = isNext ? numbers[0]! - 1 : numbers[0]!;
    if (numbers.length === 2) this.#lexer.source = numbers[1]!;
  }
}

function isExtensionBehavior(text: string): text is ExtensionBehavior {
  return text === 'require' || text === 'enable' || text === 'warn' || text === 'disable';
}
