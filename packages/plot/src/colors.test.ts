import { describe, expect, it } from 'vitest';
import {
  chipletColor,
  contrastRatio,
  costColor,
  type Rgb,
  relativeLuminance,
  textColorOn,
} from './colors.ts';

describe('chipletColor', () => {
  it('gives eight chiplets eight colors, then repeats', () => {
    const colors = Array.from({ length: 8 }, (_, id) => String(chipletColor(id)));
    expect(new Set(colors).size).toBe(8);
    expect(chipletColor(8)).toEqual(chipletColor(0));
  });
});

describe('costColor', () => {
  it('is lighter the dearer', () => {
    const shares = [0, 0.1, 0.3, 0.5, 0.7, 0.9, 1];
    const lights = shares.map((share) => relativeLuminance(costColor(share)));
    expect(lights).toEqual([...lights].sort((a, b) => a - b));
  });

  it('ends at both ends of the time', () => {
    expect(costColor(-1)).toEqual(costColor(0));
    expect(costColor(2)).toEqual(costColor(1));
  });
});

describe('textColorOn', () => {
  const colors: Rgb[] = [
    ...Array.from({ length: 8 }, (_, id) => chipletColor(id)),
    ...Array.from({ length: 11 }, (_, tenth) => costColor(tenth / 10)),
  ];
  it.each(colors)(
    'is read on rgb(%i %i %i) with the contrast that WCAG AA asks for',
    (...color) => {
      const [under, text] = [relativeLuminance(color), textColorOn(color) === '#fff' ? 1 : 0];
      const ratio = contrastRatio(Math.max(under, text), Math.min(under, text));
      expect(ratio).toBeGreaterThanOrEqual(4.5);
    },
  );
});
