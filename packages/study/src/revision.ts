/** Version and commit of this software, for the rows of studies. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Revision } from './study-row.ts';

/** Folder of this file in the repository, relative to its root. */
const OWN_FOLDER = 'packages/study/src';
/** Number of digits of a commit. */
const COMMIT_LENGTH = 8;

/**
 * Returns the version of the package that a file is part of, and the commit that is checked out.
 * The commit is `unknown` outside of the repository, such as in a container or an installed
 * package. Files that were changed since are not detected.
 *
 * @param folder Folder of the file.
 */
export function readRevision(folder = import.meta.dirname): Revision {
  let owner = folder;
  while (!existsSync(join(owner, 'package.json'))) owner = dirname(owner);
  // A manifest has a version.
  const { version } = JSON.parse(readFileSync(join(owner, 'package.json'), 'utf8')) as Revision;
  const root = resolve(folder, '../../..');
  // An installed package may be inside the repository of its user.
  const isRepository = join(root, OWN_FOLDER) === resolve(folder);
  return { version, commit: (isRepository && readCommit(join(root, '.git'))) || 'unknown' };
}

function readCommit(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const folder = statSync(path).isDirectory() ? path : readLink(path);
  const head = readText(join(folder, 'HEAD'));
  if (!head?.startsWith('ref: ')) return head?.slice(0, COMMIT_LENGTH);
  const name = head.slice('ref: '.length);
  // Branches of a linked work tree are in the folder of the repository.
  const common = resolve(folder, readText(join(folder, 'commondir')) ?? '.');
  const packed = readText(join(common, 'packed-refs'))?.split('\n') ?? [];
  const commit =
    readText(join(folder, name)) ??
    readText(join(common, name)) ??
    packed.find((line) => line.endsWith(` ${name}`));
  return commit?.slice(0, COMMIT_LENGTH);
}

/** Returns the folder that the `.git` file of a linked work tree names. */
function readLink(path: string): string {
  const text = readText(path) ?? '';
  return resolve(path, '..', text.replace(/^gitdir: /, ''));
}

function readText(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
}
