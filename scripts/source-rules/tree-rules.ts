/**
 * Rules that hold for the whole tree. The report prints their faults, and a test requires that
 * there are none.
 */
import { findBadCommands, findMissingFiles, findUnreachable } from './references.ts';
import type { SourceTree } from './source-tree.ts';
import { findMutualFolders, findOverlong, findRuntimeCycles } from './structure.ts';
import { findBannedPhrases, findDocCommentFaults, findWordingFaults } from './wording.ts';
import { wrapComments } from './wrap-comments.ts';
import { wrapMarkdown } from './wrap-markdown.ts';
import { MAX_COLUMNS } from './wrap-text.ts';

/** Pages that quote the word table. */
const QUOTING_PAGES = ['docs/writing.md'];

/** Rule by its statement. Each fault starts with the path of its file. */
export const TREE_RULES: Readonly<Record<string, (tree: SourceTree) => string[]>> = {
  'has no cycle of modules at run time': (tree) =>
    findRuntimeCycles(productOf(tree)).map((cycle) => `${cycle.join(', ')}: cycle`),

  'has no two folders that import each other': (tree) => findMutualFolders(productOf(tree)),

  'has no overlong file or function without a reason': ({ sources, generated }) =>
    [...sources, ...generated].flatMap(findOverlong),

  'gives every export a doc comment, and every doc comment its noun': ({ sources }) =>
    sources.filter(({ path }) => !path.endsWith('.test.ts')).flatMap(findDocCommentFaults),

  'uses plain words in comments, messages and names': ({ sources }) =>
    sources.flatMap(findWordingFaults),

  'uses plain words in documents': ({ pages }) =>
    [...pages]
      .filter(([path]) => !QUOTING_PAGES.includes(path))
      .flatMap(([path, text]) => findBannedPhrases(text, 1).map((fault) => `${path}:${fault}`)),

  'wraps comments and prose at the width of the code': ({ sources, pages }) => [
    ...sources
      .filter(({ path, text }) => wrapComments(path, text) !== text)
      .map(({ path }) => `${path}: not wrapped`),
    ...[...pages]
      .filter(([, text]) => wrapMarkdown(text) !== text)
      .map(([path]) => `${path}: not wrapped`),
    ...sources.flatMap(({ path, comments }) =>
      comments
        .filter(({ text }) => text.split('\n').some((line) => line.length > MAX_COLUMNS))
        .map(({ line }) => `${path}:${line}: wider than ${MAX_COLUMNS} columns`),
    ),
  ],

  'names files that exist, in comments and in documents': ({ sources, pages, files }) => [
    ...sources.flatMap(({ path, comments }) =>
      comments.flatMap(({ line, text }) =>
        findMissingFiles(text, files).map((name) => `${path}:${line}: no such file: ${name}`),
      ),
    ),
    ...[...pages].flatMap(([path, text]) =>
      findMissingFiles(text, files).map((name) => `${path}: no such file: ${name}`),
    ),
  ],

  'leads from docs/README.md to every page of docs': ({ pages }) =>
    findUnreachable('docs/README.md', pages)
      .filter((path) => path.startsWith('docs/'))
      .map((path) => `${path}: not reachable from docs/README.md`),

  'gives commands that work in a clone under the Node that README asks for': ({ pages, verbs }) =>
    [...pages].flatMap(([path, text]) =>
      findBadCommands(text, verbs).map((command) => `${path}: fails in a clone: ${command.trim()}`),
    ),
};

/** Modules that run in the product, its scripts and the support of tests. */
function productOf({ sources, generated }: SourceTree) {
  return [...sources, ...generated].filter(({ path }) => !path.endsWith('.test.ts'));
}
