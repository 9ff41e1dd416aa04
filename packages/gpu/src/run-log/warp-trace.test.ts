import { END_OF_TRACE, TRACE } from '@tessera/chip/records';
import { defineChipletSpec } from '@tessera/chiplet-spec';
import type { IsaProgram, SamplerState, TextureResource } from '@tessera/frame';
import { compileProgram } from '@tessera/shader';
import {
  EXECUTION_LOG,
  findLogSites,
  generateKernel,
  type IssueCost,
  instantiateKernel,
  QUAD_RECORD,
} from '@tessera/shader/codegen';
import { interpretFragmentStage } from '@tessera/shader/interpreter';
import { assemble } from '@tessera/shader/isa';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChipletMemory } from '../memory/chiplet-memory.ts';
import { ReferenceTextureReader } from '../testing/reference-texture-reader.ts';
import { TexelRecorder } from '../testing/texel-recorder.ts';
import { samplingStateOf } from '../texture/filter/sampling-state.ts';
import { LineTable, wordOfLineZero } from '../texture/layout/line-table.ts';
import { writeTextureDescriptors } from '../texture/layout/texture-descriptor.ts';
import { TexturePool } from '../texture/layout/texture-pool.ts';
import { SampleKernels } from '../texture/sample/sample-kernel.ts';
import { GroupLog } from './group-log.ts';
import type { TextureLines } from './texture-lines.ts';
import { makeVertexLog, VertexTraces } from './vertex-traces.ts';
import { TraceFormer } from './warp-trace.ts';
import { WordRing } from './word-ring.ts';

const SPEC = defineChipletSpec({
  name: 'test',
  texturePoolBytes: 2 ** 20,
  maxBinPixels: 4096,
  quadListQuads: 2048,
});
const memory = new ChipletMemory(SPEC);
const BUDGET = 100_000;
const ALL_LANES = 15;

interface Clause extends IssueCost {
  readonly lookupsInFlight: number;
  readonly passes: number;
  readonly lines: readonly number[];
}

/** Returns the cost of instructions that take a cycle each. */
function costOfUnits(instructions: number): IssueCost {
  return { instructions, issueCycles: instructions, stallCycles: 0 };
}

/** Returns the clauses of a trace. The last one has no lookup. */
function readCalls({ words, mask }: WordRing, start: number): readonly Clause[] {
  const clauses: Clause[] = [];
  for (let at = start; ; ) {
    const word = (offset: number): number => words[(at + offset) & mask]!;
    const passes = word(TRACE.passes);
    const count = passes === END_OF_TRACE ? 0 : word(TRACE.lineCount);
    const lines = Array.from({ length: count }, (_, line) => word(TRACE.lines + line));
    const [instructions, issueCycles] = [word(TRACE.instructions), word(TRACE.issueCycles)];
    const stallCycles = word(TRACE.stallCycles);
    const lookupsInFlight = word(TRACE.lookupsInFlight);
    clauses.push({ instructions, issueCycles, stallCycles, lookupsInFlight, passes, lines });
    if (passes === END_OF_TRACE) return clauses;
    at += TRACE.lines + count;
  }
}

function instantiate(program: IsaProgram, textures: SampleKernels | null) {
  const { executionLogPtr: ptr, executionLogBytes: bytes } = memory;
  const options = { textures, instructionBudget: BUDGET, log: { ptr, bytes } };
  return instantiateKernel(generateKernel(program, options), memory.memory);
}

function makePool(): TexturePool {
  const lines = new LineTable(memory.memory, memory.lineTable, 'linear-block');
  return new TexturePool(memory.memory, memory.texturePoolPtr, memory.texturePoolBytes, lines);
}

/** Returns the lines of textures that start at lines `first` of simulated memory. */
function linesOf(first: readonly number[]): TextureLines {
  const lineZero = wordOfLineZero(memory.lineTable);
  return { words: memory.i32, lineZero, firstLines: Int32Array.from(first) };
}

