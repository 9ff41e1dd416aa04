/** Warp slots of frames: allocation, counters, and deadlock. */

import { SLOT_POLICIES } from '@tessera/chip/records';
import { type ChipletSpec, defineChipletSpec } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { SimulatedChiplet } from '../chiplet/simulated-chiplet.ts';
import type { RenderedBin } from '../modes/rendered-bin.ts';
import { type HarnessDraw, makeFrame, vertexAt } from '../testing/chiplet-harness.ts';

const TARGET = { widthPx: 128, heightPx: 128 };

/** Renders one bin on cores that are slow in comparison with the rest. */
function renderBin(draws: readonly HarnessDraw[], overrides: Partial<ChipletSpec>): RenderedBin {
  const spec = defineChipletSpec({ name: 'test', ...overrides });
  const chiplet = new SimulatedChiplet(spec);
  const resident = chiplet.admitFrame(makeFrame(draws, { ...TARGET, timing: 'cycle' }));
  const { stream } = chiplet.computeVisibility(resident, 0);
  return chiplet.renderBin(resident, 0, 0, stream.bins[0]!);
}

/** Returns triangles that share no vertex, each over an eighth of the target. */
function makeTriangles(count: number): HarnessDraw {
  const vertices = Array.from({ length: count }, () => [
    ...vertexAt(TARGET, 0, 0, 0),
    ...vertexAt(TARGET, 0, 64, 0),
    ...vertexAt(TARGET, 64, 0, 0),
  ]).flat();
  const depth = { isTestEnabled: false, isWriteEnabled: false, compare: 'less' } as const;
  return { vertices, state: { depth } };
}

/**
 * Specification with one vertex warp per triangle, so vertices run ahead of fragments up to the
 * limits of slots and FIFO.
 */
const RUNS_AHEAD: Partial<ChipletSpec> = {
  smCount: 2,
  warpSlotsPerSm: 4,
  warpThreads: 4,
  batchPrimitives: 4,
  primitiveQueueEntries: 64,
  vertexResultWarps: 4,
  queueEntries: 2,
  fragmentWarpWindow: 4,
};

describe('task scheduler of a chiplet', () => {
  it.each(SLOT_POLICIES)('%s: the image is the same, slot-cycles add up, IDs move', (policy) => {
    const draws = [makeTriangles(40)];
    const { cycles, colors, counters } = renderBin(draws, {
      ...RUNS_AHEAD,
      warpIdFloor: 1,
      slotPolicy: policy,
    });
    expect(colors).toEqual(renderBin(draws, {}).colors);
    const of = (name: 'Vertex' | 'Fragment' | 'Unreleased' | 'Idle') =>
      counters[`taskScheduler.slotCycles${name}`]!;
    expect(of('Vertex') + of('Fragment') + of('Unreleased') + of('Idle')).toBe(8 * cycles!);
    expect(of('Vertex')).toBeGreaterThan(0);
    expect(of('Fragment')).toBeGreaterThan(
      of('Vertex') - counters['shaderCore.warpCyclesResults']!,
    );
    const moves =
      counters['taskScheduler.idsMovedToVertex']! + counters['taskScheduler.idsMovedToFragment']!;
    expect(moves).toBeGreaterThan(0);
    expect(counters['taskScheduler.cyclesLocked']).toBe(2 * moves);
  });

  it('keeps more slots busy with fragments when vertices keep fewer', () => {
    const busy = (warpIdFloor: number) => {
      const { cycles, counters } = renderBin([makeTriangles(20)], { smCount: 1, warpIdFloor });
      return counters['taskScheduler.slotCyclesFragment']! / cycles!;
    };
    expect(busy(1)).toBeGreaterThan(busy(4));
  });

  it('comes to an end under every policy when both types keep an ID', () => {
    for (const slotPolicy of SLOT_POLICIES) {
      const { cycles } = renderBin([makeTriangles(40)], {
        ...RUNS_AHEAD,
        warpIdFloor: 1,
        slotPolicy,
      });
      expect(cycles, slotPolicy).toBeGreaterThan(0);
    }
  });

  it('deadlocks without a floor when vertices go first; the watchdog names the FIFO and the holders', () => {
    const render = () =>
      renderBin([makeTriangles(40)], { ...RUNS_AHEAD, warpIdFloor: 0, slotPolicy: 'vertex-first' });
    expect(render).toThrowError(/nothing can move/);
    expect(render).toThrowError(
      /shaderCore\[0\] holds \d shaded vertex warps of 4 slots for coreToAssembly \(4 of 4\)/,
    );
    expect(render).toThrowError(
      /taskScheduler has no warp ID for .*interpolatorToScheduler: vertices own 8 \(0 free\), fragments own 0/,
    );
  });
});
