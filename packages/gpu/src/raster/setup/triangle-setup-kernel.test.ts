import { defineChipletSpec } from '@tessera/chiplet-spec';
import { defaultPipelineState, SAMPLE_COUNTS } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  NOT_FINITE,
  OUTSIDE_LEFT,
  OUTSIDE_NEAR,
  OUTSIDE_TOP,
} from '../../geometry/vertices/clip-codes.ts';
import { VertexStore } from '../../geometry/vertices/vertex-store.ts';
import { ChipletMemory } from '../../memory/chiplet-memory.ts';
import {
  BOX_X0,
  FACE_CULLED,
  OUTSIDE,
  PRIMITIVE_RECORD,
  RECORD_I32,
  SET_UP,
  SOURCE_PRIMITIVE,
} from '../../records/raster-record.ts';
import {
  type AttributeLayout,
  FROM_FIRST,
  FROM_LAST,
  writeTrianglePlanes,
} from '../planes/attribute-planes.ts';
import { writeTriangleDepth } from '../planes/depth-plane.ts';
import { TriangleBasis } from '../planes/triangle-basis.ts';
import { makeSetupState } from '../setup-state.ts';
import { doubledArea, isFrontFacing, setupTriangle } from './triangle-setup.ts';
import {
  generateTriangleSetupKernel,
  PLANES_ALL,
  PLANES_NONE,
  type TriangleSetupRun,
  writeDrawSetup,
} from './triangle-setup-kernel.ts';

const memory = new ChipletMemory(
  defineChipletSpec({ maxBinPixels: 2 ** 20, texturePoolBytes: 2 ** 20 }),
);
const vertices = new VertexStore(memory);
const kernels = new Map(
  SAMPLE_COUNTS.map((sampleCount) => {
    const module = new WebAssembly.Module(generateTriangleSetupKernel(memory, sampleCount));
    const { exports } = new WebAssembly.Instance(module, { env: { memory: memory.memory } });
    return [sampleCount, exports.run as TriangleSetupRun];
  }),
);

const OUTPUTS = 3;
/**
 * Layout with a varying, an input that is not written, a flat one, two varyings set up together,
 * and a leftover one.
 */
const LAYOUT: AttributeLayout = {
  recordBytes: 64 + 16 * 6,
  provoking: 'last',
  vertexWords: Int32Array.of(4, -1, 8, 4, 0, 4),
  isFlat: Uint8Array.of(0, 0, FROM_LAST, 0, 0, 0),
};
const LAYOUT_BY_FIRST: AttributeLayout = {
  ...LAYOUT,
  provoking: 'first',
  isFlat: Uint8Array.of(0, 0, FROM_FIRST, 0, 0, 0),
};
const VERTICES = [2, 5, 3] as const;
const HEIGHT_PX = 300;

/** Evenly distributed doubles of a range. `fc.double` prefers numbers near 0. */
const evenly = (min: number, max: number) =>
  fc.integer({ min: 0, max: 2 ** 30 }).map((step) => min + ((max - min) * step) / 2 ** 30);
const corner = fc.record({
  x: evenly(-2e4, 1.5e5),
  y: evenly(-2e4, 1e5),
  z: evenly(0, 1),
  w: evenly(0.01, 10),
  varying: evenly(-1000, 1000),
});
/**
 * Triangles whose third corner is often near the line through the others: slivers have another
 * basis.
 */
const triangle = fc.tuple(corner, corner, corner, fc.option(evenly(-1, 2)));

/** Index of the triangle that is set up. */
const PRIMITIVE = 7;
const SOURCE = 70;
const SLOT = 3;
const NUMBER = 5;

function putCorners(primitive: number, numbers: readonly number[]): void {
  memory.i32.set(numbers, (memory.cornersPtr >> 2) + 3 * primitive);
}

function setUp({
  first = PRIMITIVE,
  end = PRIMITIVE + 1,
  record = 0,
  limit = 9,
  planes = 0,
  to = 0,
  sampleCount = 1,
}) {
  const { recordBytes } = LAYOUT;
  const groupBytes = 16 * OUTPUTS;
  return kernels.get(sampleCount)!(
    ...([first, end, record, limit, SOURCE, SLOT] as const),
    ...([planes, to, recordBytes, NUMBER, groupBytes] as const),
  );
}

function words(ptr: number, count: number): number[] {
  return [...memory.i32.slice(ptr >> 2, (ptr >> 2) + count)];
}

