/**
 * Wraps comments that are wider than the code may be. Paragraphs and list items that fit stay as
 * they are; drawings, tables and code examples (indented, or between fences) are never touched.
 */
import { type Comment, parseSync } from 'oxc-parser';
import { MAX_COLUMNS, wrapParagraph } from './wrap-text.ts';

/** Comments that tools read, whose form is fixed. */
const DIRECTIVE = /^(?:biome-ignore|@ts-|@vite|#__|@__|\/ <)/;
const ITEM = /^(\s*)([-*•]|\d+\.|\(\d+\)|@\w+)\s+(.*)$/;

interface Paragraph {
  readonly lines: string[];
  readonly firstIndent: string;
  readonly indent: string;
}

/**
 * Wraps the paragraphs of a comment that are wider than `columns`, the width for the text alone.
 */
export function wrapCommentText(lines: readonly string[], columns: number): string[] {
  const wrapped: string[] = [];
  let open: Paragraph | null = null;
  let isFenced = false;
  const close = () => {
    if (open === null) return;
    const { lines: own, firstIndent, indent } = open;
    if (own.every((line) => line.length <= columns)) wrapped.push(...own);
    else {
      const text = own.map((line, k) => (k === 0 ? line.slice(firstIndent.length) : line.trim()));
      wrapped.push(...wrapParagraph(text.join(' '), firstIndent, indent, columns));
    }
    open = null;
  };
  for (const line of lines) {
    const paragraph: Paragraph | null = open;
    const depth = line.length - line.trimStart().length;
    if (/^\s*```/.test(line)) isFenced = !isFenced;
    const isVerbatim = isFenced || /^\s*(?:```|\|)/.test(line) || line === '';
    const item = ITEM.exec(line);
    if (isVerbatim) {
      close();
      wrapped.push(line);
    } else if (item !== null && depth < 4) {
      close();
      const firstIndent = `${item[1]}${item[2]} `;
      const hang = item[2]!.startsWith('@') ? `${item[1]}  ` : ' '.repeat(firstIndent.length);
      open = { lines: [`${firstIndent}${item[3]}`], firstIndent, indent: hang };
    } else if (paragraph !== null && depth === paragraph.indent.length) paragraph.lines.push(line);
    else if (depth >= 2) {
      close();
      wrapped.push(line);
    } else {
      close();
      const indent = line.slice(0, depth);
      open = { lines: [line], firstIndent: indent, indent };
    }
  }
  close();
  return wrapped;
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns `text`, the source at `path`, with every comment within {@link MAX_COLUMNS}. */
export function wrapComments(path: string, text: string): string {
  const { comments } = parseSync(path, text);
  const replacements: Replacement[] = [];
  for (let k = 0; k < comments.length; k++) {
    const comment = comments[k]!;
    const lineStart = text.lastIndexOf('\n', comment.start - 1) + 1;
    const before = text.slice(lineStart, comment.start);
    const runEnd = endOfRun(text, comments, k, before);
    const last = comments[runEnd]!;
    k = runEnd;
    const lines = text.slice(lineStart, last.end).split('\n');
    if (DIRECTIVE.test(comment.value.trim())) continue;
    if (lines.every((line) => line.length <= MAX_COLUMNS)) continue;
    if (before.trim() !== '') {
      if (comment.type === 'Line') replacements.push(...moveAbove(text, lineStart, comment));
      continue;
    }
    const rewritten = comment.type === 'Line' ? wrapLines(lines, before) : wrapBlock(lines, before);
    replacements.push({ start: lineStart, end: last.end, text: rewritten });
  }
  let wrapped = text;
  for (const { start, end, text: own } of replacements.reverse()) {
    wrapped = wrapped.slice(0, start) + own + wrapped.slice(end);
  }
  return wrapped;
}

/** Returns the index of the last of the line comments that directly follow comment `first`. */
function endOfRun(text: string, comments: readonly Comment[], first: number, indent: string) {
  let last = first;
  if (comments[first]!.type !== 'Line' || indent.trim() !== '') return last;
  for (let next = first + 1; next < comments.length; next++) {
    const { type, start, value } = comments[next]!;
    if (type !== 'Line' || text.slice(comments[last]!.end, start) !== `\n${indent}`) break;
    if (DIRECTIVE.test(value.trim())) break;
    last = next;
  }
  return last;
}

function wrapLines(lines: readonly string[], indent: string): string {
  const texts = lines.map((line) => line.slice(indent.length).replace(/^\/\/ ?/, ''));
  return wrapCommentText(texts, MAX_COLUMNS - indent.length - 3)
    .map((line) => `${indent}// ${line}`.trimEnd())
    .join('\n');
}

function wrapBlock(lines: readonly string[], indent: string): string {
  const opening = lines[0]!.trimStart().startsWith('/**') ? '/**' : '/*';
  const texts = lines.map((line, k) => {
    const own = k === 0 ? line.trimStart().slice(opening.length) : line.replace(/^\s*\*(?!\/)/, '');
    return own.replace(/\s*\*\/$/, '').replace(/^ /, '');
  });
  while (texts[0]?.trim() === '') texts.shift();
  while (texts.at(-1)?.trim() === '') texts.pop();
  const wrapped = wrapCommentText(texts, MAX_COLUMNS - indent.length - 3);
  return [
    `${indent}${opening}`,
    ...wrapped.map((line) => `${indent} * ${line}`.trimEnd()),
    `${indent} */`,
  ].join('\n');
}

/** Moves a trailing comment that does not fit to separate lines above the code. */
function moveAbove(text: string, lineStart: number, comment: Comment): Replacement[] {
  const code = text.slice(lineStart, comment.start).trimEnd();
  const indent = code.slice(0, code.length - code.trimStart().length);
  const above = wrapLines([`${indent}//${comment.value}`], indent);
  return [{ start: lineStart, end: comment.end, text: `${above}\n${code}` }];
}
