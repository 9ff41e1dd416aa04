/** Instrumented code computes what the original does, and counts the branches that it takes. */
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { instrumentSource } from '../../scripts/fuzz/coverage/instrument-source.ts';
import { shrinkInput } from '../../scripts/fuzz/run/shrink-input.ts';

const FIRST_NUMBER = 3;

/** Runs code with counters. Returns its last value, and the branches that were reached. */
function run(source: string): { value: unknown; reached: string[] } {
  const { text, branches } = instrumentSource('a.ts', source, FIRST_NUMBER);
  expect(text.split('\n').length).toBe(source.split('\n').length);
  const $tesseraHits = new Uint8Array(64);
  const numbers = new Set<number>();
  const $tesseraReach = (number: number) => {
    expect(numbers.has(number)).toBe(false);
    numbers.add(number);
    $tesseraHits[number] = 1;
  };
  const value = runInNewContext(text, { $tesseraHits, $tesseraReach });
  const reached = branches.filter((_, i) => numbers.has(FIRST_NUMBER + i));
  return { value, reached: reached.map(({ kind, line }) => `${kind} ${line}`) };
}

describe('instrumentSource', () => {
  it.each([
    ['let a = 1;\nif (a > 2) a = 3;\na;', 1, ['else 2']],
    ['let a = 3;\nif (a > 2) a = 4; else if (a) a = 5;\na;', 4, ['if 2']],
    ['let a = 0;\nif (a) { a = 1; } else { a = 2; }\na;', 2, ['else 2']],
    ['const a = true ? 1 : 2;\na;', 1, ['choice 1']],
    [
      'const a = false || (true && null) || (null ?? 7);\na;',
      7,
      ['right 1', 'right 1', 'right 1', 'right 1'],
    ],
    ['let a = null; a ??= 4; a &&= 5;\na;', 5, ['right 1', 'right 1']],
    ['let s = 0; for (const x of [1, 2]) s += x; while (s > 9) s--;\ns;', 3, ['loop 1']],
    [
      'let s = ""; switch (2) {\ncase 1: s += 1;\ncase 2:\ncase 3: s += 3; break;\ndefault: s += 9; }\ns;',
      '3',
      ['case 3', 'case 4'],
    ],
    ['let a; try { throw 1; } catch { a = 2; }\na;', 2, ['catch 1']],
    ['const f = (x = 5) => ({ x });\nf().x + f(1).x;', 6, ['default 1', 'function 1']],
    [
      'class A { #v = () => 3; get v() { return this.#v(); } }\nnew A().v;',
      3,
      ['function 1', 'function 1'],
    ],
    [
      'function f(n) {\n  if (n) return f(n - 1); return "done"; }\nf(3);',
      'done',
      ['function 1', 'if 2', 'else 2'],
    ],
  ])('counts the branches of %j', (source, value, reached) => {
    expect(run(source)).toEqual({ value, reached });
  });

  it('names the function around a branch', () => {
    const source = 'function outer(a) { return [1].map(() => a ? 1 : 2); }\nclass A { go() { } }';
    const { branches } = instrumentSource('a.ts', source, 0);
    expect(branches.map(({ owner }) => owner)).toEqual(['outer', 'outer', 'outer', 'outer', 'go']);
  });
});

describe('shrinkInput', () => {
  it('keeps only what a condition needs', async () => {
    const input = Uint8Array.from({ length: 100 }, (_, i) => i);
    const needs = [17, 42, 43];
    const isKept = async (bytes: Uint8Array) => needs.every((byte) => bytes.includes(byte));
    expect([...(await shrinkInput(input, isKept, 10_000))]).toEqual(needs);
    expect((await shrinkInput(input, isKept, 3)).length).toBeGreaterThan(3);
  });
});
