/**
 * Parser of test pages. It returns the elements in document order: scripts with their text, and the
 * start tags of all other elements.
 */
import type { Document, Element } from '@tessera/webgl/dom';

/** Start tag of a page. */
export interface PageTag {
  /** Element name in lower case. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text of scripts, styles and titles; empty for other elements. */
  readonly text: string;
}

/**
 * Appends the element of a tag to a page, whose head and body exist already. Scripts run. Elements
 * do not nest, except sources in their video.
 *
 * @returns The element, or `null` for a part of the page that exists.
 */
export function appendTag(page: Document, { name, attributes, text }: PageTag): Element | null {
  if (['html', 'head', 'body'].includes(name)) return null;
  if (name === 'title') page.title = text;
  const element = page.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== '') element.textContent = text;
  const video = name === 'source' ? page.getElementsByTagName('video').at(-1) : undefined;
  return (video ?? page.body).appendChild(element);
}

const RAW_TEXT = ['script', 'style', 'title', 'textarea'];
const TAG =
  /<!--[\s\S]*?-->|<([a-z][a-z0-9]*)((?:\s+[^\s=>/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+))?)*)\s*\/?>/gi;
const ATTRIBUTE = /([^\s=>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g;

/** Returns the elements of a page in document order. */
export function parsePage(html: string): PageTag[] {
  const tags: PageTag[] = [];
  const pattern = new RegExp(TAG);
  for (let match = pattern.exec(html); match !== null; match = pattern.exec(html)) {
    if (match[1] === undefined) continue; // A comment.
    const name = match[1].toLowerCase();
    let text = '';
    if (RAW_TEXT.includes(name)) {
      const close = new RegExp(`</${name}\\s*>`, 'i').exec(html.slice(pattern.lastIndex));
      text = html.slice(pattern.lastIndex, pattern.lastIndex + (close?.index ?? html.length));
      pattern.lastIndex += text.length + (close?.[0].length ?? 0);
    }
    tags.push({ name, attributes: parseAttributes(match[2]!), text });
  }
  return tags;
}

function parseAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name, double, single, bare] of text.matchAll(ATTRIBUTE)) {
    attributes[name!.toLowerCase()] = unescapeHtml(double ?? single ?? bare ?? '');
  }
  return attributes;
}

const CHARACTER_BY_ENTITY: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
};

function unescapeHtml(text: string): string {
  return text.replace(/&(amp|lt|gt|quot);/g, (entity) => CHARACTER_BY_ENTITY[entity]!);
}
