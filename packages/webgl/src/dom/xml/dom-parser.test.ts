import { expect, it } from 'vitest';
import { createWindow } from '../page/window.ts';
import type { XmlDocument } from './dom-parser.ts';

const DOMParser = createWindow().DOMParser as new () => {
  parseFromString(text: string, type: string): XmlDocument;
};
const parse = (text: string) => new DOMParser().parseFromString(text, 'text/xml');

it('parses elements with case-sensitive names, attributes, text and character data', () => {
  const xml = parse(`<?xml version="1.0"?>
    <!DOCTYPE mesh [ <!ENTITY a "b"> ]><!-- comment -->
    <x:Mesh id="m" kind='a "b" &lt; &#65;&#x42;'>
      <Point x="1"/><point x="2"></point><data>1 &amp; 2<![CDATA[ <3> ]]></data>
    </x:Mesh>`);
  const root = xml.documentElement;
  expect([root.tagName, root.nodeName, root.id]).toEqual(['x:Mesh', 'x:Mesh', 'm']);
  expect(root.getAttribute('kind')).toBe('a "b" < AB');
  expect(xml.getElementsByTagName('Point').map((each) => each.getAttribute('x'))).toEqual(['1']);
  expect(root.getElementsByTagName('point')).toHaveLength(1);
  expect(xml.getElementsByTagName('x:Mesh')).toEqual([root]);
  expect(xml.getElementsByTagName('*')).toHaveLength(4);
  expect(root.children.map(({ nodeName }) => nodeName)).toEqual(['Point', 'point', 'data']);
  expect(root.getElementsByTagName('data')[0]!.textContent).toBe('1 & 2 <3> ');
  expect(xml.querySelector('[x="2"]')!.tagName).toBe('point');
});

it.each([
  ['<a><b></a>', 'line 1 has </a>'],
  ['<a>\n<b>', 'line 2 has the end, in <b>'],
  ['<a/><b/>', 'content that is not in one root element'],
  ['text', 'content that is not in one root element'],
  ['', 'content that is not in one root element'],
  ['<a>\n1 < 2</a>', 'line 2 has a tag'],
])('explains why %s is not well-formed', (text, reason) => {
  const xml = parse(text);
  expect(xml.getElementsByTagName('parsererror')[0]!.textContent).toContain(reason);
});

it('refuses types other than XML', () => {
  const parser = new DOMParser();
  expect(() => parser.parseFromString('<p>', 'text/html')).toThrow(/HTML are not supported/);
  expect(() => parser.parseFromString('<p>', 'text/plain')).toThrow(TypeError);
});
