import { type ChipletSpec, DEFAULT_CHIPLET_SPEC } from '@tessera/chiplet-spec';
import type { FrameCommands, PreparedDraw, PreparedFrame } from '@tessera/frame';
import { assemble } from '@tessera/shader/isa';
import { describe, expect, it } from 'vitest';
import { colorProgram, makeFrame, VERTEX_FLOATS } from '../testing/chiplet-harness.ts';
import { findEarlyBin } from './early-bin.ts';

const TARGET = { widthPx: 256, heightPx: 128, columns: 2, rows: 2 } as const;
const EARLY_BIN = 3;
const TRIANGLE = new Array<number>(3 * VERTEX_FLOATS).fill(0);

/** Vertex program that looks a texel up. */
const TEXTURED = assemble(
  [
    '.stage vertex',
    'input r0, 0, smooth',
    'tex r4, 0, lod, 2d, color, r0, r0, r0',
    'outf 0, r4',
  ].join('\n'),
);
/** Vertex program that asks for the size of a texture, for which it needs no texture unit. */
const SIZED = assemble(
  ['.stage vertex', 'input r0, 0, smooth', 'texsize r4, 0, 0x00000000', 'outf 0, r0'].join('\n'),
);

/** Returns a frame with a draw of each program; equal numbers are the same program. */
function frameOf(programs: readonly number[], change: Partial<FrameCommands> = {}): PreparedFrame {
  const frame = makeFrame(
    programs.map(() => ({ vertices: TRIANGLE })),
    { ...TARGET, earlyBinId: EARLY_BIN },
  );
  const [pass] = frame.commands.passes;
  const draws = pass!.draws.map((draw, i) => ({ ...draw, programIndex: programs[i]! }));
  const commands = { ...frame.commands, passes: [{ ...pass!, draws }], ...change };
  const count = Math.max(...programs) + 1;
  return {
    ...frame,
    commands,
    programs: Array.from({ length: count }, () => colorProgram('smooth')),
  };
}

/** Returns the frame with another vertex program and changes of its last draw. */
function withLast(
  frame: PreparedFrame,
  vertex: PreparedFrame['programs'][number]['vertex'],
  change: Partial<PreparedDraw> = {},
): PreparedFrame {
  const [pass] = frame.commands.passes;
  const last = { ...pass!.draws.at(-1)!, ...change };
  const draws = [...pass!.draws.slice(0, -1), last];
  const programs = frame.programs.with(last.programIndex, { ...frame.programs.at(-1)!, vertex });
  return { ...frame, programs, commands: { ...frame.commands, passes: [{ ...pass!, draws }] } };
}

function find(frame: PreparedFrame, spec: Partial<ChipletSpec> = {}): number | null {
  return findEarlyBin(frame, 0, { ...DEFAULT_CHIPLET_SPEC, programBlocks: 4, ...spec });
}

describe('the early bin', () => {
  it('is that of the frame', () => {
    expect(find(frameOf([0]))).toBe(EARLY_BIN);
    expect(find(frameOf([0], { earlyBinId: 0 }))).toBe(0);
    expect(find(frameOf([0], { earlyBinId: null }))).toBeNull();
  });

  it('is none if the frame switches it off, shares its phase or streams visibility', () => {
    const { visibilitySwitches } = frameOf([0]).commands;
    const off = { ...visibilitySwitches, rendersEarlyBin: false };
    expect(find(frameOf([0], { visibilitySwitches: off }))).toBeNull();
    expect(find(frameOf([0], { visibilityChiplets: 2 }))).toBeNull();
    expect(find(frameOf([0], { visibilityChiplets: 1 }))).toBe(EARLY_BIN);
    expect(find(frameOf([0], { visibilityDelivery: 'stream' }))).toBeNull();
    expect(find(frameOf([0], { visibilityDelivery: 'phase' }))).toBe(EARLY_BIN);
  });

  it('is none without memory for its primitives or samples', () => {
    expect(find(frameOf([0]), { earlyBinPrimitives: 0 })).toBeNull();
    expect(find(frameOf([0]), { earlyBinPrimitives: 1 })).toBe(EARLY_BIN);
    const samples = (TARGET.widthPx / 2) * (TARGET.heightPx / 2);
    expect(find(frameOf([0]), { maxBinPixels: samples })).toBe(EARLY_BIN);
    expect(find(frameOf([0]), { maxBinPixels: samples - 1 })).toBeNull();
    const { commands } = frameOf([0]);
    const passes = commands.passes.map((pass) => ({ ...pass, sampleCount: 4 }));
    expect(find(frameOf([0], { passes }), { maxBinPixels: 4 * samples })).toBe(EARLY_BIN);
    expect(find(frameOf([0], { passes }), { maxBinPixels: 4 * samples - 1 })).toBeNull();
  });

  it('is none if the fragment programs need more stores than there are program blocks', () => {
    // A draw stores its program unless the draw before it has the same.
    for (const [programs, stores] of [
      [[0], 1],
      [[0, 0, 0, 0, 0], 1],
      [[0, 0, 1, 1], 2],
      [[0, 1, 2, 3], 4],
      [[0, 1, 0, 1], 4],
      [[0, 1, 2, 3, 4], 5],
      [[0, 1, 0, 1, 0], 5],
    ] as const) {
      const named = programs.join();
      expect(find(frameOf(programs), { programBlocks: stores }), named).toBe(EARLY_BIN);
      expect(find(frameOf(programs), { programBlocks: stores - 1 }), named).toBeNull();
    }
  });

  it('needs no store for a draw without primitives', () => {
    const { vertex } = colorProgram('smooth');
    const empty = withLast(frameOf([0, 1, 2]), vertex, { count: 2 });
    expect(find(empty, { programBlocks: 2 })).toBe(EARLY_BIN);
    expect(find(withLast(empty, vertex, { count: 3 }), { programBlocks: 2 })).toBeNull();
  });

  it('is none if a vertex shader of the phase reads a texture', () => {
    expect(find(withLast(frameOf([0, 1]), TEXTURED))).toBeNull();
    expect(find(withLast(frameOf([0, 1]), SIZED))).toBe(EARLY_BIN);
    // A draw without primitives or instances runs no vertex shader.
    expect(find(withLast(frameOf([0, 1]), TEXTURED, { count: 2 }))).toBe(EARLY_BIN);
    expect(find(withLast(frameOf([0, 1]), TEXTURED, { instanceCount: 0 }))).toBe(EARLY_BIN);
    // The program of no draw of the pass.
    const unused = frameOf([0]);
    const programs = [...unused.programs, { ...colorProgram('smooth'), vertex: TEXTURED }];
    expect(find({ ...unused, programs })).toBe(EARLY_BIN);
  });
});
