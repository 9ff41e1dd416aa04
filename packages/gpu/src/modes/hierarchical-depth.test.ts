/** Hierarchical depth of the simulated chip beside draws that store greater depths. */

import { defineChipletSpec } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { SimulatedChiplet } from '../chiplet/simulated-chiplet.ts';
import { type HarnessDraw, makeFrame, vertexAt } from '../testing/chiplet-harness.ts';

/** One block of 4×4 pixels. */
const TARGET = { widthPx: 4, heightPx: 4 };

function layers(z: number, compare: 'less' | 'always' | 'never', count = 1): HarnessDraw {
  const corners = [
    [0, 0],
    [0, 8],
    [8, 0],
  ] as const;
  return {
    vertices: Array.from({ length: count }, () =>
      corners.flatMap(([x, y]) => vertexAt(TARGET, x, y, z)),
    ).flat(),
    state: { depth: { isTestEnabled: true, isWriteEnabled: true, compare } },
  };
}

describe('a draw that stores greater depths', () => {
  it.each([0, 9, 100])('raises the bound for good, %i cycles after a test', (delay) => {
    // The first layer is still on its way to its depth test when the second one raises the bound.
    const draws = [
      layers(-0.5, 'less'),
      layers(0.5, 'always'),
      layers(0.9, 'never', 200),
      layers(0, 'less'),
    ];
    const spec = defineChipletSpec({ hierarchicalDepthDelayCycles: delay });
    const chiplet = new SimulatedChiplet(spec);
    const frame = makeFrame(draws, { ...TARGET, timing: 'cycle' });
    const resident = chiplet.admitFrame(frame);
    const { stream } = chiplet.computeVisibility(resident, 0);
    const { counters } = chiplet.renderBin(resident, 0, 0, stream.bins[0]!);
    expect(counters['output.fragmentsWritten']).toBe(3 * 16);
  });
});
