/** Widest line of a comment or of Markdown prose, in columns, as for code. */
export const MAX_COLUMNS = 100;

/** Placeholder for a space that must not become a line break, inside code spans and `{@link …}`. */
const GLUE = '\u0001';
/** Word that would start a list, a heading or a quotation if a line began with it. */
const STARTS_BLOCK = /^(?:[-+*#]|>+|\d+[.)])$/;

/** Splits text into words; a code span or a link tag is one word. */
function splitWords(text: string): string[] {
  const glued = text
    .replace(/\{@link [^}]*\}|`[^`]+`/g, (span) => span.replace(/\s+/g, GLUE))
    .trim();
  const words: string[] = [];
  for (const word of glued.split(/\s+/)) {
    if (STARTS_BLOCK.test(word) && words.length > 0) words.push(`${words.pop()} ${word}`);
    else words.push(word);
  }
  return words.map((word) => word.replaceAll(GLUE, ' '));
}

/**
 * Wraps one paragraph.
 *
 * @param firstIndent Prefix of the first line, such as `- `.
 * @param indent Prefix of every other line.
 * @param columns Widest line, in columns. A word that is longer gets a line of its own.
 */
export function wrapParagraph(
  text: string,
  firstIndent: string,
  indent: string,
  columns: number,
): string[] {
  const lines: string[] = [];
  let line = firstIndent;
  let isEmpty = true;
  for (const word of splitWords(text)) {
    if (!isEmpty && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
