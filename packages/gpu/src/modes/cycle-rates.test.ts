/** Cycles of scenes whose rate follows from the specification by arithmetic. */

import { type ChipletSpec, defineChipletSpec } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { SimulatedChiplet } from '../chiplet/simulated-chiplet.ts';
import { type HarnessDraw, makeFrame, vertexAt } from '../testing/chiplet-harness.ts';
import type { RenderedBin } from './rendered-bin.ts';

const SIZE_PX = 256;
const TARGET = { widthPx: SIZE_PX, heightPx: SIZE_PX };
/** 16,384 quads, 4096 blocks of 4×4, 2048 warps of 8 quads. */
const QUADS = (SIZE_PX / 2) ** 2;
const BLOCKS = QUADS / 4;
const WARPS = QUADS / 8;
/** Cycles at both ends of a run: fill, drain, memory latency, a few marks. */
const ENDS = 900;
/** Returns a specification whose bus and front end limit nothing. */
function specOf(overrides: Partial<ChipletSpec>): ChipletSpec {
  return defineChipletSpec({ name: 'test', outputBusBytesPerCycle: 4096, ...overrides });
}

/** Renders one bin of 256×256 pixels. */
function renderBin(draws: readonly HarnessDraw[], spec: ChipletSpec): RenderedBin {
  const chiplet = new SimulatedChiplet(spec);
  const resident = chiplet.admitFrame(makeFrame(draws, { ...TARGET, timing: 'cycle' }));
  const { stream } = chiplet.computeVisibility(resident, 0);
  return chiplet.renderBin(resident, 0, 0, stream.bins[0]!);
}

/** Returns a triangle that covers the whole target. */
function fullTriangle(z = 0): number[] {
  const size = 2 * SIZE_PX;
  return [
    ...vertexAt(TARGET, 0, 0, z),
    ...vertexAt(TARGET, 0, size, z),
    ...vertexAt(TARGET, size, 0, z),
  ];
}

