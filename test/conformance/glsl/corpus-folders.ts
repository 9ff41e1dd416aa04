/** Where the corpora lie that are no part of the repository. Tests without their corpus are skipped. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * The folder of an npm package: the one that the environment variable names, else the installed one; `null`
 * if there is neither.
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

/** Captures of real programs beside the repository, or `null`. */
export function capturesFolder(): string | null {
  const folder = resolve(ROOT, '../shared/captures');
  return existsSync(folder) ? folder : null;
}
