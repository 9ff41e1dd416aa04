/** Proves that a warp issues the sections that its lanes enter, by counting instructions. */
import { END_OF_TRACE, TRACE } from '@tessera/chip/records';
import { defineChipletSpec } from '@tessera/chiplet-spec';
import { compileProgram } from '@tessera/shader';
import {
  EXECUTION_LOG,
  findLogSites,
  generateKernel,
  instantiateKernel,
  primitiveStrideBytes,
  QUAD_RECORD,
} from '@tessera/shader/codegen';
import { decodeInstructions } from '@tessera/shader/isa';
import { describe, expect, it } from 'vitest';
import { ChipletMemory } from '../memory/chiplet-memory.ts';
import { GroupLog } from './group-log.ts';
import { TraceFormer } from './warp-trace.ts';
import { WordRing } from './word-ring.ts';

const memory = new ChipletMemory(
  defineChipletSpec({ name: 'test', texturePoolBytes: 2 ** 20, maxBinPixels: 4096 }),
);
const ALL_LANES = 15;
const NO_TEXTURES = { words: memory.i32, lineZero: 0, firstLines: new Int32Array(0) };

const VERTEX_SOURCE = `#version 300 es
in vec2 a_position;
out vec2 v_uv;
void main() { v_uv = a_position; gl_Position = vec4(a_position, 0.0, 1.0); }`;

/** A fragment program with two sides, a section that lanes leave, and a discard. */
const MADE_OF_SECTIONS = `#version 300 es
precision highp float;
in vec2 v_uv;
out vec4 o_color;
float work(float x) { ${'x = sin(x) * 1.5 + 0.25;'.repeat(8)} return x; }
void main() {
  float x = v_uv.x;
  if (v_uv.x < 0.0) x = work(x); else if (v_uv.x > 10.0) x = work(x) + work(x + 1.0);
  if (v_uv.y < 0.0) discard;
  o_color = vec4(work(x));
}`;

describe('sections of a warp', () => {
  const { fragment } = compileProgram({
    vertexSource: VERTEX_SOURCE,
    fragmentSource: MADE_OF_SECTIONS,
  });
  const { executionLogPtr: ptr, executionLogBytes: bytes } = memory;
  const options = { textures: null, instructionBudget: 100_000, log: { ptr, bytes } };
  const kernel = instantiateKernel(generateKernel(fragment, options), memory.memory);
  const sites = findLogSites(fragment);
  const [then, otherwise, deeper, live] = sites.sites.map(
    ({ roundCost }) => roundCost.instructions,
  );

  /** Returns the instructions of a warp of quads, each with one value per varying. */
  function run(quads: readonly (readonly [x: number, y: number])[]): number {
    const { quadsPtr, primitiveRecordsPtr, fragmentOutputPtr, scratchPtr, i32, f32 } = memory;
    quads.forEach(([x, y], quad) => {
      const record = primitiveRecordsPtr + primitiveStrideBytes(fragment) * quad;
      i32.set([0, 0, 15, quad], quadsPtr / 4 + 4 * quad);
      f32.set([0.5, 0.5, 0, 16, 1, 0, 0, 0], record / 4);
      fragment.inputSlots.forEach((slot, j) => {
        f32.set([slot === fragment.inputSlots[0] ? x : y, 0, 0, 0], record / 4 + 16 + 4 * j);
      });
    });
    i32[(ptr + EXECUTION_LOG.cursor) >> 2] = ptr + EXECUTION_LOG.records;
    const status = kernel(
      quadsPtr,
      quads.length,
      primitiveRecordsPtr,
      fragmentOutputPtr,
      memory.constantsPtr,
      0,
      scratchPtr,
    );
    expect(status).toBe(0);
    const log = new GroupLog();
    log.index(memory, quadsPtr, QUAD_RECORD.bytes, quads.length);
    const former = new TraceFormer();
    const ring = new WordRing('test', 64);
    former.begin();
    for (let quad = 0; quad < quads.length; quad++) former.add(log, quad, ALL_LANES);
    const start = former.form(sites, NO_TEXTURES, ring);
    expect(ring.words[start + TRACE.passes]).toBe(END_OF_TRACE);
    return ring.words[start + TRACE.instructions]!;
  }

  it('have sites for the sides, for the side within, and for the code after the discard', () => {
    expect(sites.sites.map(({ kind }) => kind)).toEqual(Array(4).fill('section'));
    const all = sites.sites.reduce((sum, { roundCost }) => sum + roundCost.instructions, 0);
    expect(sites.cost.instructions + all).toBe(
      decodeInstructions(fragment.code, fragment.literals).length,
    );
  });

  it.each([
    ['no side', [[5, 1]], () => otherwise! + live!],
    ['one side', [[-1, 1]], () => then! + live!],
    ['the side within', [[11, 1]], () => otherwise! + deeper! + live!],
    [
      'sides of different quads',
      [
        [-1, 1],
        [11, 1],
      ],
      () => then! + otherwise! + deeper! + live!,
    ],
    [
      'none after all have discarded',
      [
        [5, -1],
        [-1, -1],
      ],
      () => then! + otherwise!,
    ],
    [
      'all after one of two has',
      [
        [5, -1],
        [-1, 1],
      ],
      () => then! + otherwise! + live!,
    ],
  ] as [string, [number, number][], () => number][])(
    'are issued where lanes are in them: %s',
    (_, quads, expected) => {
      expect(run(quads)).toBe(sites.cost.instructions + expected());
    },
  );
});