describe('cycles of a full-screen triangle', () => {
  it('is bound by the output merger at its rate', () => {
    // One quad per cycle: 16,384 cycles of work, and one for the end of the run. Sixteen cores take
    // half a cycle for each of the 8 instructions of a warp (8 quads). Rasterization takes 4,096
    // cycles.
    const spec = specOf({ outputQuadsPerCycle: 1, smCount: 16 });
    const { cycles, counters } = renderBin([{ vertices: fullTriangle() }], spec);
    expect(counters['outputMerger.cyclesBusy']).toBe(QUADS + 1);
    expect(cycles!).toBeGreaterThan(QUADS);
    expect(cycles!).toBeLessThan(QUADS + ENDS);
    expect(counters['warpPacking.warps']).toBe(WARPS);
  });

  it('is bound by one shader core at one warp instruction per cycle', () => {
    // The fragment shader has 8 instructions (4 inputs, 4 outputs), the vertex shader 16 for its
    // one warp.
    const { cycles, counters } = renderBin([{ vertices: fullTriangle() }], specOf({ smCount: 1 }));
    const instructions = 8 * WARPS + 16;
    expect(counters['shaderCore.warpInstructions']).toBe(instructions);
    expect(counters['shaderCore.cyclesBusy']).toBe(instructions);
    expect(cycles!).toBeGreaterThan(instructions);
    expect(cycles!).toBeLessThan(instructions + ENDS);
  });

  it('takes half the time on twice the shader cores while they are the bound', () => {
    const cyclesOn = (smCount: number) =>
      renderBin(
        Array.from({ length: 4 }, () => ({
          vertices: fullTriangle(),
          state: { depth: { isTestEnabled: false, isWriteEnabled: false, compare: 'less' } },
        })),
        specOf({ smCount, interpolationLatencyCycles: 1 }),
      ).cycles!;
    const [one, two] = [cyclesOn(1), cyclesOn(2)];
    expect(Math.abs(one - 2 * two)).toBeLessThan(2 * ENDS);
  });

  it('issues the same instructions clause by clause and cycle by cycle', () => {
    const run = (hasFineGrainedIssue: boolean) =>
      renderBin([{ vertices: fullTriangle() }], specOf({ smCount: 1, hasFineGrainedIssue }));
    const [byClause, byCycle] = [run(false), run(true)];
    expect(byCycle.colors).toEqual(byClause.colors);
    for (const name of ['shaderCore.warpInstructions', 'shaderCore.cyclesBusy'] as const) {
      expect(byCycle.counters[name]).toBe(byClause.counters[name]);
    }
    expect(byCycle.cycles).not.toBe(byClause.cycles);
  });

  it('yields a 4×4 block every cycle', () => {
    // Depth `never` drops all fragments before shading, so nothing delays tile traversal. There are
    // 16 fine bins of 256 blocks. Level 7 takes a block per cycle, and no level needs longer. The
    // count is two marks lower, because an empty list has no flush and the end of the run is
    // counted.
    const { counters } = renderBin(
      [
        {
          vertices: fullTriangle(),
          state: { depth: { isTestEnabled: true, isWriteEnabled: false, compare: 'never' } },
        },
      ],
      specOf({}),
    );
    expect(counters['raster.fragmentsEarlyKilled']).toBe(SIZE_PX ** 2);
    expect(counters['tileTraversal.cyclesStalled']).toBe(0);
    expect(counters['tileTraversal.cyclesBusy']).toBeGreaterThanOrEqual(BLOCKS);
    expect(counters['tileTraversal.cyclesBusy']).toBeLessThanOrEqual(BLOCKS + 2);
    expect(counters['earlyDepth.cyclesBusy']).toBeLessThanOrEqual(BLOCKS + 2);
  });

  it('is taken longer by the output merger when it blends', () => {
    const blend = {
      isEnabled: true,
      color: { equation: 'add', source: 'one', destination: 'one' },
      alpha: { equation: 'add', source: 'one', destination: 'one' },
      constant: [0, 0, 0, 0],
    } as const;
    const spec = specOf({ outputQuadsPerCycle: 1, outputReadCycles: 2, smCount: 16 });
    const { counters } = renderBin([{ vertices: fullTriangle(), state: { blend } }], spec);
    expect(counters['outputMerger.cyclesBusy']).toBe(3 * QUADS + 1);
  });

  it('costs no depth test where hierarchical depth knows the answer in time', () => {
    // The second triangle is behind the first in every block.
    const draws = [{ vertices: fullTriangle(-0.5) }, { vertices: fullTriangle(0.5) }].map(
      (draw) => ({
        ...draw,
        state: { depth: { isTestEnabled: true, isWriteEnabled: true, compare: 'less' as const } },
      }),
    );
    const killed = ({ counters }: RenderedBin) => counters['earlyDepth.blocksHierarchicalKilled']!;
    const spec = { depthQuadsPerCycle: 1 };
    const off = renderBin(draws, specOf({ ...spec, hasHierarchicalDepth: false }));
    expect(killed(off)).toBe(0);
    let fewer = BLOCKS + 1;
    for (const hierarchicalDepthDelayCycles of [0, 300, 1000]) {
      const on = renderBin(draws, specOf({ ...spec, hierarchicalDepthDelayCycles }));
      expect(on.colors).toEqual(off.colors);
      // Blocks that are tested before the first triangle's depths are known are not dropped.
      expect(killed(on)).toBeLessThan(fewer);
      fewer = killed(on);
      // A block costs four quads at one per cycle.
      const saved = off.counters['earlyDepth.cyclesBusy']! - on.counters['earlyDepth.cyclesBusy']!;
      expect(saved).toBe(4 * killed(on));
    }
    expect(fewer).toBe(0);
  });
});

describe('hierarchical depth', () => {
  it('tests several blocks per cycle, and only drops those that lie behind', () => {
    const layer = (z: number) => ({
      vertices: fullTriangle(z),
      state: { depth: { isTestEnabled: true, isWriteEnabled: true, compare: 'less' as const } },
    });
    const hidden = Array.from({ length: 8 }, () => layer(0.5));
    const cyclesAt = (hierarchicalDepthBlocksPerCycle: number) =>
      renderBin(
        [layer(-0.5), ...hidden],
        specOf({ hierarchicalDepthBlocksPerCycle, fragmentWarpWindow: 1024 }),
      );
    const [one, four] = [cyclesAt(1), cyclesAt(4)];
    expect(four.colors).toEqual(one.colors);
    // Hidden blocks take a quarter of the time.
    const layers = hidden.length * BLOCKS;
    expect(one.cycles! - four.cycles!).toBe(layers - layers / 4);
    const nearer = renderBin([layer(0.5), layer(-0.5)], specOf({}));
    expect(nearer.counters['earlyDepth.blocksHierarchicalKilled']).toBe(0);
  });
});

