import type { Image } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { compareImages, showDifference, subtractImages } from './image-comparison.ts';

const WIDTH = 40;
const HEIGHT = 30;
/** Edges of the test's shape, in pixels. */
const SHAPE = { left: 10, top: 8, right: 30, bottom: 22 };

type Color = readonly [number, number, number];

function makeImage(colorAt: (x: number, y: number) => Color): Image {
  const rgba = new Uint8Array(WIDTH * HEIGHT * 4).fill(255);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) rgba.set(colorAt(x, y), (y * WIDTH + x) * 4);
  }
  return { widthPx: WIDTH, heightPx: HEIGHT, rgba };
}

/**
 * Draws a bright rectangle on a dark background, moved down. Pixels on its edges are blended by
 * coverage.
 */
function drawShape(downPx: number, spot?: { x: number; y: number; value: number }): Image {
  return makeImage((x, y) => {
    if (spot !== undefined && spot.x === x && spot.y === y) return [spot.value, 40, 40];
    const top = SHAPE.top + downPx;
    const bottom = SHAPE.bottom + downPx;
    const rows = Math.min(y + 1, bottom) - Math.max(y, top);
    const isInside = x >= SHAPE.left && x < SHAPE.right;
    const coverage = isInside ? Math.max(0, rows) : 0;
    const value = Math.round(40 + 160 * coverage);
    return [value, value, value];
  });
}

function litRows(image: Image): number[] {
  const rows = new Set<number>();
  for (let at = 0; at < image.rgba.length; at += 4) {
    if (image.rgba[at] !== 0) rows.add(Math.floor(at / 4 / WIDTH));
  }
  return [...rows];
}

describe('compareImages', () => {
  it('reports no difference between equal images', () => {
    expect(compareImages(drawShape(0), drawShape(0))).toMatchObject({
      pixels: WIDTH * HEIGHT,
      differing: 0,
      largest: 0,
      meanAbsolute: 0,
      psnrDb: null,
    });
  });

  it('counts pixels by their largest component and ignores alpha', () => {
    const grey = makeImage(() => [100, 100, 100]);
    const steps = [0, 1, 2, 3, 8, 9, 32, 33];
    const stepped = makeImage((x, y) => {
      const step = y === 0 ? (steps[x] ?? 0) : 0;
      return [100, 100 - step, 100 + Math.min(step, 1)];
    });
    stepped.rgba[3] = 0;
    const found = compareImages(stepped, grey);
    expect(found).toMatchObject({ differing: 7, over1: 6, over2: 5, over8: 3, over32: 1 });
    expect(found.largest).toBe(33);
    const pixels = WIDTH * HEIGHT;
    expect(found.meanAbsolute).toBeCloseTo((88 + 7) / (pixels * 3), 12);
    const squares = steps.reduce((sum, step) => sum + step * step, 7);
    expect(found.psnrDb).toBeCloseTo(10 * Math.log10((255 ** 2 * pixels * 3) / squares), 9);
  });

  it('shows a half-pixel shift as outlines only, upper edges in one image and lower in the other', () => {
    const shifted = drawShape(0.5);
    const reference = drawShape(0);
    const found = compareImages(shifted, reference);
    expect(found.differing).toBe(2 * (SHAPE.right - SHAPE.left));
    expect(found.inside).toBe(0);
    const { positive, negative } = subtractImages(shifted, reference);
    expect(litRows(negative)).toEqual([SHAPE.top]);
    expect(litRows(positive)).toEqual([SHAPE.bottom]);
  });

  it('distinguishes a wrong pixel inside a shape from an outline', () => {
    const wrong = drawShape(0.5, { x: 20, y: 15, value: 120 });
    const found = compareImages(wrong, drawShape(0));
    expect(found.inside).toBe(1);
    const { negative } = subtractImages(wrong, drawShape(0));
    expect(litRows(negative)).toEqual([SHAPE.top, 15]);
    expect([...negative.rgba.subarray((15 * WIDTH + 20) * 4).subarray(0, 4)]).toEqual([
      80, 160, 160, 255,
    ]);
  });

  it('shows differences of either sign, eight times as large', () => {
    const grey = makeImage(() => [100, 100, 100]);
    const other = makeImage(() => [101, 97, 200]);
    expect([...showDifference(grey, other).rgba.subarray(0, 4)]).toEqual([8, 24, 255, 255]);
    expect([...showDifference(other, grey).rgba.subarray(0, 4)]).toEqual([8, 24, 255, 255]);
  });

  it('rejects images of different sizes', () => {
    const other = { widthPx: HEIGHT, heightPx: WIDTH, rgba: drawShape(0).rgba };
    expect(() => compareImages(drawShape(0), other)).toThrow('40×30 and 30×40');
    expect(() => subtractImages(drawShape(0), other)).toThrow('40×30 and 30×40');
  });
});
