import { describe, expect, it } from 'vitest';
import { diesPerWafer, dieYield, EDGE_MM, SCRIBE_MM, WAFER_MM } from './wafer.ts';

/** Counts the squares of a grid that are inside the circle, for the best of several offsets. */
function placeOnGrid(dieMm2: number): number {
  const pitch = Math.sqrt(dieMm2) + SCRIBE_MM;
  const radius = WAFER_MM / 2 - EDGE_MM;
  const steps = 8;
  let most = 0;
  for (let offset = 0; offset < steps ** 2; offset++) {
    const x0 = ((offset % steps) / steps) * pitch;
    const y0 = (Math.floor(offset / steps) / steps) * pitch;
    let count = 0;
    const cells = Math.ceil(radius / pitch) + 1;
    for (let i = -cells; i <= cells; i++) {
      for (let j = -cells; j <= cells; j++) {
        const farX = Math.max(Math.abs(x0 + i * pitch), Math.abs(x0 + (i + 1) * pitch));
        const farY = Math.max(Math.abs(y0 + j * pitch), Math.abs(y0 + (j + 1) * pitch));
        if (Math.hypot(farX, farY) <= radius) count++;
      }
    }
    most = Math.max(most, count);
  }
  return most;
}

describe('diesPerWafer', () => {
  it.each([
    [10, 0.02],
    [37.5, 0.02],
    [100, 0.03],
    [150, 0.03],
    [300, 0.06],
    [520, 0.08],
    [800, 0.1],
  ])('is near the number of dies of %d mm² that fit on a circle', (dieMm2, tolerance) => {
    const placed = placeOnGrid(dieMm2);
    expect(Math.abs(diesPerWafer(dieMm2) / placed - 1)).toBeLessThan(tolerance);
  });

  it('falls with the area', () => {
    for (let mm2 = 10; mm2 < 800; mm2 *= 1.1) {
      expect(diesPerWafer(1.1 * mm2)).toBeLessThan(diesPerWafer(mm2));
    }
  });

  it.each([0, -1, Number.NaN, 50_000])('refuses a die of %d mm²', (mm2) => {
    expect(() => diesPerWafer(mm2)).toThrowError(/^dieMm2: /);
  });
});

describe('dieYield', () => {
  // Derived by hand from published areas and defects.
  it.each([
    [304, 0.11, 10, 0.72],
    [304, 0.11, 2, 0.73],
    [150, 0.11, 10, 0.85],
    [520, 0.09, 10, 0.63],
    [520, 0.09, 2, 0.66],
    [130, 0.09, 10, 0.89],
    [37.5, 0.09, 10, 0.97],
  ])('of %d mm² with %d defects and α of %d is %d', (mm2, defects, clustering, expected) => {
    expect(dieYield(mm2, defects, clustering)).toBeCloseTo(expected, 2);
  });

  it('approaches the distribution of Poisson for independent defects', () => {
    expect(dieYield(300, 0.1, 1e7)).toBeCloseTo(Math.exp(-0.3), 6);
  });
});
