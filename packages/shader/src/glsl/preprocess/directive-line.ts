import type { DiagnosticLog } from '../../tree/diagnostics.ts';
import type { Lexer, Token } from './lexer.ts';

/** Remaining tokens of a directive's line, after its name. */
export class DirectiveLine {
  readonly #lexer: Lexer;
  readonly #log: DiagnosticLog;

  constructor(lexer: Lexer, log: DiagnosticLog) {
    this.#lexer = lexer;
    this.#log = log;
  }

  /** Returns the next token; null at the end of the line. */
  next(): Token | null {
    return this.#lexer.nextInLine();
  }

  /** Returns the remaining tokens of the line. */
  restOfLine(): Token[] {
    const tokens: Token[] = [];
    for (;;) {
      const token = this.#lexer.nextInLine();
      if (token === null) return tokens;
      tokens.push(token);
    }
  }

  /** Returns a token of kind `end` for messages about a missing token. */
  endOfLine(position: Token): Token {
    return { ...position, kind: 'end', text: 'end of line' };
  }

  /** Reports a token that follows a complete directive. */
  refuseRest(directive: string): void {
    const extra = this.#lexer.nextInLine();
    if (extra !== null) {
      this.#log.error(extra, extra.text, `unexpected token after #${directive}`);
    }
  }
}
