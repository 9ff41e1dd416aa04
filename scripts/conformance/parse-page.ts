/** The elements of a test page in their order: scripts with their text, and the opening tags of all others. */

export interface PageTag {
  /** Lower case. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Of scripts, styles and titles; empty for others. */
  readonly text: string;
}

const RAW_TEXT = ['script', 'style', 'title', 'textarea'];
const TAG =
  /<!--[\s\S]*?-->|<([a-z][a-z0-9]*)((?:\s+[^\s=>/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+))?)*)\s*\/?>/gi;
const ATTRIBUTE = /([^\s=>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g;

export function parsePage(html: string): PageTag[] {
  const tags: PageTag[] = [];
  const pattern = new RegExp(TAG);
  for (let match = pattern.exec(html); match !== null; match = pattern.exec(html)) {
    if (match[1] === undefined) continue; // a comment
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
