/** Reads the Markdown of the repository's documents: what they use, not all of CommonMark. */

/** Piece of text in a line. */
export type Inline =
  | { readonly kind: 'text' | 'code' | 'strong' | 'emphasis'; readonly text: string }
  | { readonly kind: 'link'; readonly href: string; readonly content: readonly Inline[] }
  | { readonly kind: 'image'; readonly href: string; readonly text: string };

/** Part of a document. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly content: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly content: readonly Inline[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly Inline[][] }
  | { readonly kind: 'table'; readonly head: readonly Inline[][]; readonly rows: Inline[][][] };

const ITEM = /^\s*(?:[-*]|(\d+)\.)\s+(.*)$/;
const INLINE =
  /`([^`]+)`|!\[([^\]]*)\]\(([^)\s]+)\)|\[((?:`[^`]*`|[^\]])*)\]\(([^)\s]+)\)|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*/g;

/** Returns the blocks of a document. */
export function parseMarkdown(source: string): Block[] {
  const lines = source.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    const isPart = (test: (each: string) => boolean) => {
      const from = at;
      while (at < lines.length && test(lines[at]!)) at++;
      return lines.slice(from, at);
    };
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    if (line.trim() === '') at++;
    else if (heading !== null) {
      blocks.push({
        kind: 'heading',
        level: heading[1]!.length,
        content: parseInline(heading[2]!),
      });
      at++;
    } else if (line.startsWith('```')) {
      at++;
      const code = isPart((each) => !each.startsWith('```'));
      at++;
      blocks.push({ kind: 'code', text: code.join('\n') });
    } else if (line.startsWith('|')) {
      const [head, , ...rows] = isPart((each) => each.startsWith('|')).map(cellsOf);
      blocks.push({ kind: 'table', head: head!, rows });
    } else if (ITEM.test(line)) {
      const part = isPart((each) => ITEM.test(each) || /^\s+\S/.test(each));
      blocks.push({
        kind: 'list',
        isOrdered: ITEM.exec(line)![1] !== undefined,
        items: itemsOf(part),
      });
    } else {
      const part = isPart((each) => each.trim() !== '' && !/^(#|```|\|)/.test(each));
      blocks.push({ kind: 'paragraph', content: parseInline(part.join(' ')) });
    }
  }
  return blocks;
}

/** Returns the pieces of a text. */
export function parseInline(text: string): Inline[] {
  const pieces: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > end) pieces.push({ kind: 'text', text: text.slice(end, match.index) });
    end = match.index + match[0].length;
    const [, code, alternative, source, label, href, strong, emphasis] = match;
    if (code !== undefined) pieces.push({ kind: 'code', text: code });
    else if (source !== undefined) pieces.push({ kind: 'image', href: source, text: alternative! });
    else if (href !== undefined) pieces.push({ kind: 'link', href, content: parseInline(label!) });
    else if (strong !== undefined) pieces.push({ kind: 'strong', text: strong });
    else pieces.push({ kind: 'emphasis', text: emphasis! });
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) });
  return pieces;
}

/** Returns the id of a heading, as links to it name it. */
export function anchorOf(content: readonly Inline[]): string {
  const words = content.map((piece) => (piece.kind === 'link' ? '' : piece.text)).join('');
  return words
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Returns the cells of a table's row. A `\|` does not end a cell. */
function cellsOf(row: string): Inline[][] {
  const inner = row.trim().replace(/^\||\|$/g, '');
  return inner.split(/(?<!\\)\|/).map((cell) => parseInline(cell.trim().replaceAll('\\|', '|')));
}

/** Returns the items of a list. Lines without a mark continue the item above. */
function itemsOf(lines: readonly string[]): Inline[][] {
  const items: string[] = [];
  for (const line of lines) {
    const item = ITEM.exec(line);
    if (item !== null) items.push(item[2]!);
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return items.map(parseInline);
}
