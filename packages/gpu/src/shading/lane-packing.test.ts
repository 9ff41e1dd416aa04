import { defineChipletSpec } from '@tessera/chiplet-spec';
import { defaultPipelineState, type IsaProgram } from '@tessera/frame';
import { generateKernel, instantiateKernel, primitiveStrideBytes } from '@tessera/shader/codegen';
import { assemble } from '@tessera/shader/isa';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantiateKernel as instantiate } from '../kernel/instantiate-kernel.ts';
import { ChipletMemory } from '../memory/chiplet-memory.ts';
import { generateMergeKernel, type MergeRun } from '../output/merge/merge-kernel.ts';
import { makeMergeKey } from '../output/merge/merge-key.ts';
import { LanePacking, packedOutputsOf } from './lane-packing.ts';

const memory = new ChipletMemory(
  defineChipletSpec({
    name: 'test',
    texturePoolBytes: 2 ** 20,
    maxBinPixels: 4096,
    quadListQuads: 2048,
  }),
);
const packing = new LanePacking(memory);
const BIN_X = 128;
const BIN_Y = 64;
const QUADS_PER_ROW = 8;
const PRIMITIVES = 6;

/** Quad by its column and row in the bin. */
interface Quad {
  readonly column: number;
  readonly row: number;
  readonly mask: number;
  readonly primitive: number;
}

function listQuads(quads: readonly Quad[]): void {
  for (const [index, { column, row, mask, primitive }] of quads.entries()) {
    memory.i32.set(
      [BIN_X + 2 * column, BIN_Y + 2 * row, mask, primitive],
      memory.quadsPtr / 4 + 4 * index,
    );
  }
}

/** Returns the positions of the groups, and their primitives. */
function packedGroups(groupCount: number) {
  return Array.from({ length: groupCount }, (_, group) => {
    const at = memory.packedPositionsPtr / 4 + 4 * group;
    const positions = [...memory.i32.subarray(at, at + 4)];
    return {
      pixels: positions.map((word) => [word & 0xffff, word >>> 16]),
      primitive: memory.i32[memory.packedPrimitivesPtr / 4 + 4 * group],
    };
  });
}

describe('LanePacking', () => {
  it('puts fragments of one primitive together and starts a group for the next one', () => {
    listQuads([
      { column: 0, row: 0, mask: 0b1010, primitive: 3 },
      { column: 1, row: 0, mask: 0b0111, primitive: 3 },
      { column: 1, row: 1, mask: 0b0001, primitive: 4 },
    ]);
    const [whole, rest, other] = packedGroups(packing.pack(3));
    expect(whole).toEqual({
      pixels: [
        [BIN_X + 1, BIN_Y],
        [BIN_X + 1, BIN_Y + 1],
        [BIN_X + 2, BIN_Y],
        [BIN_X + 3, BIN_Y],
      ],
      primitive: 3,
    });
    expect(rest?.primitive).toBe(3);
    expect(rest?.pixels[0]).toEqual([BIN_X + 2, BIN_Y + 1]);
    expect(other?.primitive).toBe(4);
    expect(other?.pixels[0]).toEqual([BIN_X + 2, BIN_Y + 2]);
  });

  it('has no groups for no quads', () => {
    expect(packing.pack(0)).toBe(0);
  });
});

const PROGRAM = assemble(
  [
    '.stage fragment',
    'input r0, 0, smooth',
    'input r1, 1, flat',
    'builtin r2, fragCoord.x',
    'builtin r3, fragCoord.y',
    'fmul r2, r2, 0x3c800000',
    'fmul r3, r3, 0x3c800000',
    'fmul r0, r0, r3',
    'outf 0, r0',
    'outf 1, r1',
    'outf 2, r2',
    'outf 3, r3',
  ].join('\n'),
);
const BLENDED = {
  ...defaultPipelineState(64, 64),
  blend: {
    isEnabled: true,
    color: { equation: 'add', source: 'src-alpha', destination: 'one-minus-src-alpha' },
    alpha: { equation: 'add', source: 'one', destination: 'one' },
    constant: [0, 0, 0, 0],
  },
} as const;

