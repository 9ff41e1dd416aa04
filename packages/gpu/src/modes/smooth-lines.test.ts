import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pixelAt, render, vertexAt } from '../testing/chiplet-harness.ts';

const TARGET = { widthPx: 48, heightPx: 40, fineBinPx: 16 };

describe('a smooth line', () => {
  it('covers the pixels whose centers are in its rectangle', () => {
    const x = fc.double({ min: 8, max: 40, noNaN: true });
    const y = fc.double({ min: 8, max: 32, noNaN: true });
    const width = fc.double({ min: 1, max: 6, noNaN: true });
    fc.assert(
      fc.property(x, y, x, y, width, (x0, y0, x1, y1, lineWidthPx) => {
        const length = Math.hypot(x1 - x0, y1 - y0);
        fc.pre(length > 0.1);
        const image = render(
          [
            {
              topology: 'lines',
              vertices: [...vertexAt(TARGET, x0, y0, 0), ...vertexAt(TARGET, x1, y1, 0)],
              state: { lineMode: 'smooth', lineWidthPx },
            },
          ],
          TARGET,
        );
        const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
        const half = Math.max(1, (lineWidthPx + 1) / 2);
        for (let row = 0; row < TARGET.heightPx; row++) {
          for (let column = 0; column < TARGET.widthPx; column++) {
            const [dx, dy] = [column + 0.5 - x0, row + 0.5 - y0];
            const along = dx * ux + dy * uy;
            const side = half - Math.abs(dx * uy - dy * ux);
            const inside = Math.min(side, along + 0.5, length + 0.5 - along);
            // Corners are rounded to 1/256 pixel, which a short line turns by more.
            if (Math.abs(inside) < 0.01 + (0.01 * half) / length) continue;
            expect([column, row, pixelAt(image, column, row)[3]! > 0]).toEqual([
              ...[column, row, inside > 0],
            ]);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('has the values of its ends half a pixel beyond them', () => {
    const vertices = [
      ...vertexAt(TARGET, 10, 20.5, 0, [0, 0, 0, 1]),
      ...vertexAt(TARGET, 30, 20.5, 0, [1, 0, 0, 1]),
    ];
    const state = { lineMode: 'smooth' } as const;
    const image = render([{ topology: 'lines', vertices, state }], TARGET);
    // The rectangle is 21 pixels long, from 9.5 to 30.5.
    for (const column of [9, 10, 19, 29]) {
      const red = pixelAt(image, column, 20)[0]!;
      expect(red).toBeCloseTo((255 * (column - 9)) / 21, -0.5);
    }
  });
});
