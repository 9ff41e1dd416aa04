/**
 * What commands write. Titles, warnings, errors and names come from files and services of others, so control characters
 * are escaped whatever is written: nothing here steers the terminal but the progress bar.
 */
import { escapeControls, escapeControlsInLines } from '@tessera/frame';

/** Writes text to the standard output; its line feeds and tabs stay. */
export function printText(text: string): void {
  process.stdout.write(escapeControlsInLines(text));
}

/** Writes what is no result, such as a warning, to the standard error; its line feeds and tabs stay. */
export function printNote(text: string): void {
  process.stderr.write(escapeControlsInLines(text));
}

/** Writes a value to the standard output as JSON over several lines. */
export function printJson(value: unknown): void {
  const escaped = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;
  const lines = JSON.stringify(value, null, 2).split('\n');
  process.stdout.write(`${lines.map((line) => escapeControls(line, escaped)).join('\n')}\n`);
}
