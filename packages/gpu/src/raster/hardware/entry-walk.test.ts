import type { RecordRing } from '@tessera/chip/records';
import { DEFAULT_CHIPLET_SPEC, defineChipletSpec } from '@tessera/chiplet-spec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KernelLibrary } from '../../command/kernel-library.ts';
import { DEPTH_24_MAX } from '../../records/depth-24.ts';
import {
  DEPTH_C,
  DEPTH_DX,
  DEPTH_DY,
  ORIGIN_X,
  ORIGIN_Y,
  PRIMITIVE_RECORD,
  RECORD_F64,
  RECORD_I32,
  SET_UP,
} from '../../records/raster-record.ts';
import { BinLog } from '../../run-log/bin-log.ts';
import { type Point, RasterHarness } from '../../testing/raster-harness.ts';
import { TileTraversal } from '../coverage/tile-traversal.ts';
import type { HierarchicalDepthUse } from './block-depths.ts';
import { EntryWalk } from './entry-walk.ts';

const WIDTH_PX = 100;
const HEIGHT_PX = 84;
const BIN_PX = 64;
const QUAD_WORDS = 4;
const TARGET = { x: 0, y: 0, width: WIDTH_PX, height: HEIGHT_PX };
const harness = new RasterHarness(WIDTH_PX, HEIGHT_PX);
const { memory } = harness;
const library = new KernelLibrary(memory, DEFAULT_CHIPLET_SPEC);
const tiles = new TileTraversal(memory);

const SPECS = [true, false].flatMap((hasBoxTest) =>
  [true, false].flatMap((entersAtBoxLevel) =>
    [true, false].map((testsTileCorners) =>
      defineChipletSpec({ hasBoxTest, entersAtBoxLevel, testsTileCorners }),
    ),
  ),
);
const USES: readonly HierarchicalDepthUse[] = ['test', 'test-only', 'raise', 'keep'];

interface Primitive {
  readonly points: readonly Point[];
  /** Depth at the origin, per pixel in x, per pixel in y. */
  readonly plane: readonly [number, number, number];
}

const near = fc.integer({ min: -20 * 256, max: 120 * 256 });
/**
 * Triangles of a few pixels, arbitrary triangles, and those with edges too steep for the kernel.
 */
const points = fc.oneof(
  fc
    .tuple(
      near,
      near,
      fc.array(fc.integer({ min: -1500, max: 1500 }), { minLength: 4, maxLength: 4 }),
    )
    .map(([x, y, [a, b, c, d]]): Point[] => [
      [x, y],
      [x + a!, y + b!],
      [x + c!, y + d!],
    ]),
  fc.array(fc.tuple(near, near), { minLength: 3, maxLength: 3 }),
  fc.array(
    fc.tuple(
      fc.integer({ min: -(2 ** 22), max: 2 ** 22 }),
      fc.integer({ min: -(2 ** 22), max: 2 ** 22 }),
    ),
    { minLength: 3, maxLength: 3 },
  ),
);
const slope = fc.integer({ min: -(2 ** 18), max: 2 ** 18 });
const primitives: fc.Arbitrary<Primitive[]> = fc.array(
  fc.record({
    points,
    plane: fc.tuple(fc.integer({ min: 0, max: DEPTH_24_MAX }), slope, slope),
  }),
  { minLength: 1, maxLength: 8 },
);

/** Writes the primitives that setup accepts to records and to the entries of every fine bin. */
function fillRecords(list: readonly Primitive[]): number {
  const { i32, f64, rasterRecordsPtr, fineBinEntriesPtr } = memory;
  const atI32 = rasterRecordsPtr >> 2;
  const atF64 = rasterRecordsPtr >> 3;
  let count = 0;
  // Setup writes record 0, so the first primitive is set up last.
  for (const { points, plane } of [...list].reverse()) {
    if (harness.setUp(points) !== SET_UP) continue;
    const record = count++;
    f64.set(plane, atF64 + DEPTH_C);
    expect([DEPTH_DX, DEPTH_DY]).toEqual([DEPTH_C + 1, DEPTH_C + 2]);
    i32[atI32 + ORIGIN_X] = 30;
    i32[atI32 + ORIGIN_Y] = 40;
    i32[atI32 + PRIMITIVE_RECORD] = record;
    f64.copyWithin(atF64 + (record + 1) * RECORD_F64, atF64, atF64 + RECORD_F64);
    i32[(fineBinEntriesPtr >> 2) + record] = record + 1;
  }
  expect(RECORD_I32).toBe(2 * RECORD_F64);
  return count;
}

