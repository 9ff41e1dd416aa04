import { defineChipletSpec } from '@tessera/chiplet-spec';
import { encodeVisibilityBin } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SimulatedChiplet } from '../chiplet/simulated-chiplet.ts';
import {
  makeFrame,
  rectangle,
  renderFrameOnChiplet,
  vertexAt,
} from '../testing/chiplet-harness.ts';

const TARGET = { widthPx: 200, heightPx: 130 };
const GRID = { ...TARGET, columns: 4, rows: 3, fineBinPx: 32 };
const chiplet = new SimulatedChiplet(
  defineChipletSpec({ maxBinPixels: 2 ** 18, texturePoolBytes: 2 ** 20 }),
);

/** Sizes: huge, tiny, clipped, degenerate, on samples, on edges of bins, behind the eye. */
const scale = fc.constantFrom(0.004, 0.05, 0.5, 3, 1000);
const onGrid = (sizePx: number) =>
  fc.integer({ min: -4, max: 2 * sizePx + 4 }).map((half) => half / sizePx - 1);
const number = fc.double({ min: -1, max: 1, noNaN: true });
const color = [1, 1, 1, 1];
const randomTriangle = fc
  .tuple(number, number, scale, fc.array(number, { minLength: 12, maxLength: 12 }))
  .map(([x, y, size, v]) =>
    [0, 1, 2].flatMap((k) => {
      const w = v[4 * k + 3]! > 0.6 ? v[4 * k + 3]! * 3 - 2.4 : 1;
      return [x + size * v[4 * k]!, y + size * v[4 * k + 1]!, v[4 * k + 2]! * 1.1, w, ...color];
    }),
  );
const gridTriangle = fc
  .array(fc.tuple(onGrid(TARGET.widthPx), onGrid(TARGET.heightPx)), { minLength: 3, maxLength: 3 })
  .map((points) => points.flatMap(([x, y]) => [x, y, 0, 1, ...color]));

describe('visibility mode', () => {
  it('lists every primitive that covers a sample of a bin', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(randomTriangle, gridTriangle), { minLength: 1, maxLength: 12 }),
        fc.constantFrom('triangles', 'lines', 'triangle-fan'),
        (triangles, topology) => {
          const frame = makeFrame([{ topology, vertices: triangles.flat() }], GRID);
          const resident = chiplet.admitFrame(frame);
          const { stream } = chiplet.computeVisibility(resident, 0);
          const all = Uint32Array.from({ length: resident.primitiveCounts(0)[0]! }, (_, id) => id);
          const everything = encodeVisibilityBin([{ drawIndex: 0, primitiveIds: all }], 1);
          for (const [bin, listed] of stream.bins.entries()) {
            const fromList = chiplet.renderBin(resident, 0, bin, listed);
            const fromAll = chiplet.renderBin(resident, 0, bin, everything);
            expect(Buffer.compare(fromList.colors[0]!, fromAll.colors[0]!)).toBe(0);
            for (const name of ['raster.primitivesCovered', 'raster.fragmentsCovered'] as const) {
              expect(fromList.counters[name]).toBe(fromAll.counters[name]);
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('lists small triangles only where they cover a sample', () => {
    fc.assert(
      fc.property(fc.array(gridTriangle, { minLength: 1, maxLength: 8 }), (triangles) => {
        const small = triangles.map((vertices) =>
          vertices.map((value, i) =>
            i % 8 < 2 ? vertices[i % 8]! + (value - vertices[i % 8]!) / 40 : value,
          ),
        );
        const { counters, visibility } = renderFrameOnChiplet(
          makeFrame([{ vertices: small.flat() }], GRID),
          chiplet,
        );
        expect(visibility.summary.counters['visibility.primitivesListed']).toBe(
          counters['raster.primitivesCovered'],
        );
      }),
      { numRuns: 60 },
    );
  });

  it('counts each primitive as listed or by the reason it was culled', () => {
    const at = (x: number, y: number): number[] => vertexAt(TARGET, x, y, 0);
    const triangles = [
      [at(10, 10), at(10, 20), at(20, 10)],
      [at(10, 10), at(20, 10), at(10, 20)],
      [at(10, 10), at(20, 20), at(30, 30)],
      [at(10.6, 10.6), at(10.6, 11.4), at(11.4, 10.6)],
      [at(-10, 10), at(-10, 20), at(-20, 10)],
    ];
    const frame = makeFrame([{ vertices: triangles.flat(2), state: { cullMode: 'back' } }], GRID);
    const { visibility } = renderFrameOnChiplet(frame, chiplet);
    expect(visibility.summary.counters).toMatchObject({
      'visibility.verticesShaded': 15,
      'visibility.primitivesIn': 5,
      'visibility.primitivesListed': 1,
      'visibility.primitivesFaceCulled': 1,
      'visibility.primitivesZeroArea': 1,
      'visibility.primitivesNoSample': 1,
      'visibility.primitivesOutsideView': 1,
    });
  });

  it('runs fewer instructions with the minimal shader than with the full one, for the same stream', () => {
    const draws = [{ vertices: rectangle(TARGET, 5, 5, 150, 100, 0) }];
    const [minimal, full] = (['minimal', 'full'] as const).map(
      (visibilityShader) =>
        renderFrameOnChiplet(makeFrame(draws, { ...GRID, visibilityShader }), chiplet).visibility,
    );
    expect(minimal!.stream).toEqual(full!.stream);
    const instructions = 'visibility.instructionsExecuted';
    expect(minimal!.summary.counters[instructions]).toBeLessThan(
      full!.summary.counters[instructions]!,
    );
  });

  it('estimates the work of each bin', () => {
    const draws = [{ vertices: rectangle(TARGET, 0, 0, 32, 32, 0) }];
    const { summary, stream } = renderFrameOnChiplet(makeFrame(draws, GRID), chiplet).visibility;
    const [first, ...others] = summary.bins;
    expect(first).toMatchObject({
      binId: 0,
      primitives: 2,
      streamBytes: stream.bins[0]!.length,
      estimatedFragments: 1024,
      estimatedFragmentInstructions: 1024 * 8,
      estimatedVertexInstructions: 6 * 16,
    });
    expect(others.every((bin) => bin.primitives === 0 && bin.estimatedFragments === 0)).toBe(true);
  });
});
