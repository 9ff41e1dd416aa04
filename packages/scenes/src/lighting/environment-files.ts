/** Filtered environments as files, so that threads, processes and later runs share them. */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { FilteredEnvironment } from './environment-frame.ts';
import type { EnvironmentStore } from './filter-environment.ts';

/** Number of environments that are kept, of 4 MB each. */
const MAX_FILES = 16;

/**
 * Files of a folder, one for each environment. An environment that cannot be read or written is
 * filtered again the next time.
 */
export class EnvironmentFiles implements EnvironmentStore {
  readonly #folder: string;

  /** @param folder Folder of the files, which is created when it is needed. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  get(key: string): FilteredEnvironment | undefined {
    try {
      return deserialize(readFileSync(this.#pathOf(key))) as FilteredEnvironment;
    } catch {
      return undefined; // missing or damaged: it is filtered again
    }
  }

  set(key: string, environment: FilteredEnvironment): void {
    const path = this.#pathOf(key);
    // Another thread may write or read the same file, so it appears whole.
    const unfinished = `${path}.${process.pid}-${Math.round(performance.now() * 1e3)}`;
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(unfinished, serialize(environment));
      renameSync(unfinished, path);
      this.#removeOldest();
    } catch {
      removeIfThere(unfinished); // the disk is full, or the folder may not be written
    }
  }

  #pathOf(key: string): string {
    return join(this.#folder, key);
  }

  #removeOldest(): void {
    const paths = readdirSync(this.#folder).map((name) => join(this.#folder, name));
    const byAge = paths
      .map((path) => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((a, b) => b.time - a.time);
    for (const { path } of byAge.slice(MAX_FILES)) rmSync(path, { force: true });
  }
}

function removeIfThere(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // There is no such folder.
  }
}
