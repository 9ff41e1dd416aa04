/**
 * Output of commands. Titles, warnings, errors and names may come from untrusted files and
 * services, so control characters are always escaped. Only the progress bar controls the terminal.
 */
import { escapeControls, escapeControlsInLines } from '@tessera/frame';

/** Writes text to the standard output. Keeps line feeds and tabs. */
export function printText(text: string): void {
  process.stdout.write(escapeControlsInLines(text));
}

/**
 * Writes a message that is not a result, such as a warning, to the standard error. Keeps line feeds
 * and tabs.
 */
export function printNote(text: string): void {
  process.stderr.write(escapeControlsInLines(text));
}

/** Writes a value to the standard output as indented JSON. */
export function printJson(value: unknown): void {
  const escaped = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;
  const lines = JSON.stringify(value, null, 2).split('\n');
  process.stdout.write(`${lines.map((line) => escapeControls(line, escaped)).join('\n')}\n`);
}

/** Resolves when everything that was printed has been written. */
export async function finishOutput(): Promise<void> {
  await Promise.all(
    [process.stdout, process.stderr].map(
      (stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
    ),
  );
}
