import type { ProgramSource } from '@tessera/frame';

const VERSION = /^[ \t]*#[ \t]*version[ \t]+(\d+)/m;

const resultsBySource = new WeakMap<ProgramSource, boolean>();

/** Returns whether a program's lookups compare to one component, as in GLSL 1.30 and later. */
export function hasSingleComparisons(source: ProgramSource): boolean {
  let result = resultsBySource.get(source);
  if (result === undefined) {
    result = [source.vertexSource, source.fragmentSource].some(
      (text) => Number(VERSION.exec(text)?.[1] ?? 0) >= 130,
    );
    resultsBySource.set(source, result);
  }
  return result;
}
