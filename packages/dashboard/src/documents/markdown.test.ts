import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GLOSSARY_MEANINGS } from '../ui/meanings.ts';
import { anchorOf, type Inline, parseInline, parseMarkdown } from './markdown.ts';

const DOCS = join(import.meta.dirname, '../../../../docs');
const text = (of: readonly Inline[]): string =>
  of.map((piece) => (piece.kind === 'link' ? text(piece.content) : piece.text)).join('');

describe('parseMarkdown', () => {
  it('reads headings, paragraphs, lists, tables and code', () => {
    const source =
      '# A `b`\n\nOne\ntwo.\n\n- first\n  line\n- second\n\n1. x\n\n| a | b |\n| --- | --- |\n| 1 \\| 2 | 3 |\n\n```sh\nls | wc\n\n# no heading\n```\n';
    const blocks = parseMarkdown(source);
    expect(blocks.map(({ kind }) => kind)).toEqual([
      'heading',
      'paragraph',
      'list',
      'list',
      'table',
      'code',
    ]);
    expect(blocks[2]).toMatchObject({ isOrdered: false, items: [[{ text: 'first line' }], {}] });
    expect(blocks[3]).toMatchObject({ isOrdered: true });
    expect(blocks[4]).toMatchObject({ rows: [[[{ text: '1 | 2' }], [{ text: '3' }]]] });
    expect(blocks[5]).toEqual({ kind: 'code', text: 'ls | wc\n\n# no heading' });
  });

  it('reads pieces of a line', () => {
    expect(parseInline('a `b*c*` [d `e`](f.md#g) **h** *i* 2*3 ![j](k.png)')).toEqual([
      { kind: 'text', text: 'a ' },
      { kind: 'code', text: 'b*c*' },
      { kind: 'text', text: ' ' },
      {
        kind: 'link',
        href: 'f.md#g',
        content: [
          { kind: 'text', text: 'd ' },
          { kind: 'code', text: 'e' },
        ],
      },
      { kind: 'text', text: ' ' },
      { kind: 'strong', text: 'h' },
      { kind: 'text', text: ' ' },
      { kind: 'emphasis', text: 'i' },
      { kind: 'text', text: ' 2*3 ' },
      { kind: 'image', href: 'k.png', text: 'j' },
    ]);
    expect(anchorOf(parseInline('From your own code: `x`'))).toBe('from-your-own-code-x');
  });

  it('reads every document without leaving marks in its text', () => {
    const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.md'),
    );
    expect(pages.length).toBeGreaterThan(40);
    for (const page of pages) {
      const blocks = parseMarkdown(readFileSync(join(DOCS, page), 'utf8'));
      expect(blocks[0], page).toMatchObject({ kind: 'heading', level: 1 });
      const paragraphs = blocks.flatMap((block) =>
        block.kind === 'paragraph' ? block.content : [],
      );
      const plain = paragraphs.filter(({ kind }) => kind === 'text');
      expect(text(plain), page).not.toMatch(/\]\(|```|`/);
    }
  });
});

describe('the meanings of words', () => {
  it('are those of the glossary', () => {
    const glossary = readFileSync(join(DOCS, 'glossary.md'), 'utf8');
    for (const [word, meaning] of Object.entries(GLOSSARY_MEANINGS)) {
      expect(glossary).toContain(`\n| ${word} | ${meaning} |\n`);
    }
  });
});
