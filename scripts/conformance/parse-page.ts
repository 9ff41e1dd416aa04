/**
 * Parser of test pages. It returns the elements in document order: scripts with their text, and the
 * start tags of all other elements.
 */

export interface PageTag {
  /** Element name in lower case. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text of scripts, styles and titles; empty for other elements. */
  readonly text: string;
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
