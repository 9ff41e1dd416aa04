/** Parser of XML (XML 1.0) without document type definitions. It checks that elements nest. */
import type { Document } from '../elements/document.ts';
import { TextNode } from '../elements/element.ts';
import { XmlElement } from './xml-element.ts';

const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<!DOCTYPE[^>[]*(?:\[[\s\S]*?\])?\s*>|<\/([^\s>]+)\s*>|<([^\s/>!?]+)((?:\s+[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g;
const ATTRIBUTE = /([^\s=/>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const CHARACTER_BY_ENTITY: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  quot: '"',
};

/**
 * Parses XML.
 *
 * @param document Document of the page, which owns the elements.
 * @returns The root element.
 * @throws {SyntaxError} If the text is not well-formed.
 */
export function parseXml(document: Document, text: string): XmlElement {
  const top = new XmlElement(document, '#document');
  let parent = top;
  let at = 0;
  const addText = (end: number): void => {
    const found = text.slice(at, end);
    if (parent === top || found === '') {
      if (found.replace('\ufeff', '').trim() !== '') throw outsideRoot(text, at);
    } else if (found.includes('<')) throw notWellFormed('a tag', text, at + found.indexOf('<'));
    else parent.appendChild(new TextNode(unescapeXml(found)));
  };
  for (const match of text.matchAll(TOKEN)) {
    addText(match.index);
    at = match.index + match[0].length;
    const [, characters, closed, opened, attributes, isEmpty] = match;
    if (characters !== undefined) {
      if (parent === top) throw outsideRoot(text, match.index);
      parent.appendChild(new TextNode(characters));
    } else if (closed !== undefined) {
      if (parent.tagName !== closed) throw notWellFormed(`</${closed}>`, text, match.index);
      parent = parent.parentNode as XmlElement;
    } else if (opened !== undefined) {
      const element = parent.appendChild(new XmlElement(document, opened));
      for (const [, name, double, single] of attributes!.matchAll(ATTRIBUTE)) {
        element.setAttribute(name!, unescapeXml(double ?? single!));
      }
      if (isEmpty === '') parent = element;
    }
  }
  addText(text.length);
  if (parent !== top) throw notWellFormed(`the end, in <${parent.tagName}>`, text, text.length);
  const [root, second] = top.children;
  if (root === undefined || second !== undefined) throw outsideRoot(text, text.length);
  return top.removeChild(root as XmlElement);
}

function outsideRoot(text: string, offset: number): SyntaxError {
  return notWellFormed('content that is not in one root element', text, offset);
}

function notWellFormed(what: string, text: string, offset: number): SyntaxError {
  const line = text.slice(0, offset).split('\n').length;
  return new SyntaxError(`XML is not well-formed: line ${line} has ${what}`);
}

function unescapeXml(text: string): string {
  return text.replaceAll(
    /&(?:#x([\da-f]+)|#(\d+)|(amp|apos|gt|lt|quot));/gi,
    (_, hex, decimal, name) => {
      if (name !== undefined) return CHARACTER_BY_ENTITY[String(name).toLowerCase()]!;
      return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
    },
  );
}
