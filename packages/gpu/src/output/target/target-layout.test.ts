import { describe, expect, it } from 'vitest';
import { colorLinesOf, layOutTargets } from './target-layout.ts';

describe('colorLinesOf', () => {
  it.each([
    ['no target', [], 1],
    ['r8unorm', ['r8unorm'], 1],
    ['r16float', ['r16float'], 1],
    ['rg11b10ufloat', ['rg11b10ufloat'], 1],
    ['rgba16float', ['rgba16float'], 2],
    ['rgba32float', ['rgba32float'], 4],
    ['several', ['rgba8unorm', null, 'rgba16float', 'r8unorm'], 4],
  ] as const)(
    'counts a line for every 32 bits of a pixel in each target: %s',
    (_, formats, lines) => {
      expect(colorLinesOf(layOutTargets(formats))).toBe(lines);
      expect(colorLinesOf(layOutTargets(formats, 4))).toBe(lines);
    },
  );
});