function clearLog(): void {
  const { i32, executionLogPtr } = memory;
  const records = executionLogPtr + EXECUTION_LOG.records;
  i32[(executionLogPtr + EXECUTION_LOG.cursor) >> 2] = records;
}

/**
 * Shader with lookups before, in and after loops, in conditions and after a discard. Each is
 * identified by its level, which increases in the order of execution. The sampler has no levels. A
 * lookup whose level is a quarter above that of another one directly follows it and does not use
 * its result.
 */
const FRAGMENT_SOURCE = `#version 300 es
precision highp float;
uniform sampler2D u_first;
uniform sampler2D u_second;
in vec2 v_uv;
out vec4 o_color;
void main() {
  vec4 sum = textureLod(u_first, v_uv, 1.0) + textureLod(u_second, v_uv, 1.25);
  if (fract(v_uv.x * 5.0) < 0.3) {
    sum += textureLod(u_second, v_uv * 2.0, 2.0) + textureLod(u_first, v_uv * 3.0, 2.25);
  }
  if (fract(v_uv.x * 7.0 + v_uv.y * 3.0) < 0.2) discard;
  for (int i = 0; i < int(v_uv.x * 6.0); i++) {
    float round = 1000.0 * float(i + 1);
    sum += textureLod(u_second, v_uv * float(i + 1), round) + textureLod(u_first, v_uv, round + 0.25);
    if (fract(v_uv.y * 11.0) < 0.4) continue;
    for (int j = 0; j < int(v_uv.y * 4.0) + (i & 1); j++) {
      vec2 uv = v_uv + vec2(float(j) * 0.13);
      float level = round + float(j + 1);
      sum += textureLod(u_first, uv, level) + textureLod(u_second, uv, level + 0.25);
    }
    if (sum.x > 2.5) break;
    sum += textureLod(u_first, v_uv * 0.7, round + 500.0);
  }
  sum += textureLod(u_second, 1.0 - v_uv, 100000.0) + textureLod(u_first, 1.0 - v_uv, 100000.25);
  o_color = sum;
}`;
const VERTEX_SOURCE = `#version 300 es
in vec2 a_position;
out vec2 v_uv;
void main() { v_uv = a_position; gl_Position = vec4(a_position, 0.0, 1.0); }`;

const SAMPLER: SamplerState = {
  wrapS: 'repeat',
  wrapT: 'mirrored-repeat',
  magFilter: 'linear',
  minFilter: 'linear',
  mipmapFilter: 'none',
};

function makeTexture(name: string, widthPx: number, heightPx: number): TextureResource {
  const texels = Uint8Array.from({ length: widthPx * heightPx * 4 }, (_, i) => (i * 73) & 255);
  return {
    ...{ sha256: name, format: 'rgba8unorm', widthPx, heightPx, isMipmapGenerated: false },
    levels: [texels],
  } as TextureResource;
}

interface SeenLookup {
  readonly quad: number;
  readonly lines: ReadonlySet<number>;
}

const QUADS = 24;
const TEXTURES = [makeTexture('first', 52, 36), makeTexture('second', 24, 80)];
/** Offsets added to the lines of each texture. */
const LINE_OFFSETS = [1000, 50_000];

/**
 * Runs the shader on quads with these masks. Returns the traces of warps by the kernel and the
 * interpreter's lookups. One function because both run on the same quads.
 */
