/** Addresses of programs in this process. */
import { pathToFileURL } from 'node:url';

const runCounts = new Map<string, number>();

/**
 * Returns the address from which to import a program. Each run of a program in this process has
 * another one, because the platform runs the module of an address only once. The modules that the
 * program imports run once.
 */
export function nextProgramAddress(path: string): string {
  const { href } = pathToFileURL(path);
  const count = runCounts.get(href) ?? 0;
  runCounts.set(href, count + 1);
  return count === 0 ? href : `${href}?run=${count}`;
}

/** Returns an address, or text with addresses, without the numbers of runs. */
export function withoutRun(text: string): string {
  return text.replaceAll(/(?<=^|[\s(])(file:[^\s?]*)\?run=\d+/g, '$1');
}