function readRing(ring: RecordRing): number[] {
  return [...ring.words.subarray(0, ring.end * ring.stride)];
}

/** Returns the results of both walks, with and without the kernel, and the quads afterwards. */
function walkTwice(list: readonly Primitive[], use: HierarchicalDepthUse, number: number) {
  const spec = SPECS[number % SPECS.length]!;
  const { i32, quadsPtr, quadDepthsPtr, binDepthPtr } = memory;
  const isEarly = use === 'test' || use === 'test-only';
  const kernel = library.traversalKernel({
    depthStage: isEarly ? 'early' : 'late',
    depthCompare: 'less',
    isDepthWritten: use === 'test',
    edgeCount: 3,
    sampleCount: 1,
    depthBounds: [0, 1],
  });
  const clearDepth = 2 ** 23;
  const entryCount = fillRecords(list);
  return [false, true].map((isNaive) => {
    const log = new BinLog();
    const walk = new EntryWalk(memory, spec, log, isNaive);
    const quadsPerRow = WIDTH_PX / 2;
    i32.fill(clearDepth, binDepthPtr >> 2, (binDepthPtr >> 2) + WIDTH_PX * HEIGHT_PX);
    tiles.beginBin(0, 0, quadsPerRow);
    walk.begin(1);
    const quads: number[] = [];
    for (let y = 0; y < HEIGHT_PX; y += BIN_PX) {
      for (let x = 0; x < WIDTH_PX; x += BIN_PX) {
        const width = Math.min(BIN_PX, WIDTH_PX - x);
        const height = Math.min(BIN_PX, HEIGHT_PX - y);
        const rect = { x, y, width, height };
        for (let entry = 0; entry < entryCount; ) {
          const first = tiles.quadCount;
          const next = tiles.traverse(kernel, entry, entryCount, rect);
          const draw = { number: 7, hierarchicalDepth: use, hasDepths: !isEarly };
          walk.walk(draw, entry, next, rect, first, tiles.quadCount);
          const words = QUAD_WORDS * tiles.quadCount;
          quads.push(...i32.subarray(quadsPtr >> 2, (quadsPtr >> 2) + words));
          if (!isEarly)
            quads.push(...i32.subarray(quadDepthsPtr >> 2, (quadDepthsPtr >> 2) + words));
          tiles.clearList();
          entry = next;
        }
      }
    }
    return {
      entries: readRing(log.entries),
      blocks: readRing(log.blocks),
      subTiles: [...walk.subTilesPassed],
      fragments: walk.fragmentsCovered,
      quads,
    };
  });
}

describe('entry walk', () => {
  it.each(USES)(
    'says with its kernel what it says without, where hierarchical depth is %s',
    (use) => {
      fc.assert(
        fc.property(primitives, fc.nat(SPECS.length - 1), (list, number) => {
          const [fast, naive] = walkTwice(list, use, number);
          expect(fast).toEqual(naive);
        }),
        { numRuns: 60, seed: 23 },
      );
    },
  );

  it('refuses quads that are in no block of their entry', () => {
    expect(
      fillRecords([
        {
          points: [
            [0, 0],
            [2560, 0],
            [0, 2560],
          ],
          plane: [0, 0, 0],
        },
      ]),
    ).toBe(1);
    const { i32, quadsPtr } = memory;
    for (const isNaive of [false, true]) {
      const walk = new EntryWalk(memory, SPECS[0]!, new BinLog(), isNaive);
      walk.begin(1);
      i32.set([60, 60, 15, 0], quadsPtr >> 2);
      const draw = { number: 0, hierarchicalDepth: 'keep', hasDepths: false } as const;
      const rect = { ...TARGET, width: BIN_PX, height: BIN_PX };
      expect(() => walk.walk(draw, 0, 1, rect, 0, 1)).toThrow('in no block');
    }
  });
});