describe('cycles of a mesh of one-pixel triangles', () => {
  it('are bound by setup', () => {
    // 64×64 triangles, each over the center of one pixel, with 4 cycles of setup each: 16,384.
    // Fetch needs 3 × 32 bytes at 64 per cycle, shading 3 vertices × 16 instructions of 32 lanes on
    // 16 cores. Both are below 4 cycles.
    const count = 64;
    const vertices: number[] = [];
    for (let y = 0; y < count; y++) {
      for (let x = 0; x < count; x++) {
        const [px, py] = [4 * x + 1, 4 * y + 1];
        vertices.push(
          ...vertexAt(TARGET, px + 0.2, py + 0.2, 0),
          ...vertexAt(TARGET, px + 0.2, py + 0.9, 0),
          ...vertexAt(TARGET, px + 0.9, py + 0.2, 0),
        );
      }
    }
    const interval = 4;
    const spec = specOf({ setupIntervalCycles: interval });
    const { cycles, counters } = renderBin([{ vertices }], spec);
    expect(counters['raster.fragmentsCovered']).toBe(count * count);
    const setup = interval * count * count;
    // The last batch of 1,024 triangles is rasterized after setup ends, in at most two cycles each.
    // Blocks of earlier batches leave through the second-level cache, two lines per cycle.
    expect(cycles!).toBeGreaterThan(setup);
    expect(cycles!).toBeLessThan(setup + 2 * 1024 + BLOCKS / 2 + ENDS);
    expect(counters['triangleSetup.cyclesBusy']!).toBeGreaterThanOrEqual(setup);
    expect(counters['triangleSetup.cyclesBusy']!).toBeLessThan(setup + 100);
    for (const unit of ['vertexFetch', 'tileTraversal', 'outputMerger', 'fineBinner'] as const) {
      expect(counters[`${unit}.cyclesBusy`]!, unit).toBeLessThan(0.6 * setup);
    }
  });
});

describe('instructions of a shader with a loop', () => {
  // Each round of `loop-by-red` has 6 instructions, including `endloop`. The `loop` itself and 8
  // others are outside.
  const OUTSIDE = 9;
  const ROUND = 6;
  const colored = (red: number, corners: readonly (readonly [number, number])[]) =>
    corners.flatMap(([x, y]) => vertexAt(TARGET, x, y, 0, [red, 0, 0, 1]));
  const wholeTarget = [
    [0, 0],
    [0, 2 * SIZE_PX],
    [2 * SIZE_PX, 0],
  ] as const;

  it.each([
    [0.2, 1],
    [1.2, 2],
    [3.2, 4],
  ])('are those of the rounds that red %f takes, %i of them', (red, rounds) => {
    const vertices = colored(red, wholeTarget);
    const { counters } = renderBin([{ vertices, fragment: 'loop-by-red' }], specOf({}));
    expect(counters['shaderCore.warpInstructions']).toBe(WARPS * (OUTSIDE + ROUND * rounds) + 16);
  });

  it('are issued for the whole warp while one of its lanes is in the loop', () => {
    // Two triangles of one quad each share a warp, which runs as many rounds as the longer one.
    const quadAt = (x: number) =>
      [
        [x, 0],
        [x, 4],
        [x + 4, 0],
      ] as const;
    const both = [...colored(0.2, quadAt(0)), ...colored(3.2, quadAt(8))];
    const { counters } = renderBin([{ vertices: both, fragment: 'loop-by-red' }], specOf({}));
    expect(counters['warpPacking.warps']).toBe(1);
    expect(counters['shaderCore.warpInstructions']).toBe(OUTSIDE + ROUND * 4 + 16);
  });
});
