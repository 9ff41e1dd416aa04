/** Collection of the errors and warnings that the front end reports for a source. */
import type { Diagnostic, SourcePosition } from './checked-tree.ts';

/** Number of errors after which the check stops. */
const MAX_ERRORS = 100;

/** Error that aborts the check of one source. It is thrown and caught inside the front end only. */
export class CheckAborted extends Error {
  override readonly name = 'CheckAborted';
}

/** Diagnostics of one source in the order of discovery. */
export class DiagnosticLog {
  readonly entries: Diagnostic[] = [];
  errorCount = 0;

  /**
   * Reports an error.
   *
   * @throws {CheckAborted} If this is error number {@link MAX_ERRORS}.
   */
  error(position: SourcePosition, token: string, message: string): void {
    this.#add('error', position, token, message);
    this.errorCount++;
    if (this.errorCount >= MAX_ERRORS) throw new CheckAborted('too many errors');
  }

  /** Reports a warning. */
  warning(position: SourcePosition, token: string, message: string): void {
    this.#add('warning', position, token, message);
  }

  /**
   * Reports an error that makes continuing pointless, such as an endless macro expansion.
   *
   * @throws {CheckAborted} Always.
   */
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
    const { source, line, row, column } = position;
    // A token of one megabyte would make a message of one megabyte.
    const shownToken = token.length > 80 ? `${token.slice(0, 80)}…` : token;
    this.entries.push({
      severity,
      position: { source, line, row, column },
      token: shownToken,
      message,
    });
  }
}

/**
 * Returns the text that `getShaderInfoLog` shows, one line per diagnostic:
 * `ERROR: 0:12: 'foo' : undeclared identifier`.
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map(({ severity, position, token, message }) => {
      const label = severity === 'error' ? 'ERROR' : 'WARNING';
      return `${label}: ${position.source}:${position.line}: '${token}' : ${message}\n`;
    })
    .join('');
}