function shadeQuads(masks: readonly number[], warpQuads: number) {
  const { fragment, samplers } = compileProgram({
    vertexSource: VERTEX_SOURCE,
    fragmentSource: FRAGMENT_SOURCE,
  });
  const resources = samplers.map(({ name }) => TEXTURES[name === 'u_first' ? 0 : 1]!);
  const { quadsPtr, primitiveRecordsPtr, fragmentOutputPtr, textureTablesPtr, i32, f32 } = memory;
  masks.forEach((mask, quad) => {
    i32.set([(quad % 6) * 2, Math.floor(quad / 6) * 2, mask, 0], quadsPtr / 4 + 4 * quad);
  });
  f32.set([0.5, 0.5, 0, 16], primitiveRecordsPtr / 4);
  f32.set([1, 0, 0, 0], primitiveRecordsPtr / 4 + 4);
  fragment.inputSlots.forEach((_slot, j) => {
    f32.set(
      j === 0 ? [0, 0.09, 0.01, 0] : [0.05, 0.02, 0.11, 0],
      primitiveRecordsPtr / 4 + 16 + 4 * j,
    );
  });
  const pool = makePool();
  const placements = pool.placeFrame(resources);
  writeTextureDescriptors(memory.memory, textureTablesPtr, placements);

  // 1. The interpreter, a quad at a time.
  const recorders = resources.map((resource) => new TexelRecorder(resource));
  const states = resources.map(({ format }) => samplingStateOf(format, SAMPLER));
  const seen = new Map<number, SeenLookup[]>();
  const memoryOfOracle = memory.memory.buffer.slice(0, memory.scratchPtr);
  for (let quad = 0; quad < masks.length; quad++) {
    const reader = new ReferenceTextureReader(
      recorders.map(({ texture }, slot) => ({ texture, state: states[slot]! })),
    );
    interpretFragmentStage(fragment, {
      memory: memoryOfOracle,
      quadsPtr: quadsPtr + quad * QUAD_RECORD.bytes,
      quadCount: 1,
      primitivesPtr: primitiveRecordsPtr,
      outputPtr: fragmentOutputPtr,
      constantsPtr: memory.constantsPtr,
      instructionBudget: BUDGET,
      textures: {
        size: (slot, level) => reader.size(slot, level),
        sample(slot, operation, dimension, isShadow, operands, lanes = 0) {
          const live = lanes & masks[quad]!;
          // Each lane runs alone, so that the texels of the others are not mixed in.
          const lines = new Set<number>();
          for (let lane = 0; lane < 4; lane++) {
            if ((live & (1 << lane)) === 0) continue;
            recorders[slot]!.take();
            const alone = operands.map((operand) => new Float32Array(4).fill(operand[lane]!));
            reader.sample(slot, operation, dimension, isShadow, alone);
            const first = LINE_OFFSETS[slot]!;
            for (const offset of recorders[slot]!.take()) lines.add(first + (offset >> 6));
            const name = operands[2]![lane]!;
            if (!seen.has(name)) seen.set(name, []);
          }
          if (live !== 0) {
            const lane = 31 - Math.clz32(live);
            seen.get(operands[2]![lane]!)!.push({ quad, lines });
          }
          return reader.sample(slot, operation, dimension, isShadow, operands);
        },
      },
    });
  }

  // 2. The kernel, a warp of eight quads at a time.
  const kernel = instantiate(fragment, new SampleKernels(states, memory.executionLogPtr));
  const ring = new WordRing('test', 64);
  const former = new TraceFormer();
  const log = new GroupLog();
  const textureLines = linesOf(LINE_OFFSETS);
  const traces: (readonly Clause[])[] = [];
  for (let first = 0; first < masks.length; first += 8) {
    const count = Math.min(8, masks.length - first);
    const groupPtr = quadsPtr + first * QUAD_RECORD.bytes;
    clearLog();
    const status = kernel(
      groupPtr,
      count,
      primitiveRecordsPtr,
      fragmentOutputPtr,
      memory.constantsPtr,
      textureTablesPtr,
      memory.scratchPtr,
    );
    expect(status).toBe(0);
    log.index(memory, groupPtr, QUAD_RECORD.bytes, count);
    for (let quad = 0; quad < count; quad += warpQuads) {
      former.begin();
      for (let k = quad; k < Math.min(count, quad + warpQuads); k++) former.add(log, k, ALL_LANES);
      traces.push(readCalls(ring, former.form(findLogSites(fragment), textureLines, ring)));
    }
  }
  return { traces, seen, former };
}

