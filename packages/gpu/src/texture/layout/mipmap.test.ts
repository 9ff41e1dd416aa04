import { describe, expect, it } from 'vitest';
import { halveLevel, type TexelLevel } from './mipmap.ts';

function level(
  widthPx: number,
  heightPx: number,
  red: (x: number, y: number) => number,
): TexelLevel {
  const texels = new Uint8Array(widthPx * heightPx * 4);
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) texels.set([red(x, y), 0, 7, 255], (y * widthPx + x) * 4);
  }
  return { widthPx, heightPx, sliceCount: 1, texels };
}

/** Returns the mean over the covered area in double precision. */
function areaMean(source: TexelLevel, x: number, y: number, width: number, height: number): number {
  const overlap = (index: number, at: number, count: number, size: number) => {
    const [from, to] = [(at * size) / count, ((at + 1) * size) / count];
    return Math.max(0, Math.min(to, index + 1) - Math.max(from, index));
  };
  let sum = 0;
  let area = 0;
  for (let j = 0; j < source.heightPx; j++) {
    for (let i = 0; i < source.widthPx; i++) {
      const weight = overlap(i, x, width, source.widthPx) * overlap(j, y, height, source.heightPx);
      sum += weight * source.texels[(j * source.widthPx + i) * 4]!;
      area += weight;
    }
  }
  return sum / area;
}

describe('halveLevel', () => {
  it.each([
    [8, 8],
    [7, 8],
    [8, 5],
    [7, 5],
    [1, 6],
    [3, 1],
    [1, 7],
  ])('averages the area that each texel of a %d×%d level covers', (width, height) => {
    const source = level(width, height, (x, y) => (x * 53 + y * 101 + 3 * x * y) % 256);
    const half = halveLevel(source);
    expect([half.widthPx, half.heightPx]).toStrictEqual([
      Math.max(1, width >> 1),
      Math.max(1, height >> 1),
    ]);
    for (let y = 0; y < half.heightPx; y++) {
      for (let x = 0; x < half.widthPx; x++) {
        const mean = areaMean(source, x, y, half.widthPx, half.heightPx);
        const actual = half.texels[(y * half.widthPx + x) * 4]!;
        expect(Math.abs(actual - mean)).toBeLessThanOrEqual(0.5 + 1e-9);
      }
    }
  });

  it('rounds ties up', () => {
    expect(halveLevel(level(2, 1, (x) => x)).texels[0]).toBe(1);
    expect(halveLevel(level(2, 2, (x, y) => x * y)).texels[0]).toBe(0);
    expect(halveLevel(level(2, 2, (x) => x)).texels[0]).toBe(1);
  });

  it('keeps a constant, whatever the size', () => {
    for (const [width, height] of [
      [16, 16],
      [15, 9],
    ] as const) {
      let current = level(width, height, () => 201);
      while (current.widthPx > 1 || current.heightPx > 1) {
        current = halveLevel(current);
        expect(new Set(current.texels)).toStrictEqual(new Set([201, 0, 7, 255]));
      }
    }
  });
});
