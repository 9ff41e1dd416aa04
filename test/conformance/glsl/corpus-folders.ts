/**
 * Folders of the corpora that are not part of the repository. Tests are skipped without their
 * corpus.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * Returns the folder of an npm package: the one that the environment variable names, else the
 * installed one, else `null`.
 *
 * @throws {Error} If the variable names a folder that does not exist.
 */
export function packageFolder(variable: string, name: string): string | null {
  const named = process.env[variable];
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new Error(`${variable}: there is no folder ${named}`);
    return named;
  }
  const installed = resolve(ROOT, 'node_modules', name);
  return existsSync(installed) ? installed : null;
}

/** Returns the folder of captures of real programs next to the repository, or `null`. */
export function capturesFolder(): string | null {
  const folder = resolve(ROOT, '../shared/captures');
  return existsSync(folder) ? folder : null;
}
