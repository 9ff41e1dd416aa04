/**
 * Puts a fault into a service by hand, to see that the simulation finds it. The source text is
 * changed while it is loaded; the file stays as it is.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { FAULTS, type PlantedFault } from './planted-faults.ts';

const ROOT = new URL('../../', import.meta.url);

/**
 * Changes the sources of the services before they are loaded.
 *
 * @throws {RangeError} If there is no such fault.
 * @throws {Error} The errors of {@link faultySources}.
 */
export function plantFault(name: string): void {
  const fault = FAULTS.find((candidate) => candidate.name === name);
  if (fault === undefined) {
    const names = FAULTS.map((one) => one.name).join(', ');
    throw new RangeError(`--fault: '${name}' is none of ${names}`);
  }
  const sources = faultySources(fault);
  registerHooks({
    load(url, context, next) {
      const source = sources.get(url);
      if (source === undefined) return next(url, context);
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
}

/**
 * Returns the changed sources by URL.
 *
 * @throws {Error} If a text that a fault replaces is not in its file exactly once.
 */
export function faultySources({ name, edits }: PlantedFault): Map<string, string> {
  const sources = new Map<string, string>();
  for (const { file, find, replace } of edits) {
    const url = new URL(file, ROOT);
    const parts = (sources.get(url.href) ?? readFileSync(url, 'utf8')).split(find);
    if (parts.length !== 2) {
      const count = parts.length - 1;
      throw new Error(`${name}: '${find}' occurs ${count} times in ${file} instead of once`);
    }
    sources.set(url.href, parts.join(replace));
  }
  return sources;
}
