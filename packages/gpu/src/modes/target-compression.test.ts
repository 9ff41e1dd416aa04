/** Frames whose depth or color is compressed, beside the same frames without. */

import { type ChipletSpec, defineChipletSpec } from '@tessera/chiplet-spec';
import type { Counters } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { SimulatedChiplet } from '../chiplet/simulated-chiplet.ts';
import { type HarnessDraw, makeFrame, vertexAt } from '../testing/chiplet-harness.ts';

const TARGET = { widthPx: 130, heightPx: 126 };
const LAYERS = 4;
/** Caches that hold a small part of the target. */
const SMALL_CACHES: Partial<ChipletSpec> = {
  depthCacheBytes: 1024,
  depthCacheWays: 4,
  colorCacheBytes: 1024,
  colorCacheWays: 4,
};

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
  const spec = defineChipletSpec({ ...SMALL_CACHES, ...overrides });
  const chiplet = new SimulatedChiplet(spec);
  const options = { ...TARGET, sampleCount, spec, timing: 'cycle' } as const;
  const resident = chiplet.admitFrame(makeFrame(draws, options));
  const { stream } = chiplet.computeVisibility(resident, 0);
  return chiplet.renderBin(resident, 0, 0, stream.bins[0]!);
}

/** Returns the bytes that a target's client of memory moved. */
function bytesOf(target: 'color' | 'depth', counters: Counters): number {
  return counters[`memory.${target}BytesRead`]! + counters[`memory.${target}BytesWritten`]!;
}

describe('compression of a target', () => {
  it.each([
    ['depth', 'layers', 1],
    ['depth', 'layers', 4],
    ['depth', 'layers and shards', 1],
    ['color', 'layers', 1],
    ['color', 'layers', 4],
    ['color', 'layers and shards', 1],
  ] as const)(
    'moves fewer bytes for the same image: %s, %s, %i samples',
    (target, scene, sampleCount) => {
      const draws = [...layers('less'), ...(scene === 'layers' ? [] : shards())];
      const off = render(draws, {}, sampleCount);
      const compression = target === 'depth' ? 'hasDepthCompression' : 'hasColorCompression';
      const on = render(draws, { [compression]: true }, sampleCount);
      expect(on.colors).toHaveLength(1);
      expect(on.colors).toEqual(off.colors);
      for (const saved of ['writesSaved', 'readsSaved'] as const) {
        expect(off.counters[`${target}Cache.${saved}`]).toBe(0);
        expect(on.counters[`${target}Cache.${saved}`]).toBeGreaterThan(0);
      }
      const [less, more] = [on, off].map(({ counters }) => bytesOf(target, counters));
      expect(less).toBeLessThan(more!);
      // Layers compress in all blocks but those of the edge: about a quarter is moved.
      if (scene === 'layers') expect(less! / more!).toBeLessThan(0.5);
    },
  );

  it('does not change steep gradients of color', () => {
    const vertices = [
      ...vertexAt(TARGET, 0, 0, 0, [0, 0, 0, 1]),
      ...vertexAt(TARGET, 0, 2 * TARGET.heightPx, 0, [2, 0, 0, 1]),
      ...vertexAt(TARGET, 2 * TARGET.widthPx, 0, 0, [0, 2, 0, 1]),
    ];
    // Twice, so that blocks return to the cache.
    const draws: HarnessDraw[] = [{ vertices }, { vertices }];
    const off = render(draws, {});
    const on = render(draws, { hasColorCompression: true });
    expect(bytesOf('color', on.counters)).toBeGreaterThan(0);
    expect(on.cycles).toBe(off.cycles);
    expect(on.counters).toEqual(off.counters);
  });
});
