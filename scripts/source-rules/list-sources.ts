/**
 * Files that the rules of the tree apply to: all TypeScript of packages, services, scripts and
 * tests.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readSource } from './parse-source.ts';
import type { SourceFile } from './source-file.ts';

const FOLDERS = ['packages', 'services', 'scripts', 'test'];

/** Files that a command writes; their generator is checked instead. */
const GENERATED = /generated\.ts$|webgl-interface\.ts$|cycle-model-code\.ts$/;

/** Parses every file that the rules apply to, in the order of their paths. */
export function listSources(root: string): SourceFile[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|mjs)$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  )
    .filter((path) => !GENERATED.test(path))
    .sort()
    .map((path) => readSource(root, path));
}
