/**
 * Each rule of the tree finds the fault in a text that breaks it, and none in a text that does not.
 */
import { describe, expect, it } from 'vitest';
import { parseSource } from '../../scripts/source-rules/parse-source.ts';
import {
  findMutualFolders,
  findOverlong,
  findRuntimeCycles,
} from '../../scripts/source-rules/structure.ts';
import {
  findBannedPhrases,
  findDocCommentFaults,
  findWordingFaults,
} from '../../scripts/source-rules/wording.ts';
import { wrapComments } from '../../scripts/source-rules/wrap-comments.ts';
import { wrapMarkdown } from '../../scripts/source-rules/wrap-markdown.ts';

const WORDS = 'a sentence that is exactly as long as it has to be for one line '.repeat(2).trim();

describe('rules of structure', () => {
  const parseAll = (texts: Record<string, string>) =>
    Object.entries(texts).map(([path, text]) => parseSource(path, text));

  it('find modules that load each other, and let types pass', () => {
    const cyclic = parseAll({ 'p/a.ts': `import './b.ts';`, 'p/b.ts': `export * from './a.ts';` });
    expect(findRuntimeCycles(cyclic)).toEqual([['p/a.ts', 'p/b.ts']]);
    const typed = parseAll({
      'p/a.ts': `import type { B } from './b.ts';`,
      'p/b.ts': `import './a.ts';`,
    });
    expect(findRuntimeCycles(typed)).toEqual([]);
  });

  it('find folders that import each other, types included', () => {
    const mutual = parseAll({
      'p/x/a.ts': `import type { B } from '../y/b.ts';`,
      'p/x/c.ts': '',
      'p/y/b.ts': `import '../x/c.ts';`,
    });
    expect(findMutualFolders(mutual)).toHaveLength(1);
    expect(findMutualFolders(mutual.slice(0, 2))).toEqual([]);
  });

  it('find overlong functions and files unless their comment gives a reason', () => {
    const body = '  f();\n'.repeat(90);
    const silent = parseSource('p/a.ts', `function g() {\n${body}}\n`);
    expect(findOverlong(silent)).toHaveLength(1);
    const reasoned = `/** One function because its locals are shared. */\nfunction g() {\n${body}}\n`;
    expect(findOverlong(parseSource('p/a.ts', reasoned))).toEqual([]);
    expect(findOverlong(parseSource('p/a.ts', 'f();\n'.repeat(501)))).toHaveLength(1);
  });
});

describe('rules of wording', () => {
  it('find exports without a doc comment and doc comments without a noun', () => {
    const source = parseSource(
      'p/a.ts',
      [
        'export const a = 1;',
        '/** Of the first. */',
        'const b = 2;',
        '/** Number of lanes. */',
        'export const c = 3;',
        '/** Whether there. */',
        'const d = 4;',
        '/** Whether the queue is full. */',
        'const e = 5;',
        'export { b, e };',
      ].join('\n'),
    );
    expect(findDocCommentFaults(source)).toEqual([
      'p/a.ts:1: a has no doc comment',
      'p/a.ts:2: headless: "Of the first."',
      'p/a.ts:6: headless: "Whether there."',
    ]);
  });

  it('find phrases of the word table in comments and messages, but not in code spans', () => {
    const text = 'The frame is begun\nagain; `the picture` goes on.';
    expect(findBannedPhrases(text, 5)).toEqual([
      '5: "begun again" → restart, retry',
      '6: "goes on" → continue',
    ]);
    const source = parseSource('p/a.ts', `const putBack = 'nobody asks'; // goes by name`);
    expect(findWordingFaults(source)).toHaveLength(3);
  });
});

describe('wrapping', () => {
  it('wraps doc comments and line comments at 100 columns, with hanging indents', () => {
    const wrapped = wrapComments(
      'p/a.ts',
      `/** ${WORDS} */\nf();\n  // ${WORDS}\n  g(); // ${WORDS}\n`,
    );
    expect(wrapped.split('\n').every((line) => line.length <= 100)).toBe(true);
    expect(wrapped).toContain('/**\n * a sentence');
    expect(wrapComments('p/a.ts', wrapped)).toBe(wrapped);
    const item = wrapComments('p/a.ts', `/**\n * - ${WORDS}\n * @param x ${WORDS}\n */\n`);
    expect(item).toMatch(/\n \* {3}\w[^\n]*\n \* @param x [^\n]*\n \* {3}\w/);
  });

  it('leaves drawings, directives and strings alone', () => {
    const wide = '─'.repeat(110);
    const kept = `/**\n *   ${wide}\n */\n// biome-ignore lint: ${WORDS}\nf('// ${WORDS}');\n`;
    expect(wrapComments('p/a.ts', kept)).toBe(kept);
  });

  it('fills paragraphs and list items of Markdown and leaves tables and code alone', () => {
    const table = `| a | ${WORDS} |\n| --- | --- |\n`;
    const code = `\`\`\`sh\n${WORDS}\n\`\`\`\n`;
    const wrapped = wrapMarkdown(`short\nlines\n\n- ${WORDS}\n\n${table}\n${code}`);
    expect(wrapped).toContain('short lines\n\n- a sentence');
    expect(wrapped).toContain(`\n\n${table}\n${code}`);
    expect(wrapped).toMatch(/\n {2}\w/);
    expect(wrapMarkdown(wrapped)).toBe(wrapped);
  });

  it('keeps the meaning of Markdown: line breaks, code spans, words that would start a list', () => {
    const text = `${'word '.repeat(19)}- and \`a b\` end\nnext line  \nlast\n`;
    const wrapped = wrapMarkdown(text);
    expect(wrapped).not.toMatch(/^- /m);
    expect(wrapped).toContain('  \nlast');
  });
});
