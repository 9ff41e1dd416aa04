import { defaultPipelineState } from '@tessera/frame';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defineChipletSpec } from '../chiplet-spec.ts';
import { VertexStore } from '../geometry/vertex-store.ts';
import { ChipletMemory } from '../memory/chiplet-memory.ts';
import { type AttributeLayout, writeTrianglePlanes } from './attribute-planes.ts';
import { writeTriangleDepth } from './depth-plane.ts';
import { RECORD_I32, SET_UP } from './raster-record.ts';
import { makeSetupState } from './setup-state.ts';
import { TriangleBasis } from './triangle-basis.ts';
import { doubledArea, isFrontFacing, setupTriangle } from './triangle-setup.ts';
import {
  generateTriangleSetupKernel,
  PLANES_ALL,
  type TriangleSetupRun,
  writeDrawSetup,
} from './triangle-setup-kernel.ts';

const memory = new ChipletMemory(
  defineChipletSpec({ maxBinPixels: 2 ** 20, texturePoolBytes: 2 ** 20 }),
);
const vertices = new VertexStore(memory);
const { exports } = new WebAssembly.Instance(
  new WebAssembly.Module(generateTriangleSetupKernel(memory)),
  { env: { memory: memory.memory } },
);
const setUpByKernel = exports.run as TriangleSetupRun;

const OUTPUTS = 3;
/** A varying, one that is not written, a flat one. */
const LAYOUT: AttributeLayout = {
  recordBytes: 64 + 16 * 3,
  vertexWords: Int32Array.of(4, -1, 8),
  isFlat: Uint8Array.of(0, 0, 1),
};
const VERTICES = [2, 5, 3] as const;
const HEIGHT_PX = 300;

/** Doubles of a range, evenly: `fc.double` draws most of its numbers near 0. */
const evenly = (min: number, max: number) =>
  fc.integer({ min: 0, max: 2 ** 30 }).map((step) => min + ((max - min) * step) / 2 ** 30);
const corner = fc.record({
  x: evenly(-2e4, 1.5e5),
  y: evenly(-2e4, 1e5),
  z: evenly(0, 1),
  w: evenly(0.01, 10),
  varying: evenly(-1000, 1000),
});
/** The third corner near the line through the others, as often as not: slivers have another basis. */
const triangle = fc.tuple(corner, corner, corner, fc.option(evenly(-1, 2)));

function words(ptr: number, count: number): number[] {
  return [...memory.i32.slice(ptr >> 2, (ptr >> 2) + count)];
}

it('writes what set-up, basis and planes say, to the bit', () => {
  vertices.outputCount = OUTPUTS;
  let drawn = 0;
  fc.assert(
    fc.property(
      triangle,
      fc.constantFrom('clockwise' as const, 'counter-clockwise' as const),
      fc.constantFrom('none' as const, 'front' as const, 'back' as const),
      fc.boolean(),
      ([a, b, c, along], frontFace, cullMode, isOffset) => {
        const third =
          along === null ? c : { ...c, x: a.x + along * (b.x - a.x), y: a.y + along * (b.y - a.y) };
        for (const [i, { x, y, z, w, varying }] of [a, b, third].entries()) {
          const vertex = VERTICES[i]!;
          vertices.exactX[vertex] = x;
          vertices.exactY[vertex] = y;
          vertices.windowX[vertex] = Math.floor(x + 0.5);
          vertices.windowY[vertex] = Math.floor(y + 0.5);
          vertices.windowZ[vertex] = z;
          vertices.reciprocalW[vertex] = 1 / w;
          memory.f32[vertices.outputIndex(vertex) + 4] = varying;
          memory.i32[vertices.outputIndex(vertex) + 8] = 0x1234567 * (i + 1);
        }
        const state = makeSetupState(
          {
            ...defaultPipelineState(400, HEIGHT_PX),
            frontFace,
            cullMode,
            polygonOffset: { isEnabled: isOffset, factor: 1.5, units: -3 },
          },
          { widthPx: 400, heightPx: HEIGHT_PX },
        );
        const { rasterRecordsPtr, primitiveRecordsPtr } = memory;
        const [v0, v1, v2] = VERTICES;
        memory.u8.fill(0, rasterRecordsPtr, rasterRecordsPtr + 2 * 4 * RECORD_I32);
        memory.u8.fill(0, primitiveRecordsPtr, primitiveRecordsPtr + 2 * LAYOUT.recordBytes);

        const wanted = setupTriangle(memory, vertices, state, 0, v0, v1, v2);
        if (wanted === SET_UP) {
          drawn++;
          const basis = new TriangleBasis();
          basis.set(vertices, v0, v1, v2);
          writeTriangleDepth(memory, vertices, state, 0, basis, v0, v1, v2);
          const area = doubledArea(vertices, v0, v1, v2);
          const isFront = isFrontFacing(area, state.isFrontClockwise);
          const at = primitiveRecordsPtr >> 2;
          const place = [at, 0, basis, v0, v1, v2, v2, isFront, HEIGHT_PX] as const;
          writeTrianglePlanes(memory, vertices, LAYOUT, ...place);
        }

        writeDrawSetup(memory, state, LAYOUT, HEIGHT_PX);
        const to = primitiveRecordsPtr + LAYOUT.recordBytes;
        const got = setUpByKernel(1, v0, v1, v2, PLANES_ALL, to, 16 * OUTPUTS);
        expect(got).toBe(wanted);
        if (got !== SET_UP) return;
        const recordBytes = 4 * RECORD_I32;
        expect(words(rasterRecordsPtr + recordBytes, RECORD_I32)).toEqual(
          words(rasterRecordsPtr, RECORD_I32),
        );
        const count = LAYOUT.recordBytes >> 2;
        expect(words(to, count)).toEqual(words(primitiveRecordsPtr, count));
      },
    ),
    { numRuns: 500 },
  );
  expect(drawn).toBeGreaterThan(50);
});
