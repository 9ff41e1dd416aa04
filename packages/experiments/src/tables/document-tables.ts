/**
 * Tables in documents that are written by studies, between two comments, so that a test can compare
 * them.
 */
import { RenderError } from '@tessera/frame';
import type { Table } from './csv.ts';

/**
 * Returns a table as Markdown, each line with its end.
 *
 * @param rightAligned Columns that are aligned to the right.
 */
export function formatMarkdownTable(
  { head, rows }: Table,
  rightAligned: (column: number) => boolean = () => false,
): string {
  const rule = head.map((_, column) => (rightAligned(column) ? '--:' : '---'));
  const lines = [head, rule, ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/**
 * Returns the document with the text between `<!-- table: NAME -->` and `<!-- end of table -->`
 * replaced.
 *
 * @param name Empty for the one table of a document, whose comment is `<!-- table -->`.
 * @throws {RenderError} REQUEST_INVALID if the document has no such comments.
 */
export function replaceTable(document: string, name: string, table: string): string {
  const { start, end } = findTable(document, name);
  return `${document.slice(0, start)}\n${table}\n${document.slice(end)}`;
}

/**
 * Returns the text that {@link replaceTable} wrote.
 *
 * @throws {RenderError} REQUEST_INVALID if the document has no such comments.
 */
export function readTable(document: string, name: string): string {
  const { start, end } = findTable(document, name);
  return document.slice(start + 1, end - 1);
}

const END = '<!-- end of table -->';

function findTable(document: string, name: string): { start: number; end: number } {
  const opening = name === '' ? '<!-- table -->\n' : `<!-- table: ${name} -->\n`;
  const at = document.indexOf(opening);
  const start = at + opening.length;
  const end = document.indexOf(END, start);
  if (at >= 0 && end >= 0) return { start, end };
  throw new RenderError('REQUEST_INVALID', `doc: has no lines ${opening.trim()} and ${END}`);
}
