/**
 * Prints where files under the given folders break the rules of the tree:
 * `npm run rules -- packages/gl`.
 */
import { relative, resolve } from 'node:path';
import { listSources } from './list-sources.ts';
import { findMutualFolders, findOverlong, findRuntimeCycles } from './structure.ts';
import { findDocCommentFaults, findWordingFaults } from './wording.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const folders = process.argv.slice(2).map((path) => relative(ROOT, resolve(path)));
const sources = listSources(ROOT).filter(
  ({ path }) => folders.length === 0 || folders.some((folder) => path.startsWith(folder)),
);
const product = sources.filter(({ path }) => !path.endsWith('.test.ts'));
const faults = [
  ...findRuntimeCycles(product).map((cycle) => `cycle: ${cycle.join(', ')}`),
  ...findMutualFolders(product).map((pair) => `folders: ${pair}`),
  ...sources.flatMap(findOverlong),
  ...product.flatMap(findDocCommentFaults),
  ...sources.flatMap(findWordingFaults),
];
for (const fault of faults) console.log(fault);
console.log(`${faults.length} faults in ${sources.length} files`);
process.exitCode = faults.length === 0 ? 0 : 1;
