/**
 * The tree keeps its rules of structure and wording: `npm run rules` prints the same faults by
 * folder.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listSources } from '../../scripts/source-rules/list-sources.ts';
import {
  findBadCommands,
  findMissingFiles,
  findUnreachable,
} from '../../scripts/source-rules/references.ts';
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
import { MAX_COLUMNS } from '../../scripts/source-rules/wrap-text.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const FILES = new Set(
  execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== ''),
);
const SOURCES = listSources(ROOT);
const PRODUCT = SOURCES.filter(({ path }) => !path.endsWith('.test.ts'));
/** Text of every Markdown page, by its path. */
const PAGES = new Map(
  [...FILES]
    .filter((path) => path.endsWith('.md'))
    .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')] as const),
);
/** Pages whose words are not ours to choose: the word table itself, and history. */
const QUOTING_PAGES = ['docs/writing.md'];

describe('structure', () => {
  it('has no cycle of modules at run time', () => {
    expect(findRuntimeCycles(PRODUCT)).toEqual([]);
  });

  it('has no two folders that import each other', () => {
    expect(findMutualFolders(PRODUCT)).toEqual([]);
  });

  it('has no overlong file or function without a reason', () => {
    expect(SOURCES.flatMap(findOverlong)).toEqual([]);
  });
});

describe('wording', () => {
  it('gives every export a doc comment, and every doc comment its noun', () => {
    expect(PRODUCT.flatMap(findDocCommentFaults)).toEqual([]);
  });

  it('uses plain words in comments, messages and names', () => {
    expect(SOURCES.flatMap(findWordingFaults)).toEqual([]);
  });

  it('uses plain words in documents', () => {
    const faults = [...PAGES]
      .filter(([path]) => !QUOTING_PAGES.includes(path))
      .flatMap(([path, text]) => findBannedPhrases(text, 1).map((fault) => `${path}:${fault}`));
    expect(faults).toEqual([]);
  });

  it('wraps comments and prose at the width of the code', () => {
    const unwrapped = [
      ...SOURCES.filter(({ path, text }) => wrapComments(path, text) !== text),
      ...[...PAGES]
        .map(([path, text]) => ({ path, text }))
        .filter(({ text }) => wrapMarkdown(text) !== text),
    ].map(({ path }) => path);
    expect(unwrapped).toEqual([]);
    const wide = SOURCES.flatMap(({ path, comments }) =>
      comments
        .filter(({ text }) => text.split('\n').some((line) => line.length > MAX_COLUMNS))
        .map(({ line }) => `${path}:${line}`),
    );
    expect(wide).toEqual([]);
  });
});

describe('references', () => {
  it('name files that exist, in comments and in documents', () => {
    const missing = [
      ...SOURCES.flatMap(({ path, comments }) =>
        comments.flatMap(({ line, text }) =>
          findMissingFiles(text, FILES).map((name) => `${path}:${line}: ${name}`),
        ),
      ),
      ...[...PAGES].flatMap(([path, text]) =>
        findMissingFiles(text, FILES).map((name) => `${path}: ${name}`),
      ),
    ];
    expect(missing).toEqual([]);
  });

  it('lead from docs/README.md to every page of docs', () => {
    const unreachable = findUnreachable('docs/README.md', PAGES);
    expect(unreachable.filter((path) => path.startsWith('docs/'))).toEqual([]);
  });

  it('to commands work in a clone under the Node that README asks for', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const verbs = new Set(Object.keys(scripts));
    const bad = [...PAGES].flatMap(([path, text]) =>
      findBadCommands(text, verbs).map((command) => `${path}: ${command.trim()}`),
    );
    expect(bad).toEqual([]);
  });
});
