/**
 * Wraps the prose of a Markdown page: paragraphs and list items, each filled to the full width.
 * Headings, tables, code, quotations, HTML and link definitions stay as they are.
 */
import { MAX_COLUMNS, wrapParagraph } from './wrap-text.ts';

const VERBATIM = /^\s*(?:#{1,6} |\||>|<|\[[^\]]+\]:|-{3,}\s*$|={3,}\s*$)/;
const ITEM = /^(\s*)([-*+]|\d+[.)])(\s+)(.*)$/;

/** Returns `markdown` with its prose wrapped at {@link MAX_COLUMNS}. */
export function wrapMarkdown(markdown: string): string {
  const wrapped: string[] = [];
  let paragraph: { text: string; firstIndent: string; indent: string } | null = null;
  /** Columns at which the text of the open list items starts. */
  let itemColumns: number[] = [];
  let fence: string | null = null;
  const close = () => {
    if (paragraph === null) return;
    const { text, firstIndent, indent } = paragraph;
    wrapped.push(...wrapParagraph(text, firstIndent, indent, MAX_COLUMNS));
    paragraph = null;
  };
  for (const line of markdown.split('\n')) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1] ?? null;
    const depth = line.length - line.trimStart().length;
    const isCode = paragraph === null && depth >= 4 + (itemColumns.at(-1) ?? 0);
    if (fence !== null || mark !== null || isCode || line.trim() === '' || VERBATIM.test(line)) {
      close();
      wrapped.push(line);
      if (mark !== null && fence === null) fence = mark;
      else if (mark?.startsWith(fence!)) fence = null;
      if (fence === null && line.trim() !== '' && depth === 0 && !isCode) itemColumns = [];
      continue;
    }
    const item = ITEM.exec(line);
    if (item !== null) {
      close();
      const firstIndent = `${item[1]}${item[2]}${item[3]}`;
      itemColumns = itemColumns.filter((column) => column <= depth);
      itemColumns.push(firstIndent.length);
      paragraph = { text: item[4]!, firstIndent, indent: ' '.repeat(firstIndent.length) };
    } else if (paragraph !== null) paragraph.text += ` ${line.trim()}`;
    else {
      if (depth === 0) itemColumns = [];
      const indent = line.slice(0, depth);
      paragraph = { text: line.trim(), firstIndent: indent, indent };
    }
    // Two spaces or a backslash at the end are a line break that the author wants.
    if (/(?: {2}|\\)$/.test(line) && paragraph !== null) {
      const kept: string = /\\$/.test(line) ? '' : '  ';
      close();
      wrapped.push(`${wrapped.pop()}${kept}`);
    }
  }
  close();
  return wrapped.join('\n');
}
