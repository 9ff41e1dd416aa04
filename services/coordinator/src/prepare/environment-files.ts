/** Filtered environments as files, so that threads and later runs of the service share them. */
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
import type { EnvironmentStore, FilteredEnvironment } from '@tessera/scenes';

/** Number in the names of the files; raised when environments are filtered in another way. */
const FILTER_VERSION = 1;
/** Number of environments that are kept, of 4 MB each. */
const MAX_FILES = 16;

/** Files of a folder, one for each environment. */
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
    mkdirSync(this.#folder, { recursive: true });
    const path = this.#pathOf(key);
    // Another thread may write or read the same file, so it appears whole.
    const unfinished = `${path}.${process.pid}-${Math.round(performance.now() * 1e3)}`;
    writeFileSync(unfinished, serialize(environment));
    renameSync(unfinished, path);
    this.#removeOldest();
  }

  #pathOf(key: string): string {
    return join(this.#folder, `${key}-${FILTER_VERSION}`);
  }

  #removeOldest(): void {
    const paths = readdirSync(this.#folder).map((name) => join(this.#folder, name));
    const byAge = paths
      .map((path) => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((a, b) => b.time - a.time);
    for (const { path } of byAge.slice(MAX_FILES)) rmSync(path, { force: true });
  }
}
