/** Where the front end collects what it has to say about a source. */
import type { Diagnostic, SourcePosition } from './checked-tree.ts';

/** Errors after which checking of a source ends; a reader has long stopped by then. */
const MAX_ERRORS = 100;

/** Ends the check of one source; thrown and caught inside the front end only. */
export class CheckAborted extends Error {
  override readonly name = 'CheckAborted';
}

/** The diagnostics of one source, in the order in which they were found. */
export class DiagnosticLog {
  readonly entries: Diagnostic[] = [];
  errorCount = 0;

  /** @throws {CheckAborted} When there are too many errors to go on. */
  error(position: SourcePosition, token: string, message: string): void {
    this.#add('error', position, token, message);
    this.errorCount++;
    if (this.errorCount >= MAX_ERRORS) throw new CheckAborted('too many errors');
  }

  warning(position: SourcePosition, token: string, message: string): void {
    this.#add('warning', position, token, message);
  }

  /** Reports an error after which nothing sensible can follow, such as an expansion without end. */
  abort(position: SourcePosition, token: string, message: string): never {
    this.#add('error', position, token, message);
    this.errorCount++;
    throw new CheckAborted(message);
  }

  #add(
    severity: 'error' | 'warning',
    position: SourcePosition,
    token: string,
    message: string,
  ): void {
    const { source, line, column } = position;
    // A name of a megabyte would make a message of a megabyte.
    const shownToken = token.length > 80 ? `${token.slice(0, 80)}…` : token;
    this.entries.push({ severity, position: { source, line, column }, token: shownToken, message });
  }
}

/**
 * Returns the text that `getShaderInfoLog` shows, one line each:
 * `ERROR: 0:12: 'foo' : undeclared identifier`. Empty when there is nothing to say.
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map(({ severity, position, token, message }) => {
      const label = severity === 'error' ? 'ERROR' : 'WARNING';
      return `${label}: ${position.source}:${position.line}: '${token}' : ${message}\n`;
    })
    .join('');
}
