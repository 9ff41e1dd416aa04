/** Macros of a source: predefined ones, `#define` and `#undef`. */
import type { DiagnosticLog } from '../../tree/diagnostics.ts';
import { type GlslVersion, isEsVersion, isLaterVersion } from '../language/versions.ts';
import type { DirectiveLine } from './directive-line.ts';
import type { Token } from './lexer.ts';
import type { Macro } from './macro-expansion.ts';

/** Macros defined at the current place of a source. */
export class MacroTable {
  readonly #line: DirectiveLine;
  readonly #log: DiagnosticLog;
  readonly #checkLength: (token: Token) => void;
  readonly #macros = new Map<string, Macro>();
  #saved: readonly Macro[] = [];
  #version: GlslVersion = 100;

  /** @param checkLength Reports an identifier that is too long. */
  constructor(line: DirectiveLine, log: DiagnosticLog, checkLength: (token: Token) => void) {
    this.#line = line;
    this.#log = log;
    this.#checkLength = checkLength;
  }

  /** Macros by name. */
  get byName(): ReadonlyMap<string, Macro> {
    return this.#macros;
  }

  /** Keeps the macros of now for {@link restore}. */
  save(): void {
    this.#saved = [...this.#macros.values()];
  }

  /** Removes the macros that were defined since {@link save}. */
  restore(): void {
    this.#macros.clear();
    for (const macro of this.#saved) this.#macros.set(macro.name, macro);
  }

  /** Removes the macro of an extension that is not available. */
  remove(name: string): void {
    this.#macros.delete(name);
  }

  /**
   * Replaces all macros by the predefined ones of a version and one for each available extension.
   */
  definePredefined(version: GlslVersion, extensions: Iterable<string>): void {
    this.#version = version;
    this.#macros.clear();
    this.#definePlaced('__LINE__', (token) => String(token.line));
    this.#definePlaced('__FILE__', (token) => String(token.source));
    this.#definePlaced('__VERSION__', () => String(version));
    if (isEsVersion(version)) {
      this.#definePlaced('GL_ES', () => '1');
      this.#definePlaced('GL_FRAGMENT_PRECISION_HIGH', () => '1');
    }
    for (const name of extensions) this.#definePlaced(name, () => '1');
  }

  #definePlaced(name: string, textAt: (token: Token) => string): void {
    this.#macros.set(name, { name, parameters: null, body: [], isPredefined: true, textAt });
  }

  /** Returns the name after `#define` or `#undef`, or null after an error. */
  #readMacroName(directive: Token): Token | null {
    const name = this.#line.next();
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
      this.#log.warning(
        name,
        name.text,
        'macro names with two consecutive underscores are reserved',
      );
    }
    return name;
  }

  /** Handles `#define`. */
  define(directive: Token): void {
    const name = this.#readMacroName(directive);
    if (name === null) return;
    const tokens = this.#line.restOfLine();
    this.#checkLength(name);
    for (const token of tokens) {
      this.#checkLength(token);
      // The character set of GLSL ES 3.00 includes the backslash; it is an error only where the
      // macro is expanded.
      const isKnown =
        token.kind !== 'invalid' || (token.text === '\\' && isLaterVersion(this.#version));
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

  /** Removes `(a, b)` from the front of `tokens` and returns the names; null after an error. */
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
        this.#log.error(separator ?? name, separator?.text ?? name.text, "',' or ')' expected");
        return null;
      }
    }
    tokens.splice(0, index);
    return parameters;
  }

  /** Handles `#undef`. */
  undefine(directive: Token): void {
    const name = this.#readMacroName(directive);
    if (name === null) return;
    this.#macros.delete(name.text);
    this.#line.refuseRest('undef');
  }
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
