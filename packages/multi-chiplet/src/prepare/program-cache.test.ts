import { describe, expect, it } from 'vitest';
import { ProgramCache } from './program-cache.ts';

const vertexSource = 'attribute vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }';
const sourceOf = (name: string) => ({
  vertexSource,
  fragmentSource: `/* ${name} */ void main() { gl_FragColor = vec4(1.0); }`,
});
const CHARACTERS = vertexSource.length + 1 + sourceOf('a').fragmentSource.length;

/** Lists the programs that are the same objects as before. */
function keptOf(cache: ProgramCache, names: string): string {
  const programs = new Map([...names].map((name) => [name, cache.compile(sourceOf(name))]));
  return [...names].filter((name) => cache.compile(sourceOf(name)) === programs.get(name)).join('');
}

describe('ProgramCache', () => {
  it('keeps up to the allowed number of programs and characters of sources', () => {
    expect(keptOf(new ProgramCache(2), 'ab')).toBe('ab');
    expect(keptOf(new ProgramCache(2), 'abc')).toBe('');
    expect(keptOf(new ProgramCache(9, 3 * CHARACTERS), 'abc')).toBe('abc');
    expect(keptOf(new ProgramCache(9, 3 * CHARACTERS - 1), 'abc')).toBe('');
  });

  it('keeps the program used last, however long its source is', () => {
    expect(keptOf(new ProgramCache(9, 1), 'a')).toBe('a');
  });
});
