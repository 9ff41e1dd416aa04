/**
 * Digest of the sources that determine results. A clone, a container and an installed copy of the
 * same sources have the same digest, so that they can share units; a changed file changes it.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Root of the repository. */
const ROOT = resolve(import.meta.dirname, '../../../..');
/** Folders that a container has not: tests and their support. */
const TEST_FOLDERS = /(?:^|\/)(?:node_modules|test-support|testing)(?:\/|$)/;
/** Number of digits, of which a few thousand versions never share all. */
const DIGITS = 12;

/** Returns the digest of all sources of packages and services, and of the versions of libraries. */
export function digestSources(root = ROOT): string {
  const hash = createHash('sha256');
  for (const path of listSources(root)) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, DIGITS);
}

function listSources(root: string): string[] {
  const sources = ['packages', 'services'].flatMap((folder) =>
    readdirSync(join(root, folder)).flatMap((name) => {
      const source = join(folder, name, 'src');
      return listFolder(root, source).map((path) => `${source}/${path}`);
    }),
  );
  return [...sources, 'package-lock.json'].toSorted();
}

function listFolder(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, folder).length + 1))
    .filter((path) => !path.endsWith('.test.ts') && !TEST_FOLDERS.test(path));
}
