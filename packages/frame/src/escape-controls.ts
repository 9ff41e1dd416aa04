/**
 * Text of others for a terminal or a log line.
 *
 * Control characters could move the cursor, rename the window or begin a line of their own; directional ones could show
 * a text in another order than it is in (Unicode Technical Report 36, section 3).
 */

/** C0, DEL and C1 controls, line and paragraph separators, directional marks, embeddings, overrides and isolates. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const NAMES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Returns `text` on one line, each control character as `\n`, `\r`, `\t` or `\u{1b}`.
 *
 * @param escapeOf Another form for a control character, given its code.
 */
export function escapeControls(
  text: string,
  escapeOf: (code: number) => string = (code) =>
    NAMES[String.fromCharCode(code)] ?? `\\u{${code.toString(16)}}`,
): string {
  return text.replace(CONTROLS, (control) => escapeOf(control.charCodeAt(0)));
}

/** The same for text of several lines and columns: line feeds and tabs stay. */
export function escapeControlsInLines(text: string): string {
  return text
    .split(/([\n\t])/)
    .map((piece) => (/^[\n\t]$/.test(piece) ? piece : escapeControls(piece)))
    .join('');
}