/**
 * Shades and merges the listed quads.
 *
 * @returns Content of the color target.
 */
function draw(program: IsaProgram, quadCount: number, isPacked: boolean): Uint8Array {
  const { packedPositionsPtr, packedPrimitivesPtr, outputPlaneBytes, fragmentOutputPtr } = memory;
  const kernel = instantiateKernel(
    generateKernel(program, {
      textures: null,
      instructionBudget: 1000,
      ...(isPacked
        ? {
            packed: { primitiveOffset: packedPrimitivesPtr - packedPositionsPtr, outputPlaneBytes },
          }
        : {}),
    }),
    memory.memory,
  );
  const { primitiveRecordsPtr, constantsPtr, textureTablesPtr, scratchPtr } = memory;
  memory.f32.fill(Number.NaN, fragmentOutputPtr / 4, fragmentOutputPtr / 4 + outputPlaneBytes);
  kernel(
    isPacked ? packedPositionsPtr : memory.quadsPtr,
    isPacked ? packing.pack(quadCount) : quadCount,
    ...[primitiveRecordsPtr, fragmentOutputPtr, constantsPtr, textureTablesPtr, scratchPtr],
  );
  const key = makeMergeKey(BLENDED, program.outputSlots, true);
  const merge = instantiate<MergeRun>(
    generateMergeKernel(key, isPacked ? packedOutputsOf(memory) : null),
    memory.memory,
  );
  const { binColorPtr, binDepthPtr, binStencilPtr, countsPtr, quadDepthsPtr } = memory;
  const end = binColorPtr + 16 * QUADS_PER_ROW * QUADS_PER_ROW;
  memory.u8.fill(77, binColorPtr, end);
  merge(
    ...([memory.quadsPtr, quadCount, fragmentOutputPtr, 4, quadDepthsPtr, binColorPtr] as const),
    ...([binDepthPtr, binStencilPtr, BIN_X, BIN_Y, QUADS_PER_ROW, countsPtr] as const),
    ...([primitiveRecordsPtr, primitiveStrideBytes(program)] as const),
  );
  return memory.u8.slice(binColorPtr, end);
}

describe('packed fragments', () => {
  const place = fc.integer({ min: 0, max: QUADS_PER_ROW - 1 });
  const quad = fc.record({
    column: place,
    row: place,
    mask: fc.integer({ min: 1, max: 15 }),
    primitive: fc.integer({ min: 0, max: PRIMITIVES - 1 }),
  });

  it('reach the target as quads do', () => {
    fc.assert(
      fc.property(
        fc.array(quad, { minLength: 1, maxLength: 64 }),
        fc.array(fc.float({ min: -2, max: 2, noNaN: true }), { minLength: 24, maxLength: 24 }),
        (quads, planes) => {
          quads.sort((a, b) => a.primitive - b.primitive);
          listQuads(quads);
          const words = primitiveStrideBytes(PROGRAM) / 4;
          for (let k = 0; k < PRIMITIVES; k++) {
            const at = memory.primitiveRecordsPtr / 4 + k * words;
            const [a, b, c, d] = planes.slice(4 * k, 4 * k + 4) as [number, number, number, number];
            memory.f32.set([BIN_X + k, BIN_Y + k, 0, 200], at);
            memory.f32.set([1 + a * a, b / 64, c / 64, 0], at + 4);
            memory.f32.set([a, b, c, 0], at + 16);
            memory.f32.set([d, 0, 0, 0], at + 20);
          }
          const packed = draw(PROGRAM, quads.length, true);
          expect(packed).toEqual(draw(PROGRAM, quads.length, false));
          expect(packed.some((byte) => byte !== 77)).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });
});
