import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chooseCoarseBinGrid,
  chooseGridShape,
  coarseBinCount,
  coarseBinRect,
  makeCoarseBinGrid,
  parseGridRequest,
} from './coarse-bin-grid.ts';

describe('coarse-bin grid', () => {
  it('cuts 512×512 into the four bins of 256×256 of figure 2', () => {
    const grid = makeCoarseBinGrid(512, 512, 2, 2);
    expect(Array.from({ length: 4 }, (_, binId) => coarseBinRect(grid, binId))).toEqual([
      { x: 0, y: 0, width: 256, height: 256 },
      { x: 256, y: 0, width: 256, height: 256 },
      { x: 0, y: 256, width: 256, height: 256 },
      { x: 256, y: 256, width: 256, height: 256 },
    ]);
  });

  it('gives 32 bins on a 16:9 target, the last row ragged', () => {
    const grid = makeCoarseBinGrid(1280, 720, 8, 4);
    expect(coarseBinCount(grid)).toBe(32);
    expect(grid.columnEdgesPx).toEqual([0, 128, 320, 448, 640, 768, 960, 1088, 1280]);
    expect(grid.rowEdgesPx).toEqual([0, 192, 384, 576, 720]);
  });

  it('covers every pixel once, on fine-bin boundaries', () => {
    const size = fc.integer({ min: 1, max: 2000 });
    const bins = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(size, size, bins, bins, (width, height, columns, rows) => {
        const grid = makeCoarseBinGrid(width, height, columns, rows);
        let areaPx = 0;
        for (let binId = 0; binId < coarseBinCount(grid); binId++) {
          const rect = coarseBinRect(grid, binId);
          expect(rect.width).toBeGreaterThan(0);
          expect(rect.height).toBeGreaterThan(0);
          expect(rect.x % 64).toBe(0);
          expect(rect.y % 64).toBe(0);
          areaPx += rect.width * rect.height;
        }
        // Edges ascend, so rectangles cannot overlap. Equal area then means that no pixel is left
        // out.
        expect(areaPx).toBe(width * height);
      }),
    );
  });

  it.each([
    [32, 1280, 720, 8, 4],
    [4, 1280, 720, 2, 2],
    [1, 800, 600, 1, 1],
    [6, 1920, 1080, 3, 2],
    [6, 600, 800, 2, 3],
    [7, 1280, 720, 7, 1],
  ])('makes %i bins on %i×%i as %i × %i', (binCount, width, height, columns, rows) => {
    expect(chooseGridShape(binCount, width, height)).toEqual({ columns, rows });
  });

  it('refuses a bin count out of range', () => {
    for (const binCount of [0, 1.5, 1025, Number.NaN]) {
      expect(() => chooseGridShape(binCount, 64, 64)).toThrow(/integer from 1 to 1024/);
    }
  });

  it.each([
    ['2x2', 512, 512, 4, 2, 2],
    ['32', 1280, 720, 4, 8, 4],
    ['8/chiplet', 1280, 720, 4, 8, 4],
    ['8/chiplet', 1280, 720, 3, 6, 4],
    ['auto', 1280, 720, 4, 8, 4],
    // 20 × 12 fine bins allow at most 60 bins of four.
    ['auto', 1280, 720, 16, 10, 6],
    ['auto', 128, 128, 4, 1, 1],
    ['auto', 40, 40, 4, 1, 1],
    ['3x7', 300, 500, 1, 3, 7],
    ['9x9', 300, 500, 1, 5, 8],
  ])(
    'makes of %s on %i×%i with %i chiplets %i × %i bins',
    (text, width, height, chiplets, columns, rows) => {
      expect(chooseCoarseBinGrid(parseGridRequest(text), width, height, chiplets)).toMatchObject({
        columns,
        rows,
      });
    },
  );

  it.each([
    '',
    '0',
    '0x4',
    '2x',
    'x2',
    '2X2',
    '33x32',
    '1025',
    '-1',
    '1.5',
    'Auto',
    '8/chiplets',
    '0/chiplet',
  ])('rejects the grid request %o', (text) => {
    expect(() => parseGridRequest(text, 'bins')).toThrow(/^bins: '/);
  });

  it('accepts any grid at any size, ragged only at the edges', () => {
    const size = fc.integer({ min: 1, max: 700 });
    fc.assert(
      fc.property(
        size,
        size,
        fc.constantFrom('2x2', '32', '5x3', '8/chiplet', 'auto'),
        (width, height, text) => {
          const grid = chooseCoarseBinGrid(parseGridRequest(text), width, height, 3, 32);
          for (const [edges, end] of [
            [grid.columnEdgesPx, width],
            [grid.rowEdgesPx, height],
          ] as const) {
            expect(edges[0]).toBe(0);
            expect(edges[edges.length - 1]).toBe(end);
            for (const edge of edges.slice(0, -1)) expect(edge % 32).toBe(0);
          }
        },
      ),
    );
  });
});
