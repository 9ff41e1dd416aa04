import type { SamplerState, WrapMode } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { levelOfDetail } from '../filter/level-of-detail.ts';
import { samplingStateOf } from '../filter/sampling-state.ts';
import type { TexelLevels } from '../layout/texel-levels.ts';
import { quadLevelOfDetailOf, sampleReference } from './sample-reference.ts';

const BASE: SamplerState = {
  wrapS: 'repeat',
  wrapT: 'repeat',
  magFilter: 'nearest',
  minFilter: 'nearest',
  mipmapFilter: 'none',
};

/** Returns a texture of one row with the given red values. */
function row(...reds: readonly number[]): TexelLevels {
  const texels = Uint8Array.from(reds.flatMap((red) => [red, 0, 0, 255]));
  const level = { widthPx: reds.length, heightPx: 1, sliceCount: 1, texels };
  return { texelClass: 'unorm8', dimension: '2d', levels: [level] };
}

/** Returns levels of 8, 4, 2, 1 texels squared; level k is all `reds[k]`. */
function flatLevels(...reds: readonly number[]): TexelLevels {
  const levels = reds.map((red, level) => {
    const sizePx = 8 >> level;
    const texels = new Uint8Array(sizePx * sizePx * 4).fill(red);
    return { widthPx: sizePx, heightPx: sizePx, sliceCount: 1, texels };
  });
  return { texelClass: 'unorm8', dimension: '2d', levels };
}

function red(texture: TexelLevels, sampler: Partial<SamplerState>, s: number, lod = 0): number {
  const state = samplingStateOf('rgba8unorm', { ...BASE, ...sampler });
  const lookup = { coordinates: [s, 0.5], reference: null, offsets: [] };
  return sampleReference({ texture, state }, lookup, lod)[0] * 255;
}

describe('wrap modes', () => {
  const texture = row(10, 20, 30, 40);
  it.each<[WrapMode, number, number]>([
    ['repeat', 0, 10],
    ['repeat', 0.25, 20],
    ['repeat', 0.999, 40],
    ['repeat', 1, 10],
    ['repeat', -0.001, 40],
    ['repeat', -1, 10],
    ['repeat', -1e-30, 40],
    ['repeat', 7.3, 20],
    ['clamp-to-edge', -5, 10],
    ['clamp-to-edge', 0, 10],
    ['clamp-to-edge', 0.75, 40],
    ['clamp-to-edge', 1, 40],
    ['clamp-to-edge', 9, 40],
    ['mirrored-repeat', 0.1, 10],
    ['mirrored-repeat', 0.9, 40],
    ['mirrored-repeat', 1, 40],
    ['mirrored-repeat', 1.1, 40],
    ['mirrored-repeat', 1.9, 10],
    ['mirrored-repeat', 2.3, 20],
    ['mirrored-repeat', -0.1, 10],
    ['mirrored-repeat', -0.3, 20],
    ['mirrored-repeat', -1.1, 40],
    ['mirror-clamp-to-edge', -0.3, 20],
    ['mirror-clamp-to-edge', -7, 40],
    ['mirror-clamp-to-border', -0.3, 20],
    ['mirror-clamp-to-border', -1.1, 0],
    ['mirror-clamp', -1.1, 40],
  ])('%s at s = %d reads %d', (wrapS, s, expected) => {
    expect(red(texture, { wrapS }, s)).toBeCloseTo(expected, 4);
  });

  it.each<[WrapMode, number, number]>([
    ['repeat', 0, (10 + 40) / 2],
    ['repeat', 1, (10 + 40) / 2],
    ['repeat', 1 / 16, 0.75 * 10 + 0.25 * 40],
    ['clamp-to-edge', 0, 10],
    ['clamp-to-edge', 1, 40],
    ['mirrored-repeat', 0, 10],
    ['mirrored-repeat', 1, 40],
    ['mirrored-repeat', 1.25, (40 + 30) / 2],
    ['repeat', 0.125, 10],
    ['repeat', 0.25, 15],
    ['repeat', 0.3125, 0.75 * 20 + 0.25 * 10],
  ])('%s, linear, at s = %d reads %d', (wrapS, s, expected) => {
    expect(red(texture, { wrapS, magFilter: 'linear' }, s)).toBeCloseTo(expected, 4);
  });
});

describe('linear filter', () => {
  it('agrees with double precision within 1/100 of an 8-bit step', () => {
    const texture = row(3, 250, 77, 0, 255, 128, 9);
    const reds = [3, 250, 77, 0, 255, 128, 9];
    for (let step = -1000; step < 2000; step++) {
      const s = Math.fround(step / 997);
      const position = s * 7 - 0.5;
      const base = Math.floor(position);
      const at = (index: number) => reds[((index % 7) + 7) % 7]!;
      const expected = at(base) + (at(base + 1) - at(base)) * (position - base);
      expect(Math.abs(red(texture, { magFilter: 'linear' }, s) - expected)).toBeLessThan(0.01);
    }
  });

  it('leaves a texture of one color as it is', () => {
    const texture = flatLevels(255, 255, 255, 255);
    const sampler = { magFilter: 'linear', minFilter: 'linear', mipmapFilter: 'linear' } as const;
    for (const lod of [-1, 0, 0.3, 1.7, 9]) {
      for (const s of [0, 0.123, 0.5, 7.77]) expect(red(texture, sampler, s, lod)).toBe(255);
    }
  });
});

