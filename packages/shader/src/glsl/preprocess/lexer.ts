/**
 * Splits GLSL source into preprocessing tokens (GLSL ES 3.00 sections 3.2 to 3.4).
 *
 * Works on character codes and produces one token at a time. Groups that the preprocessor skips,
 * and sources that are rejected early, therefore cost next to nothing. Comments are white space. A
 * backslash at the end of a line joins it with the next one.
 */

import type { SourcePosition } from '../../tree/checked-tree.ts';
import type { HideSet } from './macro-expansion.ts';

/** Kind of a token. */
export type TokenKind =
  | 'identifier'
  /** Keyword of the language version, including the names of types. */
  | 'keyword'
  /** Word that the language version reserves for future use. */
  | 'reserved'
  /** Text that starts like a number. Its value is checked when it is needed. */
  | 'number'
  | 'punctuator'
  /** Character outside the character set of the language. */
  | 'invalid'
  | 'end';

/** Token with its {@link SourcePosition}. */
export interface Token {
  kind: TokenKind;
  text: string;
  source: number;
  line: number;
  row: number;
  column: number;
  /** Whether only white space precedes it on its line. */
  readonly startsLine: boolean;
  /** Whether white space precedes it; macro definitions are compared with it. */
  readonly hasSpaceBefore: boolean;
  /** Macros that must not be expanded in this token again. */
  hideSet: HideSet | null;
}

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const SLASH = 47;
const STAR = 42;
const DOT = 46;
const BACKSLASH = 92;

const CLASS_OTHER = 0;
const CLASS_LETTER = 1;
const CLASS_DIGIT = 2;
const CLASS_SPACE = 3;
const CLASS_NEWLINE = 4;

const CHARACTER_CLASSES = (() => {
  const classes = new Uint8Array(128);
  for (let code = 0; code < 128; code++) {
    const character = String.fromCharCode(code);
    if (/[A-Za-z_]/.test(character)) classes[code] = CLASS_LETTER;
    else if (/[0-9]/.test(character)) classes[code] = CLASS_DIGIT;
    else if (/[ \t\v\f]/.test(character)) classes[code] = CLASS_SPACE;
    else if (/[\r\n]/.test(character)) classes[code] = CLASS_NEWLINE;
  }
  return classes;
})();

/** Punctuators by first character code, longest first. */
const PUNCTUATORS: readonly (readonly string[])[] = (() => {
  const all =
    '<<= >>= ++ -- << >> <= >= == != && || ^^ *= /= %= += -= &= ^= |= ## ( ) [ ] { } . , ; : ? + - * / % ~ ! < > & ^ | = #';
  const byFirst: string[][] = Array.from({ length: 128 }, () => []);
  for (const text of all.split(' ')) byFirst[text.charCodeAt(0)]!.push(text);
  return byFirst;
})();

function classOf(code: number): number {
  return code < 128 ? CHARACTER_CLASSES[code]! : CLASS_OTHER;
}

/** Reads the tokens of one source from start to end. */
export class Lexer {
  /** Source string number of the next token, as set by `#line`. */
  source = 0;
  line = 1;
  /** Line of the text, which `#line` does not change. */
  #row = 1;
  readonly #text: string;
  #offset = 0;
  #lineStart = 0;
  #startsLine = true;
  #hasSpaceBefore = false;
  /** Offsets in the joined text at which lines were joined, ascending. */
  readonly #joins: readonly number[];
  #joinIndex = 0;
  /** Start of an unterminated comment, else null. */
  unterminatedComment: SourcePosition | null = null;

  /**
   * @param joinsLines Whether a backslash at the end of a line also joins lines outside comments.
   */
  constructor(text: string, joinsLines = true) {
    if (joinsLines && text.includes('\\')) {
      const { joined, joins } = joinContinuedLines(text);
      this.#text = joined;
      this.#joins = joins;
    } else {
      this.#text = text;
      this.#joins = [];
    }
  }

  /** Returns the next token; after the last one, a token of kind `end` each time. */
  next(): Token {
    this.#skipSpace(true);
    return this.#read();
  }

