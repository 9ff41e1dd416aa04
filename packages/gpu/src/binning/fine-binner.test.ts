import { defineChipletSpec } from '@tessera/chiplet-spec';
import { defaultPipelineState } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VertexStore } from '../geometry/vertices/vertex-store.ts';
import { ChipletMemory } from '../memory/chiplet-memory.ts';
import { TriangleCoverage } from '../raster/coverage/triangle-coverage.ts';
import { setupTriangle } from '../raster/setup/triangle-setup.ts';
import { makeSetupState } from '../raster/setup-state.ts';
import {
  BOX_X0,
  BOX_X1,
  BOX_Y0,
  BOX_Y1,
  EDGE_A,
  EDGE_B,
  EDGE_C,
  EDGE_COUNT,
  RECORD_F64,
  RECORD_I32,
  SET_UP,
} from '../records/raster-record.ts';
import { FineBinner } from './fine-binner.ts';

const FINE_BIN_PX = 16;
const memory = new ChipletMemory(
  defineChipletSpec({ batchPrimitives: 64, texturePoolBytes: 2 ** 20, maxBinPixels: 2 ** 16 }),
);

/**
 * Writes a record of a box, with an optional diagonal edge through pixel (x, y) that excludes
 * everything above it.
 */
function putRecord(record: number, box: readonly number[], hasDiagonal = false): void {
  const at = (memory.rasterRecordsPtr >> 2) + record * RECORD_I32;
  const [x0, y0, x1, y1] = box;
  memory.i32[at + BOX_X0] = x0!;
  memory.i32[at + BOX_Y0] = y0!;
  memory.i32[at + BOX_X1] = x1!;
  memory.i32[at + BOX_Y1] = y1!;
  memory.i32[at + EDGE_COUNT] = hasDiagonal ? 1 : 0;
  memory.i32[at + EDGE_A] = -1;
  memory.i32[at + EDGE_B] = 1;
  memory.f64[(memory.rasterRecordsPtr >> 3) + record * RECORD_F64 + EDGE_C] = x0! - y0!;
}

function makeBinner(rect: { x: number; y: number; width: number; height: number }): FineBinner {
  const binner = new FineBinner(memory, new TriangleCoverage(memory), FINE_BIN_PX);
  binner.beginBin(rect);
  return binner;
}

describe('fine binner', () => {
  it('puts a primitive into its top left fine bin first, then into the next in raster order', () => {
    const binner = makeBinner({ x: 32, y: 16, width: 64, height: 48 });
    putRecord(0, [50, 20, 90, 60]);
    const taken: number[] = [];
    expect(binner.add(0, false, taken)).toBe(9);
    expect(taken).toEqual([1, 2, 3, 5, 6, 7, 9, 10, 11]);
  });

  it('passes over fine bins that the edges leave out, in the same order', () => {
    const binner = makeBinner({ x: 0, y: 0, width: 64, height: 64 });
    putRecord(0, [0, 0, 63, 63], true);
    const taken: number[] = [];
    binner.add(0, false, taken);
    expect(taken).toEqual([0, 4, 5, 8, 9, 10, 12, 13, 14, 15]);
  });

  it('keeps raster order of bins per primitive and order of primitives per bin, whatever the boxes', () => {
    // Boxes end at the target's edge, which is also that of the bin.
    const x = fc.integer({ min: -30, max: 90 });
    const y = fc.integer({ min: -30, max: 81 });
    const boxes = fc.array(fc.tuple(x, y, x, y), {
      minLength: 1,
      maxLength: 40,
    });
    const rect = { x: 16, y: 32, width: 75, height: 50 };
    fc.assert(
      fc.property(boxes, (list) => {
        const binner = makeBinner(rect);
        const expected: number[][] = Array.from({ length: binner.binCount }, () => []);
        for (const [record, [xa, ya, xb, yb]] of list.entries()) {
          putRecord(record, [
            Math.min(xa, xb),
            Math.min(ya, yb),
            Math.max(xa, xb),
            Math.max(ya, yb),
          ]);
          const taken: number[] = [];
          expect(binner.add(record, false, taken)).toBe(taken.length);
          expect(taken).toEqual([...taken].sort((a, b) => a - b));
          for (const bin of taken) expected[bin]!.push(record);
          // No bin is omitted, because a box has a sample in each fine bin with which it shares a
          // pixel.
          for (let bin = 0; bin < binner.binCount; bin++) {
            const { x, y, width, height } = binner.fineBinRect(bin);
            const isTouched =
              Math.min(xa, xb) < x + width &&
              Math.max(xa, xb) >= x &&
              Math.min(ya, yb) < y + height &&
              Math.max(ya, yb) >= y;
            expect(taken.includes(bin)).toBe(isTouched);
          }
        }
        for (let bin = 0; bin < binner.binCount; bin++) {
          const count = binner.listEntries(bin);
          const from = memory.fineBinEntriesPtr >> 2;
          expect([...memory.i32.subarray(from, from + count)]).toEqual(expected[bin]);
        }
      }),
    );
  });

  it('takes triangles at once as it does one by one', () => {
    const target = { widthPx: 128, heightPx: 128 };
    const state = makeSetupState(defaultPipelineState(128, 128), target);
    const vertices = new VertexStore(memory);
    const corner = fc.tuple(fc.integer({ min: -9, max: 137 }), fc.integer({ min: -9, max: 137 }));
    const triangle = fc.tuple(corner, corner, corner);
    const lists = (binner: FineBinner) =>
      Array.from({ length: binner.binCount }, (_, bin) => {
        const count = binner.listEntries(bin);
        const from = memory.fineBinEntriesPtr >> 2;
        return [...memory.i32.subarray(from, from + count)];
      });
    fc.assert(
      fc.property(fc.array(triangle, { maxLength: 20 }), (triangles) => {
        let records = 0;
        for (const corners of triangles) {
          for (const [i, [x, y]] of corners.entries()) {
            vertices.windowX[i] = 256 * x;
            vertices.windowY[i] = 256 * y;
          }
          if (setupTriangle(memory, vertices, state, records, 0, 1, 2) === SET_UP) records++;
        }
        // Records are those of primitives that share a pixel with the rectangle.
        const rect = { x: 0, y: 0, width: 128, height: 128 };
        const together = makeBinner(rect);
        const singly = makeBinner(rect);
        let entries = 0;
        for (let record = 0; record < records; record++) entries += singly.add(record, false);
        expect(together.addTriangles(0, records)).toBe(entries);
        expect(lists(together)).toEqual(lists(singly));
      }),
    );
  });
});