it('writes what setup, basis and planes say, to the bit', () => {
  vertices.outputCount = OUTPUTS;
  let drawn = 0;
  fc.assert(
    fc.property(
      triangle,
      fc.constantFrom('clockwise' as const, 'counter-clockwise' as const),
      fc.constantFrom('none' as const, 'front' as const, 'back' as const),
      fc.boolean(),
      fc.constantFrom(0, 2 ** -10, -(2 ** -10)),
      fc.constantFrom('last' as const, 'first' as const),
      fc.constantFrom(...SAMPLE_COUNTS),
      (corners, frontFace, cullMode, isOffset, polygonOffsetClamp, provoking, sampleCount) => {
        const [a, b, c, along] = corners;
        const layout = provoking === 'first' ? LAYOUT_BY_FIRST : LAYOUT;
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
          vertices.code[vertex] = 0;
          memory.f32[vertices.outputIndex(vertex)] = 3 - varying;
          memory.f32[vertices.outputIndex(vertex) + 4] = varying;
          memory.i32[vertices.outputIndex(vertex) + 8] = 0x1234567 * (i + 1);
        }
        const state = makeSetupState(
          {
            ...defaultPipelineState(400, HEIGHT_PX),
            frontFace,
            cullMode,
            polygonOffset: { isEnabled: isOffset, factor: 1.5, units: -3 },
            polygonOffsetClamp,
          },
          { widthPx: 400, heightPx: HEIGHT_PX },
          sampleCount,
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
          const from = layout.provoking === 'first' ? v0 : v2;
          const place = [at, 0, basis, v0, v1, v2, from, isFront, HEIGHT_PX] as const;
          writeTrianglePlanes(memory, vertices, layout, ...place);
        }

        writeDrawSetup(memory, state, layout, HEIGHT_PX);
        const to = primitiveRecordsPtr + LAYOUT.recordBytes;
        putCorners(PRIMITIVE, VERTICES);
        expect(setUp({ record: 1, planes: PLANES_ALL, to, sampleCount })).toBe(PRIMITIVE + 1);
        expect(memory.u8[memory.outcomesPtr + PRIMITIVE]).toBe(wanted);
        if (wanted !== SET_UP) return;
        const recordBytes = 4 * RECORD_I32;
        memory.i32.set([SOURCE, SLOT, NUMBER], (rasterRecordsPtr >> 2) + SOURCE_PRIMITIVE);
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

describe('the triangles of a segment', () => {
  /**
   * Places a corner of triangles in a row. Each pixel square (4 k, 0) contains one of its halves.
   */
  const place = (vertex: number, x: number, y: number, code = 0) => {
    vertices.windowX[vertex] = 256 * x;
    vertices.windowY[vertex] = 256 * y;
    vertices.code[vertex] = code;
  };
  const putTriangle = (k: number, codes: readonly [number, number, number], isTurned = false) => {
    place(3 * k, 4 * k, 0, codes[0]);
    place(3 * k + 1, 4 * k + 4, 0, codes[1]);
    place(3 * k + 2, 4 * k, 4, codes[2]);
    putCorners(k, isTurned ? [3 * k, 3 * k + 2, 3 * k + 1] : [3 * k, 3 * k + 1, 3 * k + 2]);
  };
  const outcomes = (count: number) => [
    ...memory.u8.slice(memory.outcomesPtr, memory.outcomesPtr + count),
  ];
  const field = (record: number, word: number) =>
    memory.i32[(memory.rasterRecordsPtr >> 2) + record * RECORD_I32 + word];
  const state = makeSetupState(
    { ...defaultPipelineState(400, HEIGHT_PX), frontFace: 'clockwise', cullMode: 'back' },
    { widthPx: 400, heightPx: HEIGHT_PX },
  );

  it('make a record each where they are set up, in order', () => {
    writeDrawSetup(memory, state, LAYOUT, HEIGHT_PX);
    putTriangle(0, [OUTSIDE_LEFT, OUTSIDE_LEFT, OUTSIDE_LEFT | OUTSIDE_TOP]);
    putTriangle(1, [OUTSIDE_LEFT, 0, OUTSIDE_TOP]);
    putTriangle(2, [0, 0, 0], true);
    putTriangle(3, [0, 0, NOT_FINITE]);
    putTriangle(4, [0, 0, 0]);
    expect(setUp({ first: 0, end: 5, record: 2 })).toBe(5);
    expect(outcomes(5)).toEqual([OUTSIDE, SET_UP, FACE_CULLED, OUTSIDE, SET_UP]);
    expect([2, 3].map((record) => field(record, BOX_X0))).toEqual([4, 16]);
    expect([2, 3].map((record) => field(record, SOURCE_PRIMITIVE))).toEqual([
      SOURCE + 1,
      SOURCE + 4,
    ]);
  });

  it('number the primitive records that they make', () => {
    writeDrawSetup(memory, state, LAYOUT, HEIGHT_PX);
    for (const k of [0, 1, 2]) putTriangle(k, [0, 0, 0], k === 1);
    setUp({ first: 0, end: 3, planes: PLANES_ALL, to: memory.primitiveRecordsPtr });
    expect([0, 1].map((record) => field(record, PRIMITIVE_RECORD))).toEqual([NUMBER, NUMBER + 1]);
  });

  it('end before one that is clipped, and where records do', () => {
    writeDrawSetup(memory, state, LAYOUT, HEIGHT_PX);
    putTriangle(0, [0, 0, 0]);
    putTriangle(1, [0, 0, 0]);
    putTriangle(2, [OUTSIDE_NEAR, 0, 0]);
    expect(setUp({ first: 0, end: 3, planes: PLANES_NONE })).toBe(2);
    expect(setUp({ first: 0, end: 3, limit: 1 })).toBe(1);
  });
});
