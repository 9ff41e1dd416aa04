import { defineChipletSpec } from '@tessera/chiplet-spec';
import { defaultPipelineState, SAMPLE_COUNTS } from '@tessera/frame';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { VertexStore } from '../../geometry/vertices/vertex-store.ts';
import { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { SET_UP } from '../../records/raster-record.ts';
import { setupTriangle } from '../setup/triangle-setup.ts';
import { makeSetupState } from '../setup-state.ts';
import { mayCoverRect } from './rect-coverage.ts';
import { TriangleCoverage } from './triangle-coverage.ts';

const SIZE = { widthPx: 4096, heightPx: 4096 };
const memory = new ChipletMemory(
  defineChipletSpec({ batchPrimitives: 64, maxBinPixels: 2 ** 16, texturePoolBytes: 2 ** 20 }),
);
const vertices = new VertexStore(memory);
const coverage = new TriangleCoverage(memory);
const states = new Map(
  SAMPLE_COUNTS.map((sampleCount) => [
    sampleCount,
    makeSetupState(defaultPipelineState(SIZE.widthPx, SIZE.heightPx), SIZE, sampleCount),
  ]),
);

const evenly = (min: number, max: number) =>
  fc
    .integer({ min: 0, max: 2 ** 20 })
    .map((step) => Math.floor(min + ((max - min) * step) / 2 ** 20));
const cornersWithin = (min: number, max: number) =>
  fc.array(fc.tuple(evenly(min, max), evenly(min, max)), { minLength: 3, maxLength: 3 });
/**
 * Corners in 1/256 pixel: triangles of a few pixels, of many, and as large as the guard band
 * permits.
 */
const corners = fc.oneof(
  cornersWithin(100 * 256, 109 * 256),
  cornersWithin(0, 300 * 256),
  cornersWithin(-(2 ** 22), 2 ** 22),
);
const rectangle = fc.record({
  left: evenly(0, 200),
  top: evenly(0, 200),
  width: fc.oneof(evenly(1, 9), evenly(1, 200)),
  height: fc.oneof(evenly(1, 9), evenly(1, 200)),
});

const many = fc.array(corners, { minLength: 1, maxLength: 5 });

it('says what the test of all records says', () => {
  const answers = new Set<boolean>();
  fc.assert(
    fc.property(
      many,
      rectangle,
      fc.constantFrom(...SAMPLE_COUNTS),
      (triangles, rect, sampleCount) => {
        const state = states.get(sampleCount)!;
        coverage.begin(sampleCount);
        let records = 0;
        for (const triangle of triangles) {
          for (const [i, [x, y]] of triangle.entries()) {
            vertices.windowX[i] = x;
            vertices.windowY[i] = y;
          }
          if (setupTriangle(memory, vertices, state, records, 0, 1, 2) === SET_UP) records++;
        }
        const { left, top, width, height } = rect;
        const bounds = [left, top, left + width - 1, top + height - 1] as const;
        for (let record = 0; record < records; record++) {
          const wanted = mayCoverRect(memory, record, ...bounds, sampleCount);
          answers.add(wanted);
          expect(coverage.mayCoverRect(record, ...bounds)).toBe(wanted);
        }
        coverage.testBoxes(0, records);
        for (let record = 0; record < records; record++) {
          const whole = [0, 0, SIZE.widthPx - 1, SIZE.heightPx - 1] as const;
          const wanted = mayCoverRect(memory, record, ...whole, sampleCount);
          expect(coverage.covers[record] === 1).toBe(wanted);
        }
      },
    ),
    { numRuns: 2000 },
  );
  expect(answers.size).toBe(2);
});
