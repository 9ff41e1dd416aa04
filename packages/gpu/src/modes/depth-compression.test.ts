/** Frames whose depth is compressed, beside the same frames without. */

import { type ChipletSpec, defineChipletSpec } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { SimulatedChiplet } from '../chiplet/simulated-chiplet.ts';
import { type HarnessDraw, makeFrame, vertexAt } from '../testing/chiplet-harness.ts';

const TARGET = { widthPx: 130, heightPx: 126 };
const LAYERS = 4;

/** Layers from back to front that cover the target, each on a slope of its own. */
function layers(compare: 'less' | 'always'): HarnessDraw[] {
  return Array.from({ length: LAYERS }, (_, layer) => ({
    vertices: [
      ...vertexAt(TARGET, 0, 0, 0.8 - 0.2 * layer),
      ...vertexAt(TARGET, 0, 2 * TARGET.heightPx, 0.7 - 0.2 * layer),
      ...vertexAt(TARGET, 2 * TARGET.widthPx, 0, 0.75 - 0.2 * layer),
    ],
    state: { depth: { isTestEnabled: true, isWriteEnabled: true, compare } },
  }));
}

/** Small triangles at different depths, of which several meet in a block. */
function shards(): HarnessDraw[] {
  const vertices = Array.from({ length: 900 }, (_, i) => {
    const x = 4 * (i % 30) + (i % 3);
    const y = 4 * Math.floor(i / 30);
    const z = ((i * 37) % 100) / 100;
    return [
      ...vertexAt(TARGET, x, y, z),
      ...vertexAt(TARGET, x, y + 5, z / 2),
      ...vertexAt(TARGET, x + 5, y, -z),
    ];
  });
  const depth = { isTestEnabled: true, isWriteEnabled: true, compare: 'less' } as const;
  return [{ vertices: vertices.flat(), state: { depth } }];
}

function render(draws: readonly HarnessDraw[], overrides: Partial<ChipletSpec>, sampleCount = 1) {
  const spec = defineChipletSpec({ depthCacheBytes: 1024, depthCacheWays: 4, ...overrides });
  const chiplet = new SimulatedChiplet(spec);
  const options = { ...TARGET, sampleCount, spec, timing: 'cycle' } as const;
  const resident = chiplet.admitFrame(makeFrame(draws, options));
  const { stream } = chiplet.computeVisibility(resident, 0);
  return chiplet.renderBin(resident, 0, 0, stream.bins[0]!);
}

function depthBytes(counters: Readonly<Record<string, number | undefined>>): number {
  return counters['memory.depthBytesRead']! + counters['memory.depthBytesWritten']!;
}

describe('compression of depth', () => {
  it.each([
    ['layers', 1],
    ['layers', 4],
    ['layers and shards', 1],
  ])('moves fewer bytes for the same image: %s, %i samples', (scene, sampleCount) => {
    const draws = [...layers('less'), ...(scene === 'layers' ? [] : shards())];
    const off = render(draws, {}, sampleCount);
    const on = render(draws, { hasDepthCompression: true }, sampleCount);
    expect(on.colors).toHaveLength(1);
    expect(on.colors).toEqual(off.colors);
    expect(off.counters['depthCache.writesSaved']).toBe(0);
    expect(off.counters['depthCache.readsSaved']).toBe(0);
    expect(on.counters['depthCache.writesSaved']).toBeGreaterThan(0);
    expect(on.counters['depthCache.readsSaved']).toBeGreaterThan(0);
    expect(depthBytes(on.counters)).toBeLessThan(depthBytes(off.counters));
    // Layers compress in all blocks but those of the edge: about a quarter is moved.
    if (scene === 'layers') {
      expect(depthBytes(on.counters) / depthBytes(off.counters)).toBeLessThan(0.5);
    }
  });
});
