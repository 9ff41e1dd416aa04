/**
 * Prints the places where files under the given folders break the rules of the tree:
 * `npm run rules -- packages/gl docs`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { listSources } from './list-sources.ts';
import { findBadCommands, findMissingFiles, findUnreachable } from './references.ts';
import { findMutualFolders, findOverlong, findRuntimeCycles } from './structure.ts';
import { findBannedPhrases, findDocCommentFaults, findWordingFaults } from './wording.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const folders = process.argv.slice(2).map((path) => relative(ROOT, resolve(path)));
const isAsked = (path: string) =>
  folders.length === 0 || folders.some((folder) => path.startsWith(folder));

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
}).split('\n');
const fileSet = new Set(files);
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const verbs = new Set(Object.keys(scripts));

const sources = listSources(ROOT).filter(({ path }) => isAsked(path));
const product = sources.filter(({ path }) => !path.endsWith('.test.ts'));
const pages = files
  .filter((path) => path.endsWith('.md') && path !== 'docs/writing.md' && isAsked(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

const faults = [
  ...findRuntimeCycles(product).map((cycle) => `cycle: ${cycle.join(', ')}`),
  ...findMutualFolders(product).map((pair) => `folders: ${pair}`),
  ...sources.flatMap(findOverlong),
  ...product.flatMap(findDocCommentFaults),
  ...sources.flatMap(findWordingFaults),
  ...sources.flatMap(({ path, comments }) =>
    comments.flatMap(({ line, text }) =>
      findMissingFiles(text, fileSet).map((name) => `${path}:${line}: no such file: ${name}`),
    ),
  ),
  ...pages.flatMap(({ path, text }) => [
    ...findBannedPhrases(text, 1).map((fault) => `${path}:${fault}`),
    ...findMissingFiles(text, fileSet).map((name) => `${path}: no such file: ${name}`),
    ...findBadCommands(text, verbs).map((command) => `${path}: fails in a clone: ${command}`),
  ]),
  ...findUnreachable('docs/README.md', new Map(pages.map(({ path, text }) => [path, text])))
    .filter((path) => path.startsWith('docs/'))
    .map((path) => `${path}: not reachable from docs/README.md`),
];
for (const fault of faults) console.log(fault);
console.log(`${faults.length} faults in ${sources.length} files and ${pages.length} pages`);
process.exitCode = faults.length === 0 ? 0 : 1;
