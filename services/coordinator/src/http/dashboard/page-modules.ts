/**
 * Modules of the page: all of the dashboard, and those of other packages that they load. Types,
 * comments and names of packages are removed on first use, because the page has no build step.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripComments } from './strip-comments.ts';

/** Prefix of the addresses of the page's files. */
export const PAGE_PREFIX = '/dashboard/';
/** Entries of other packages that the page may import. */
const ENTRIES = [
  '@tessera/multi-chiplet/estimate',
  '@tessera/plot/colors',
  '@tessera/plot/x-spacing',
  '@tessera/study/csv-fields',
] as const;
const PACKAGES_FOLDER = join(import.meta.dirname, '../../../../../packages');
/** Imports and exports from modules, except those of types. */
const LOADED = /^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;

/** Module by its address. */
export interface PageModule {
  /** Address below {@link PAGE_PREFIX}. */
  readonly name: string;
  /** Returns the module as JavaScript. */
  readonly readCode: () => string;
}

/**
 * Lists the modules, those of the dashboard first.
 *
 * @param folder Folder of the dashboard's sources.
 * @throws {Error} If an entry loads a module that is not in a package of this repository.
 */
export function listPageModules(folder: string): PageModule[] {
  const own = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort();
  const loaded = new Set<string>();
  for (const entry of ENTRIES) addLoaded(fileOf(entry), loaded);
  return [
    ...own.map((name) => ({ name, readCode: () => pageCode(join(folder, name)) })),
    ...[...loaded].sort().map((file) => ({ name: nameOf(file), readCode: () => pageCode(file) })),
  ];
}

/** Adds a module and those that it loads. */
function addLoaded(file: string, loaded: Set<string>): void {
  if (loaded.has(file)) return;
  loaded.add(file);
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(LOADED)) {
    const isRelative = specifier!.startsWith('.');
    addLoaded(isRelative ? resolve(dirname(file), specifier!) : fileOf(specifier!), loaded);
  }
}

/** Returns the file of a package's entry. */
function fileOf(specifier: string): string {
  if (specifier.startsWith('@tessera/')) return fileURLToPath(import.meta.resolve(specifier));
  throw new Error(`dashboard: '${specifier}' is not a package of this repository`);
}

function nameOf(file: string): string {
  const name = relative(PACKAGES_FOLDER, file).replaceAll('\\', '/');
  if (name.startsWith('..')) throw new Error(`dashboard: ${file} is not in ${PACKAGES_FOLDER}`);
  return `packages/${name}`;
}

/** Returns a module as browsers load it. */
function pageCode(file: string): string {
  const code = stripComments(stripTypes(readFileSync(file, 'utf8')));
  return code.replaceAll(LOADED, (statement, specifier: string) =>
    specifier.startsWith('.')
      ? statement
      : statement.replace(specifier, `${PAGE_PREFIX}${nameOf(fileOf(specifier))}`),
  );
}

/** Removes types and keeps all positions. */
function stripTypes(source: string): string {
  const { emitWarning } = process;
  // Node warns once that this function may change, which an operator cannot act on.
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source, { mode: 'strip' });
  } finally {
    process.emitWarning = emitWarning;
  }
}
