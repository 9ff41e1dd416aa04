import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SET_UP } from '../../records/raster-record.ts';
import { type Point, RasterHarness } from '../../testing/raster-harness.ts';
import {
  BLOCK_WORDS,
  SevenLevelTraversal,
  type TraversalSwitches,
} from './seven-level-traversal.ts';

const SIZE_PX = 192;
const harness = new RasterHarness(SIZE_PX, SIZE_PX);

const ALL_SWITCHES: readonly TraversalSwitches[] = [true, false].flatMap((hasBoxTest) =>
  [true, false].flatMap((entersAtBoxLevel) =>
    (['corner', 'centre'] as const).map((tilePoint) => ({
      hasBoxTest,
      entersAtBoxLevel,
      tilePoint,
    })),
  ),
);

/** Adds to each pixel the number of blocks of the last walk that cover it. */
function readCoverage(traversal: SevenLevelTraversal, into: Uint8Array): void {
  for (let block = 0; block < traversal.blockCount; block++) {
    const at = block * BLOCK_WORDS;
    const [x, y, mask] = traversal.blocks.subarray(at, at + 3);
    for (let bit = 0; bit < 16; bit++) {
      if ((mask! & (1 << bit)) !== 0) into[(y! + (bit >> 2)) * SIZE_PX + x! + (bit & 3)]!++;
    }
  }
}

function cover(points: readonly Point[], switches: TraversalSwitches, binPx: number): Uint8Array {
  const counts = new Uint8Array(SIZE_PX * SIZE_PX);
  if (harness.setUp(points) !== SET_UP) return counts;
  const traversal = new SevenLevelTraversal(harness.memory, switches);
  for (let y = 0; y < SIZE_PX; y += binPx) {
    for (let x = 0; x < SIZE_PX; x += binPx) {
      traversal.walk(0, x, y, x + binPx - 1, y + binPx - 1);
      readCoverage(traversal, counts);
    }
  }
  return counts;
}

const coordinate = fc.integer({ min: -40 * 256, max: (SIZE_PX + 40) * 256 });
const anyPoint = fc.tuple(coordinate, coordinate);
/** Small triangles near one place, and arbitrary triangles. */
const triangle = fc.oneof(
  fc.tuple(anyPoint, anyPoint, anyPoint),
  fc
    .tuple(
      anyPoint,
      fc.array(fc.tuple(fc.integer({ min: -900, max: 900 }), fc.integer({ min: -900, max: 900 })), {
        minLength: 2,
        maxLength: 2,
      }),
    )
    .map(([origin, offsets]) => [
      origin,
      ...offsets.map(([dx, dy]): [number, number] => [origin[0] + dx, origin[1] + dy]),
    ]),
);

describe('seven-level traversal', () => {
  it('covers the same samples as the traversal kernel in every setting of its switches', () => {
    fc.assert(
      fc.property(triangle, (points) => {
        const expected = harness.cover(points as Point[]);
        for (const switches of ALL_SWITCHES) {
          for (const binPx of [64, SIZE_PX]) {
            expect(cover(points as Point[], switches, binPx), JSON.stringify(switches)).toEqual(
              expected,
            );
          }
        }
      }),
      { numRuns: 25, seed: 17 },
    );
  });

  it('covers the same samples of lines', () => {
    fc.assert(
      fc.property(fc.tuple(anyPoint, anyPoint), (points) => {
        expect(cover(points, ALL_SWITCHES[0]!, 64)).toEqual(harness.cover(points));
      }),
      { numRuns: 60, seed: 18 },
    );
  });

  it('hands on fewer or as many sub-tiles with the box test, and counts those in the box without it', () => {
    fc.assert(
      fc.property(triangle, (points) => {
        if (harness.setUp(points as Point[]) !== SET_UP) return;
        for (const tilePoint of ['corner', 'centre'] as const) {
          const walk = (hasBoxTest: boolean) => {
            const traversal = new SevenLevelTraversal(harness.memory, {
              hasBoxTest,
              entersAtBoxLevel: true,
              tilePoint,
            });
            traversal.walk(0, 0, 0, SIZE_PX - 1, SIZE_PX - 1);
            return traversal;
          };
          const [on, off] = [walk(true), walk(false)];
          expect(off.subTilesInBox).toEqual(on.subTilesPassed);
          for (let level = 0; level < 7; level++) {
            expect(on.subTilesPassed[level]!).toBeLessThanOrEqual(off.subTilesPassed[level]!);
          }
        }
      }),
      { numRuns: 200, seed: 19 },
    );
  });

  it('takes a full tile of 128 pixels through all seven levels', () => {
    // The triangle contains the tile (0, 0) to (127, 127). Each level passes all sub-tiles, 4^l of
    // them.
    harness.setUp([
      [-10_000, -10_000],
      [100_000, -10_000],
      [-10_000, 100_000],
    ]);
    const traversal = new SevenLevelTraversal(harness.memory, ALL_SWITCHES[0]!);
    traversal.walk(0, 0, 0, 127, 127);
    expect([...traversal.tilesTaken]).toEqual([1, 4, 16, 64, 256, 1024, 4096]);
    expect([...traversal.subTilesPassed]).toEqual([4, 16, 64, 256, 1024, 4096, 16_384]);
    expect(traversal.blockCount).toBe(1024);
  });

  it('lets a small triangle enter at the level of its box', () => {
    harness.setUp([
      [512, 512],
      [1024, 512],
      [512, 1024],
    ]);
    const traversal = new SevenLevelTraversal(harness.memory, ALL_SWITCHES[0]!);
    traversal.walk(0, 0, 0, 63, 63);
    // Its box is one 2×2 tile.
    expect([...traversal.tilesTaken]).toEqual([0, 0, 0, 0, 0, 0, 1]);
  });
});
