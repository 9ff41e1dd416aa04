/**
 * Prints where files under the given folders break the rules of the tree:
 * `npm run rules -- packages/gl docs`.
 */
import { relative, resolve } from 'node:path';
import { readTree } from './source-tree.ts';
import { TREE_RULES } from './tree-rules.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const folders = process.argv.slice(2).map((path) => relative(ROOT, resolve(path)));

const tree = readTree(ROOT);
const faults = Object.values(TREE_RULES)
  .flatMap((findFaults) => findFaults(tree))
  .filter((fault) => folders.length === 0 || folders.some((folder) => fault.startsWith(folder)));
for (const fault of faults) console.log(fault);
console.log(`${faults.length} faults; read ${tree.sources.length} files, ${tree.pages.size} pages`);
process.exitCode = faults.length === 0 ? 0 : 1;
