/** Lists the files of the cycle model: those that are compiled to WebAssembly. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the package, relative to the repository. */
export const CHIP_PACKAGE = 'packages/chip';

/**
 * Sources of the package that are TypeScript only: entry points, tables, the compiled chip, tests.
 */
const NOT_COMPILED = /^(?:index|parts)\.ts$|^(?:compiled|table|testing)\/|\/index\.ts$|\.test\.ts$/;

/** Returns the paths of all files of the model relative to `root`, the repository, sorted. */
export function listModelFiles(root: string): string[] {
  const folder = `${CHIP_PACKAGE}/src`;
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !NOT_COMPILED.test(name))
    .map((name) => `${folder}/${name}`)
    .sort();
}
