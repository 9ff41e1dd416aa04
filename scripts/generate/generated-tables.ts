/** Tables that scripts write into documents, between two comments that name them. */

/** Returns a table as Markdown, each line with its end. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/**
 * Returns a text with what is between `<!-- NAME -->` and `<!-- end of NAME -->` replaced.
 *
 * @param path Path of the document, for the error.
 * @throws {Error} If the text has no such comments.
 */
export function replaceBetween(path: string, text: string, name: string, content: string): string {
  const opening = `<!-- ${name} -->\n`;
  const start = text.indexOf(opening);
  const end = text.indexOf(`<!-- end of ${name} -->`, start);
  if (start < 0 || end < 0) throw new Error(`${path}: has no ${opening.trim()}`);
  return `${text.slice(0, start + opening.length)}\n${content}\n${text.slice(end)}`;
}