const sorted = (lines: Iterable<number>): number[] => [...new Set(lines)].sort((a, b) => a - b);

describe('traces of fragment warps', () => {
  it.each([8, 4, 2, 1])(
    'have the lookups and lines of the interpreter, warps of %i quads',
    (warpQuads) => {
      fc.assert(
        fc.property(
          fc.array(fc.integer({ min: 1, max: 15 }), { minLength: QUADS, maxLength: QUADS }),
          (masks) => {
            const { traces, seen, former } = shadeQuads(masks, warpQuads);
            const names = [...seen.keys()].sort((a, b) => a - b);
            let [lookups, lines] = [0, 0];
            expect(traces.length).toBe(QUADS / warpQuads);
            traces.forEach((trace, warp) => {
              const expected = names.flatMap((name) => {
                const ofWarp = seen
                  .get(name)!
                  .filter(({ quad }) => Math.floor(quad / warpQuads) === warp);
                if (ofWarp.length === 0) return [];
                const all = sorted(ofWarp.flatMap(({ lines }) => [...lines]));
                const lookupsInFlight = name % 1 === 0.25 ? 1 : 0;
                return [{ name, lookupsInFlight, passes: ofWarp.length, lines: all }];
              });
              const actual = trace.slice(0, -1);
              expect(
                actual.map(({ lookupsInFlight, passes, lines }, i) => ({
                  ...{ name: expected[i]?.name, lookupsInFlight, passes, lines: sorted(lines) },
                })),
              ).toEqual(expected);
              // The lookup that may be in flight is the one right before, in every warp.
              for (const [i, { name, lookupsInFlight }] of expected.entries()) {
                if (lookupsInFlight > 0) expect(expected[i - 1]?.name).toBe(name - 0.25);
              }
              for (const clause of actual)
                expect(new Set(clause.lines).size).toBe(clause.lines.length);
              lookups += expected.length;
              lines += expected.reduce((sum, lookup) => sum + lookup.lines.length, 0);
            });
            // Some lanes leave the loops early, some never enter them.
            expect(lookups).toBeGreaterThan(traces.length * 3);
            expect([former.lookups, former.lines]).toEqual([lookups, lines]);
          },
        ),
        { numRuns: 4, seed: warpQuads },
      );
    },
  );
});

/** Loop of n rounds, each with (n ^ i) & 3 rounds of an inner loop. */
const NESTED_LOOPS = `
.stage vertex
input r0, 0, smooth
loop
  ile r2, r0, r1
  if r2
    exit 0
  endif
  ixor r4, r0, r1
  iand r4, r4, 0x3
  mov r3, 0x0
  loop
    ile r5, r4, r3
    if r5
      exit 0
    endif
    iadd r3, r3, 0x1
  endloop
  iadd r1, r1, 0x1
endloop
outi 0, r1`;
/** In its last round, all lanes of a warp leave the outer loop before the rest of its body. */
const [OUTSIDE, OUTER_HEAD, OUTER_REST, INNER_ROUND] = [3, 5, 5, 6];

/**
 * Returns the instructions of a warp with these n per lane. Every loop continues while a lane is in
 * it.
 */
function instructionsOf(counts: readonly number[]): number {
  const outer = Math.max(...counts) + 1;
  let instructions = OUTSIDE + OUTER_HEAD * outer + OUTER_REST * (outer - 1);
  for (let i = 0; i < outer - 1; i++) {
    const inside = counts.filter((n) => n > i).map((n) => (n ^ i) & 3);
    instructions += INNER_ROUND * (Math.max(...inside) + 1);
  }
  return instructions;
}

