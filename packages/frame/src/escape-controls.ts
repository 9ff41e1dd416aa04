/**
 * Escapes untrusted text for a terminal or a log line.
 *
 * Control characters could move the cursor, rename the window or start a new line. Directional
 * characters could display text in an order that differs from the stored one (Unicode Technical
 * Report 36, section 3).
 */

/**
 * C0 controls, DEL, C1 controls, line and paragraph separators, directional marks, embeddings,
 * overrides and isolates.
 */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for them
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const NAMES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Returns `text` on one line, with each control character as `\n`, `\r`, `\t` or `\u{1b}`.
 *
 * @param escapeOf Returns the replacement for the control character with the given code.
 */
export function escapeControls(
  text: string,
  escapeOf: (code: number) => string = (code) =>
    NAMES[String.fromCharCode(code)] ?? `\\u{${code.toString(16)}}`,
): string {
  return text.replace(CONTROLS, (control) => escapeOf(control.charCodeAt(0)));
}

/**
 * Escapes text of several lines and columns like {@link escapeControls}, but keeps line feeds and
 * tabs.
 */
export function escapeControlsInLines(text: string): string {
  return text
    .split(/([\n\t])/)
    .map((piece) => (/^[\n\t]$/.test(piece) ? piece : escapeControls(piece)))
    .join('');
}
