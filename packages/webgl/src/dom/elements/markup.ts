/**
 * Parser and formatter of markup, for `innerHTML`. Elements nest as written; an end tag without a
 * start tag is ignored.
 */
import type { Document } from './document.ts';
import type { Element, PageNode } from './element.ts';
import type { ScriptElement } from './script-element.ts';

const VOID_ELEMENTS = ['area', 'base', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source'];
const TEXT_NODE = 3;
const RAW_TEXT = ['script', 'style'];
const TOKEN =
  /<!--[\s\S]*?-->|<(\/?)([a-z][a-z0-9]*)((?:\s+[^\s=>/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+))?)*)\s*\/?>/gi;
const ATTRIBUTE = /([^\s=>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g;
const CHARACTER_BY_ENTITY: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': '\u00a0',
};

/** Parses markup into nodes that do not belong to a page yet. Scripts among them are not run. */
export function parseMarkup(document: Document, markup: string): PageNode[] {
  const root = document.createElement('template');
  let parent = root;
  let at = 0;
  const addText = (end: number): void => {
    if (end > at)
      parent.appendChild(document.createTextNode(unescapeMarkup(markup.slice(at, end))));
  };
  const pattern = new RegExp(TOKEN);
  for (let match = pattern.exec(markup); match !== null; match = pattern.exec(markup)) {
    addText(match.index);
    at = pattern.lastIndex;
    if (match[2] === undefined) continue; // The match is a comment.
    const name = match[2].toLowerCase();
    if (match[1] === '/') {
      parent = closeElement(parent, name);
      continue;
    }
    const element = parent.appendChild(document.createElement(name));
    for (const [, key, double, single, bare] of match[3]!.matchAll(ATTRIBUTE)) {
      element.setAttribute(key!, unescapeMarkup(double ?? single ?? bare ?? ''));
    }
    if (name === 'script') {
      const script = element as ScriptElement;
      script.isInert = true;
      script.markupOffset = at;
    }
    if (RAW_TEXT.includes(name)) {
      const close = new RegExp(`</${name}\\s*>`, 'i').exec(markup.slice(at));
      const end = at + (close?.index ?? markup.length);
      if (end > at) element.appendChild(document.createTextNode(markup.slice(at, end)));
      at = end + (close?.[0].length ?? 0);
      pattern.lastIndex = at;
    } else if (!VOID_ELEMENTS.includes(name)) parent = element;
  }
  addText(markup.length);
  const nodes = [...root.childNodes];
  for (const node of nodes) root.removeChild(node);
  return nodes;
}

/** Returns the parent of the nearest open element with the name of an end tag. */
function closeElement(from: Element, name: string): Element {
  for (let at: Element | null = from; at?.parentNode; at = at.parentNode) {
    if (at.localName === name) return at.parentNode;
  }
  return from;
}

/** Formats nodes as markup that `parseMarkup` can read. */
export function formatMarkup(nodes: readonly PageNode[]): string {
  return nodes.map(formatNode).join('');
}

function formatNode(node: PageNode): string {
  if (node.nodeType === TEXT_NODE) {
    const isRaw = node.parentNode !== null && RAW_TEXT.includes(node.parentNode.localName);
    return isRaw ? node.data : escapeMarkup(node.data);
  }
  const { localName } = node;
  const attributes = [...node.attributeEntries()].map(
    ([name, value]) => ` ${name}="${escapeMarkup(value).replaceAll('"', '&quot;')}"`,
  );
  const open = `<${localName}${attributes.join('')}>`;
  if (VOID_ELEMENTS.includes(localName)) return open;
  return `${open}${formatMarkup(node.childNodes)}</${localName}>`;
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function unescapeMarkup(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|nbsp);/g, (entity) => CHARACTER_BY_ENTITY[entity]!);
}
