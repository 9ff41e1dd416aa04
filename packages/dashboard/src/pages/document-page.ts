/** A document of the repository, which the service sends as Markdown. */
import { send } from '../api/requests.ts';
import { anchorOf, type Block, type Inline, parseMarkdown } from '../documents/markdown.ts';
import { type Child, element } from '../ui/dom.ts';
import { type PageContext, scrollingTable } from '../ui/page.ts';
import { documentHref } from '../ui/routes.ts';

const FOLDER = '/dashboard/docs/';

/**
 * Shows a document.
 *
 * @param path Path below the folder of documents, such as `how-to/own-model.md`.
 * @param anchor Heading to show first, or an empty text.
 */
export async function documentPage(
  { root, signal }: PageContext,
  path: string,
  anchor: string,
): Promise<void> {
  const blocks = parseMarkdown(await (await send(FOLDER + path, { signal })).text());
  const article = element('article', { class: 'document' });
  for (const block of blocks) article.append(blockElement(block, path));
  // Numbers tell the tables apart in a list of the page's regions.
  for (const [index, table] of article.querySelectorAll('.scrolling').entries()) {
    table.setAttribute('aria-label', `Table ${index + 1}`);
  }
  root.append(
    element('p', { class: 'hint' }, element('a', { href: documentHref('README.md') }, 'Documents')),
    article,
  );
  if (anchor !== '') document.getElementById(anchor)?.scrollIntoView();
}

function blockElement(block: Block, path: string): HTMLElement {
  const inline = (content: readonly Inline[]) => content.map((piece) => inlineNode(piece, path));
  switch (block.kind) {
    case 'heading': {
      const tag = `h${Math.min(block.level, 4)}` as 'h1' | 'h2' | 'h3' | 'h4';
      return element(tag, { id: anchorOf(block.content) }, ...inline(block.content));
    }
    case 'code':
      return element('pre', { tabindex: 0 }, element('code', {}, block.text));
    case 'paragraph':
      return element('p', {}, ...inline(block.content));
    case 'list':
      return element(
        block.isOrdered ? 'ol' : 'ul',
        {},
        ...block.items.map((item) => element('li', {}, ...inline(item))),
      );
    case 'table': {
      const head = block.head.map((cell) => element('th', { scope: 'col' }, ...inline(cell)));
      const rows = block.rows.map((row) =>
        element('tr', {}, ...row.map((cell) => element('td', {}, ...inline(cell)))),
      );
      const table = element(
        'table',
        {},
        element('thead', {}, element('tr', {}, ...head)),
        element('tbody', {}, ...rows),
      );
      return scrollingTable('Table', table);
    }
  }
}

function inlineNode(piece: Inline, path: string): Child {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'code':
      return element('code', {}, piece.text);
    case 'strong':
      return element('strong', {}, piece.text);
    case 'emphasis':
      return element('em', {}, piece.text);
    case 'image':
      return element('img', { src: FOLDER + resolvePath(piece.href, path), alt: piece.text });
    case 'link': {
      const content = piece.content.map((inner) => inlineNode(inner, path));
      const href = hrefOf(piece.href, path);
      return href === null ? element('span', {}, ...content) : element('a', { href }, ...content);
    }
  }
}

/** Returns the address of a link, or null if it leads to a file that the service does not send. */
function hrefOf(href: string, path: string): string | null {
  if (/^https?:/.test(href)) return href;
  const [file, anchor = ''] = href.split('#', 2);
  if (file === '') return documentHref(path, anchor);
  const target = resolvePath(file!, path);
  return target.endsWith('.md') && !target.startsWith('../') ? documentHref(target, anchor) : null;
}

/** Returns a relative path from a document as a path below the folder of documents. */
function resolvePath(relative: string, path: string): string {
  const parts = path.split('/').slice(0, -1);
  for (const part of relative.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}
