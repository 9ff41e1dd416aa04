import { defineChipletSpec } from '@tessera/chiplet-spec';
import { CLIP_DEPTHS, CLIP_ORIGINS, defaultPipelineState, POSITION_SLOT } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChipletMemory } from '../../memory/chiplet-memory.ts';
import {
  MIN_CLIP_W,
  NEEDS_CLIPPING,
  NOT_FINITE,
  OUTSIDE_BOTTOM,
  OUTSIDE_FAR,
  OUTSIDE_GUARD_BOTTOM,
  OUTSIDE_GUARD_LEFT,
  OUTSIDE_GUARD_RIGHT,
  OUTSIDE_GUARD_TOP,
  OUTSIDE_LEFT,
  OUTSIDE_NEAR,
  OUTSIDE_RIGHT,
  OUTSIDE_TOP,
  OUTSIDE_W,
} from './clip-codes.ts';
import { VertexStore } from './vertex-store.ts';
import { makeViewportTransform, type ViewportTransform } from './viewport-transform.ts';

const memory = new ChipletMemory(
  defineChipletSpec({ maxBinPixels: 2 ** 20, texturePoolBytes: 2 ** 20 }),
);
const store = new VertexStore(memory);
const reference = new VertexStore(memory);
/** Positions in another order than their slots, after an unrelated output. */
const OUTPUT_SLOTS = [
  POSITION_SLOT + 5,
  POSITION_SLOT + 1,
  POSITION_SLOT,
  POSITION_SLOT + 3,
  POSITION_SLOT + 2,
];
const WORD_OF = { x: 2, y: 1, z: 4, w: 3 } as const;

type Position = readonly [number, number, number, number];

/** Returns the clip code of a position, straight from the definition. */
function codeOf([x, y, z, w]: Position, { guardX, guardY, nearW }: ViewportTransform): number {
  if (![x, y, z, w].every(Number.isFinite)) return NOT_FINITE;
  let code = 0;
  if (x < -w) code |= OUTSIDE_LEFT | (x < -guardX * w ? OUTSIDE_GUARD_LEFT : 0);
  if (x > w) code |= OUTSIDE_RIGHT | (x > guardX * w ? OUTSIDE_GUARD_RIGHT : 0);
  if (y < -w) code |= OUTSIDE_BOTTOM | (y < -guardY * w ? OUTSIDE_GUARD_BOTTOM : 0);
  if (y > w) code |= OUTSIDE_TOP | (y > guardY * w ? OUTSIDE_GUARD_TOP : 0);
  if (z < (nearW === 1 ? -w : 0)) code |= OUTSIDE_NEAR;
  if (z > w) code |= OUTSIDE_FAR;
  if (w < MIN_CLIP_W) code |= OUTSIDE_W;
  return code;
}

const near = (edge: number) => [
  Math.fround(edge),
  Math.fround(edge * 1.000001),
  Math.fround(edge * 0.999999),
];
const coordinate = fc.oneof(
  fc.float({ min: -2, max: 2, noNaN: true }),
  fc.float(),
  fc.constantFrom(0, -0, 1, -1, 2 ** -40, 2 ** -41, ...near(40.96), ...near(-54.61)),
);

describe('the transform of vertices', () => {
  it('gives codes and window positions that are equal to the bit to those of one vertex', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(coordinate, coordinate, coordinate, coordinate), {
          minLength: 1,
          maxLength: 9,
        }),
        fc.integer({ min: 1, max: 5000 }),
        fc.integer({ min: 1, max: 5000 }),
        fc.constantFrom(...CLIP_ORIGINS),
        fc.constantFrom(...CLIP_DEPTHS),
        (positions, width, height, clipOrigin, clipDepth) => {
          const viewport = makeViewportTransform({
            ...defaultPipelineState(width, height),
            depthRange: [0.25, 0.9],
            clipOrigin,
            clipDepth,
          });
          store.setProgram({ outputSlots: OUTPUT_SLOTS } as never);
          for (const [vertex, [x, y, z, w]] of positions.entries()) {
            const at = store.outputIndex(vertex);
            memory.f32[at + 4 * WORD_OF.x] = x;
            memory.f32[at + 4 * WORD_OF.y] = y;
            memory.f32[at + 4 * WORD_OF.z] = z;
            memory.f32[at + 4 * WORD_OF.w] = w;
          }
          store.transform(positions.length, viewport);
          const names = [
            ...(['windowX', 'windowY', 'exactX', 'exactY'] as const),
            ...(['windowZ', 'reciprocalW'] as const),
          ];
          for (const [vertex, position] of positions.entries()) {
            const code = codeOf(position, viewport);
            expect(store.code[vertex]).toBe(code);
            if ((code & (NEEDS_CLIPPING | NOT_FINITE)) !== 0) continue;
            const got = names.map((name) => store[name][vertex]!);
            reference.placeClipped(vertex, ...position, viewport);
            expect(got).toEqual(names.map((name) => reference[name][vertex]!));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('draws nothing of a program that never writes a position', () => {
    store.setProgram({ outputSlots: [POSITION_SLOT, POSITION_SLOT + 1] } as never);
    store.transform(3, makeViewportTransform(defaultPipelineState(4, 4)));
    expect([...store.code.subarray(0, 3)]).toEqual([NOT_FINITE, NOT_FINITE, NOT_FINITE]);
  });
});