  /** Returns the next token of the current line, or null at its end. */
  nextInLine(): Token | null {
    this.#skipSpace(false);
    const offset = this.#offset;
    if (offset >= this.#text.length) return null;
    if (classOf(this.#text.charCodeAt(offset)) === CLASS_NEWLINE) return null;
    return this.#read();
  }

  /** Skips the rest of the line, including comments that continue on later lines. */
  skipLine(): void {
    const text = this.#text;
    while (this.#offset < text.length) {
      const code = text.charCodeAt(this.#offset);
      if (code === NEWLINE || code === CARRIAGE_RETURN) return;
      if (code === SLASH) {
        const before = this.#offset;
        this.#skipSpace(false);
        if (this.#offset === before) this.#offset++;
      } else {
        this.#offset++;
      }
    }
  }

  #read(): Token {
    const text = this.#text;
    const start = this.#offset;
    const startsLine = this.#startsLine;
    this.#startsLine = false;
    this.#passJoins(start);
    let kind: TokenKind = 'punctuator';
    let tokenText = '';
    if (start >= text.length) {
      kind = 'end';
    } else {
      const code = text.charCodeAt(start);
      const characterClass = classOf(code);
      if (characterClass === CLASS_LETTER) {
        kind = 'identifier';
        tokenText = text.slice(start, this.#skipWord(start + 1));
      } else if (characterClass === CLASS_DIGIT || (code === DOT && this.#isDigitAt(start + 1))) {
        kind = 'number';
        tokenText = text.slice(start, this.#skipNumber(start + 1));
      } else {
        tokenText = this.#readPunctuator(start, code);
        if (tokenText === '') {
          kind = 'invalid';
          tokenText = String.fromCodePoint(text.codePointAt(start)!);
          this.#offset = start + tokenText.length;
        }
      }
    }
    return {
      kind,
      text: tokenText,
      source: this.source,
      line: this.line,
      row: this.#row,
      column: start - this.#lineStart + 1,
      startsLine,
      hasSpaceBefore: this.#hasSpaceBefore,
      hideSet: null,
    };
  }

  #readPunctuator(start: number, code: number): string {
    if (code >= 128) return '';
    for (const candidate of PUNCTUATORS[code]!) {
      if (candidate.length === 1 || this.#text.startsWith(candidate, start)) {
        this.#offset = start + candidate.length;
        return candidate;
      }
    }
    return '';
  }

  #skipWord(from: number): number {
    const text = this.#text;
    let offset = from;
    while (offset < text.length) {
      const characterClass = classOf(text.charCodeAt(offset));
      if (characterClass !== CLASS_LETTER && characterClass !== CLASS_DIGIT) break;
      offset++;
    }
    this.#offset = offset;
    return offset;
  }

  /**
   * Skips letters, digits, dots, and a sign after an exponent's `e`. In `0x1e+1` the sign is an
   * operator.
   */
  #skipNumber(from: number): number {
    const text = this.#text;
    const second = from < text.length ? text.charCodeAt(from) | 32 : 0;
    const isHexadecimal = text.charCodeAt(from - 1) === 48 && second === 120;
    let offset = from;
    while (offset < text.length) {
      const code = text.charCodeAt(offset);
      const characterClass = classOf(code);
      if (characterClass === CLASS_DIGIT || characterClass === CLASS_LETTER || code === DOT) {
        offset++;
        continue;
      }
      const isSign = code === 43 || code === 45;
      const isAfterE = (text.charCodeAt(offset - 1) | 32) === 101;
      if (!isSign || !isAfterE || isHexadecimal) break;
      offset++;
    }
    this.#offset = offset;
    return offset;
  }

  #isDigitAt(offset: number): boolean {
    return offset < this.#text.length && classOf(this.#text.charCodeAt(offset)) === CLASS_DIGIT;
  }

  #skipSpace(throughNewlines: boolean): void {
    const text = this.#text;
    const start = this.#offset;
    for (;;) {
      const offset = this.#offset;
      if (offset >= text.length) break;
      const code = text.charCodeAt(offset);
      const characterClass = classOf(code);
      if (characterClass === CLASS_SPACE) {
        this.#offset++;
      } else if (characterClass === CLASS_NEWLINE) {
        if (!throughNewlines) break;
        this.#passNewline(offset, code);
        this.#startsLine = true;
      } else if (code === SLASH && text.charCodeAt(offset + 1) === SLASH) {
        this.#offset += 2;
        this.#skipLineComment();
      } else if (code === SLASH && text.charCodeAt(offset + 1) === STAR) {
        this.#skipBlockComment(offset);
      } else {
        break;
      }
    }
    this.#hasSpaceBefore = this.#offset !== start;
  }

  #skipLineComment(): void {
    const text = this.#text;
    while (this.#offset < text.length) {
      const code = text.charCodeAt(this.#offset);
      if (code === NEWLINE || code === CARRIAGE_RETURN) {
        if (text.charCodeAt(this.#offset - 1) !== BACKSLASH) return;
        this.#passNewline(this.#offset, code);
      } else {
        this.#offset++;
      }
    }
  }

  #skipBlockComment(start: number): void {
    const text = this.#text;
    const end = text.indexOf('*/', start + 2);
    this.#passJoins(start);
    const { source, line } = this;
    const row = this.#row;
    const column = start - this.#lineStart + 1;
    const stop = end < 0 ? text.length : end;
    this.#offset = start + 2;
    while (this.#offset < stop) {
      const code = text.charCodeAt(this.#offset);
      if (code === NEWLINE || code === CARRIAGE_RETURN) this.#passNewline(this.#offset, code);
      else this.#offset++;
    }
    if (end < 0) this.unterminatedComment = { source, line, row, column };
    this.#offset = end < 0 ? text.length : end + 2;
  }

  /** Counts a line end. Carriage return and newline in either order count as one. */
  #passNewline(offset: number, code: number): void {
    this.#passJoins(offset);
    const other = this.#text.charCodeAt(offset + 1);
    const isPair = code + other === NEWLINE + CARRIAGE_RETURN && code !== other;
    this.#offset = offset + (isPair ? 2 : 1);
    this.#lineStart = this.#offset;
    this.line++;
    this.#row++;
  }

  #passJoins(offset: number): void {
    while (this.#joinIndex < this.#joins.length && this.#joins[this.#joinIndex]! <= offset) {
      this.#lineStart = this.#joins[this.#joinIndex]!;
      this.#joinIndex++;
      this.line++;
      this.#row++;
    }
  }
}

function joinContinuedLines(text: string): { joined: string; joins: number[] } {
  const joins: number[] = [];
  const parts = text.split(/\\(?:\r\n|\n\r|\n|\r)/);
  let length = 0;
  for (const part of parts.slice(0, -1)) {
    length += part.length;
    joins.push(length);
  }
  return { joined: parts.join(''), joins };
}