describe('choice of level', () => {
  const texture = flatLevels(80, 60, 40, 20);
  it.each([
    [-3, 80],
    [0, 80],
    [0.5, 80],
    [0.51, 60],
    [1.5, 60],
    [1.51, 40],
    [2.6, 20],
    [40, 20],
    [Number.NaN, 80],
  ])('nearest level at λ = %d has red %d', (lod, expected) => {
    expect(red(texture, { mipmapFilter: 'nearest' }, 0.5, lod)).toBeCloseTo(expected, 4);
  });

  it.each([
    [-3, 80],
    [0.25, 75],
    [1, 60],
    [2.5, 30],
    [3, 20],
    [3.5, 20],
    [Infinity, 20],
  ])('between two levels at λ = %d has red %d', (lod, expected) => {
    expect(red(texture, { mipmapFilter: 'linear' }, 0.5, lod)).toBeCloseTo(expected, 4);
  });

  it('reads level 0 alone without a mipmap filter', () => {
    expect(red(texture, { mipmapFilter: 'none' }, 0.5, 2)).toBeCloseTo(80, 4);
  });

  it('switches from magnification to minification at λ = 0', () => {
    const two = row(0, 100);
    const at = (sampler: Partial<SamplerState>, lod: number) => red(two, sampler, 0.375, lod);
    const linearAboveNearest = { magFilter: 'linear', minFilter: 'nearest' } as const;
    expect(at(linearAboveNearest, 0)).toBeCloseTo(25, 4);
    expect(at(linearAboveNearest, 0.01)).toBeCloseTo(0, 4);
    const withMipmaps = { ...linearAboveNearest, mipmapFilter: 'nearest' } as const;
    expect(at(withMipmaps, 0)).toBeCloseTo(25, 4);
    expect(at(withMipmaps, 0.01)).toBeCloseTo(0, 4);
    expect(at({ magFilter: 'nearest', minFilter: 'linear' }, 0)).toBeCloseTo(0, 4);
    expect(at({ magFilter: 'nearest', minFilter: 'linear' }, 0.01)).toBeCloseTo(25, 4);
  });
});

describe('level of detail', () => {
  const still = [0, 0];
  it.each([
    [1 / 64, 0],
    [2 / 64, 1],
    [16 / 64, 4],
    [0.5 / 64, -1],
    [3 / 64, Math.log2(3)],
  ])('of a step of %d is %d', (step, expected) => {
    expect(levelOfDetail([64, 64], [step, 0], still)).toBeCloseTo(expected, 4);
    expect(levelOfDetail([64, 64], still, [0, -step])).toBeCloseTo(expected, 4);
  });

  it('is exact where the step is a power of two', () => {
    for (let k = -10; k < 10; k++) {
      expect(levelOfDetail([1, 1], [2 ** k, 0], still)).toBe(k);
    }
  });

  it('takes the longer of the two steps, in texels of both directions', () => {
    const lod = levelOfDetail([64, 16], [3 / 64, 4 / 16], [4.9 / 64, 0]);
    expect(lod).toBeCloseTo(Math.log2(5), 4);
  });

  it('follows the logarithm within 1e-5 everywhere', () => {
    for (let x = 0.01; x < 100; x *= 1.013) {
      const step = Math.fround(x);
      const error = levelOfDetail([1, 1], [step, 0], still) - Math.log2(step);
      expect(Math.abs(error)).toBeLessThan(1e-5);
    }
  });

  it('is finite for every input', () => {
    const inputs = [Number.NaN, Infinity, 3e38, 1e-45];
    for (const s of inputs) {
      expect(Math.abs(levelOfDetail([8, 8], [s, 0], still))).toBeLessThanOrEqual(50);
      expect(Math.abs(levelOfDetail([8, 8], still, [s, 0]))).toBeLessThanOrEqual(50);
    }
  });
});

describe('level of detail of a cube', () => {
  const level = { widthPx: 64, heightPx: 64, sliceCount: 6, texels: new Uint8Array(0) };
  const cube: TexelLevels = { texelClass: 'unorm8', dimension: 'cube', levels: [level] };

  it('is that on the face of the average if the first lane is on another face', () => {
    // The first lane looks at +y, the others at +x. The step to the right is (0.95, −0.1, 0).
    const quad = [
      [0.05, 1, 1, 1],
      [0.1, 0, 0.01, 0.01],
      [0, 0, 0, 0],
    ];
    const [x, y] = [3.05 / 4, 0.12 / 4];
    // Quotient rule of t = (1 − y / x) / 2.
    const step = (0.1 + (y / x) * 0.95) / x / 2;
    expect(quadLevelOfDetailOf(cube, quad)).toBeCloseTo(Math.log2(64 * step), 3);
  });

  it('is that at the first lane if this is on the same face', () => {
    const quad = [
      [1, 1, 1, 1],
      [0.5, 0.5, 0.25, 0.25],
      [0, 0.5, 0, 0.5],
    ];
    expect(quadLevelOfDetailOf(cube, quad)).toBeCloseTo(Math.log2(64 * 0.25), 3);
  });
});
