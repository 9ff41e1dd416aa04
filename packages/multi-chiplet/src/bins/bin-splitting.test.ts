import { type BinSummary, coarseBinRect, isPartOfBin, makeCoarseBinGrid } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateBinCycles } from './bin-cost.ts';
import { splitCostliestBins } from './bin-splitting.ts';

const GRID = makeCoarseBinGrid(500, 300, 2, 2);

function summaryOf(binId: number, fragments: number): BinSummary {
  return {
    binId,
    primitives: 10,
    streamBytes: 40,
    estimatedFragments: fragments,
    estimatedFragmentInstructions: 20 * fragments,
    estimatedVertexInstructions: 100,
  };
}

describe('splitting of bins', () => {
  const bins = [100, 90_000, 5_000, 60_000].map((fragments, binId) => summaryOf(binId, fragments));

  it('leaves bins whole without splits', () => {
    const parts = splitCostliestBins(GRID, bins, 0);
    expect(parts.map(({ binId, isWhole }) => [binId, isWhole])).toEqual(
      [0, 1, 2, 3].map((binId) => [binId, true]),
    );
  });

  it('halves the costliest bin first, at the border of fine bins in its middle', () => {
    const parts = splitCostliestBins(GRID, bins, 1);
    expect(parts.map(({ binId }) => binId)).toEqual([0, 1, 1, 2, 3]);
    expect(parts[1]!.rect).toEqual({ x: 256, y: 0, width: 128, height: 128 });
    expect(parts[2]!.rect).toEqual({ x: 384, y: 0, width: 116, height: 128 });
    expect(parts[1]!.summary.streamBytes + parts[2]!.summary.streamBytes).toBe(40);
    expect(estimateBinCycles(parts[1]!.summary)).toBeLessThan(estimateBinCycles(bins[1]!));
  });

  it('does not split a bin that is already rendered', () => {
    const parts = splitCostliestBins(GRID, bins, 3, 1);
    expect(parts.filter(({ binId }) => binId === 1)).toMatchObject([{ isWhole: true }]);
    expect(parts).toHaveLength(7);
  });

  it('stops when the costliest part is a single fine bin', () => {
    const single = makeCoarseBinGrid(64, 64, 1, 1);
    expect(splitCostliestBins(single, [summaryOf(0, 4096)], 9)).toHaveLength(1);
  });

  it('covers every bin once, on borders of fine bins, in order, for any grid and costs', () => {
    const size = fc.integer({ min: 1, max: 700 });
    const count = fc.integer({ min: 1, max: 5 });
    fc.assert(
      fc.property(
        size,
        size,
        count,
        count,
        fc.nat(40),
        fc.array(fc.nat(100_000)),
        (w, h, c, r, splits, costs) => {
          const grid = makeCoarseBinGrid(w, h, c, r, 32);
          const binCount = grid.columns * grid.rows;
          const summaries = Array.from({ length: binCount }, (_, i) => summaryOf(i, costs[i] ?? 7));
          const parts = splitCostliestBins(grid, summaries, splits);
          expect(parts.length).toBeLessThanOrEqual(binCount + splits);
          const pixels = new Float64Array(binCount);
          for (const [i, { binId, rect }] of parts.entries()) {
            expect(isPartOfBin(grid, binId, rect)).toBe(true);
            if (i > 0) expect(binId).toBeGreaterThanOrEqual(parts[i - 1]!.binId);
            pixels[binId]! += rect.width * rect.height;
          }
          for (let binId = 0; binId < binCount; binId++) {
            const { width, height } = coarseBinRect(grid, binId);
            expect(pixels[binId]).toBe(width * height);
          }
        },
      ),
    );
  });
});