describe('traces of vertex warps', () => {
  it('count the rounds of the lanes that share the warp, whatever groups they were shaded in', () => {
    const program = assemble(NESTED_LOOPS);
    const kernel = instantiate(program, null);
    const { vertexInputPtr, vertexOutputPtr, constantsPtr, scratchPtr, i32 } = memory;
    fc.assert(
      fc.property(
        fc.array(fc.nat(9), { minLength: 32, maxLength: 32 }),
        fc.array(fc.nat(31), { minLength: 1, maxLength: 20 }),
        (counts, warp) => {
          i32.set(counts, vertexInputPtr >> 2);
          clearLog();
          expect(kernel(vertexInputPtr, vertexOutputPtr, 8, constantsPtr, 0, scratchPtr)).toBe(0);
          const log = new GroupLog();
          log.index(memory, vertexInputPtr, 16, 8);
          const traces = new VertexTraces();
          const first = 8190;
          const sites = findLogSites(program);
          traces.add(makeVertexLog(log.copy(memory, 8), sites, linesOf([]), first, 32));
          const vertices = Int32Array.from(warp, (vertex) => first + vertex);
          const start = traces.close(new TraceFormer(), sites, vertices, vertices.length);
          const clauses = readCalls(traces.ring, start);
          expect(clauses).toEqual([
            {
              ...costOfUnits(instructionsOf(warp.map((vertex) => counts[vertex]!))),
              lookupsInFlight: 0,
              passes: END_OF_TRACE,
              lines: [],
            },
          ]);
        },
      ),
      { numRuns: 200, seed: 61 },
    );
  });

  it('read the lines of the vertices in the warp, not of those they were shaded with', () => {
    const { vertex } = compileProgram({
      vertexSource: `#version 300 es
        uniform highp sampler2D u_height;
        in vec2 a_texel;
        void main() { gl_Position = texelFetch(u_height, ivec2(a_texel), 0); }`,
      fragmentSource: `#version 300 es
        precision highp float;
        out vec4 o_color;
        void main() { o_color = vec4(1.0); }`,
    });
    const { vertexInputPtr, vertexOutputPtr, constantsPtr, scratchPtr, textureTablesPtr } = memory;
    const texture = TEXTURES[0]!;
    const pool = makePool();
    const placements = pool.placeFrame([texture]);
    writeTextureDescriptors(memory.memory, textureTablesPtr, placements);
    const states = [samplingStateOf(texture.format, SAMPLER)];
    const kernel = instantiate(vertex, new SampleKernels(states, memory.executionLogPtr));
    const sites = findLogSites(vertex);
    const texel = fc.tuple(fc.nat(texture.widthPx - 1), fc.nat(texture.heightPx - 1));
    fc.assert(
      fc.property(
        fc.array(texel, { minLength: 32, maxLength: 32 }),
        fc.array(fc.nat(31), { minLength: 1, maxLength: 32 }),
        (texels, warp) => {
          texels.forEach((at, i) => {
            at.forEach((coordinate, axis) => {
              const vector = 2 * (i >> 2) + axis;
              memory.f32[(vertexInputPtr >> 2) + 4 * vector + (i & 3)] = coordinate;
            });
          });
          clearLog();
          const pointers = [constantsPtr, textureTablesPtr, scratchPtr];
          expect(kernel(vertexInputPtr, vertexOutputPtr, 8, ...pointers)).toBe(0);
          const log = new GroupLog();
          log.index(memory, vertexInputPtr, 32, 8);
          const traces = new VertexTraces();
          const lines = linesOf(LINE_OFFSETS);
          traces.add(makeVertexLog(log.copy(memory, 8), sites, lines, 100, 32));
          const vertices = Int32Array.from(warp, (i) => 100 + i);
          const start = traces.close(new TraceFormer(), sites, vertices, vertices.length);
          const [lookup] = readCalls(traces.ring, start);
          const blocksPerRow = texture.widthPx / 4;
          const expected = warp.map((i) => {
            const [x, y] = texels[i]!;
            return LINE_OFFSETS[0]! + (y >> 2) * blocksPerRow + (x >> 2);
          });
          expect(sorted(lookup!.lines)).toEqual(sorted(expected));
          expect(lookup!.passes).toBe(new Set(warp.map((i) => i >> 2)).size);
        },
      ),
      { numRuns: 100, seed: 62 },
    );
  });
});
