/** Cost in cycles of coding visibility streams. */
import { defineChipletSpec } from '@tessera/chiplet-spec';
import { LocalGpu, type RenderOptions } from '@tessera/local-gpu';
import { terrainFrame } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';

const TERRAIN = terrainFrame({ widthPx: 320, heightPx: 240, triangles: 6000 });

function render(interval: 'streamCoder' | 'streamDecoder', cycles: number, options: RenderOptions) {
  const spec = defineChipletSpec({ [`${interval}IntervalCycles`]: cycles });
  return new LocalGpu({ chipletCount: 2, spec }).render(TERRAIN, { timing: 'cycle', ...options });
}

describe.each(['none', 'exact'] as const)('coding, coupling %s', (coupling) => {
  it('takes an interval per listed entry, at the end of the phase if the binner is faster', async () => {
    const one = await render('streamCoder', 1, { coupling });
    const { primitivesListed, cycles } = one.report.visibility;
    expect(primitivesListed).toBeGreaterThan(3000);
    for (const interval of [4, 16]) {
      const { report, image } = await render('streamCoder', interval, { coupling });
      expect(Buffer.compare(image.rgba, one.image.rgba)).toBe(0);
      expect(report.visibility.primitivesListed).toBe(primitivesListed);
      const least = interval * primitivesListed;
      expect(report.visibility.cycles).toBeGreaterThanOrEqual(least);
      // Before the first and after the last entry, the phase takes as long as before.
      expect(report.visibility.cycles).toBeLessThan(least + cycles! / 2);
    }
  });

  it('takes an interval per visible primitive of a bin', async () => {
    const one = await render('streamDecoder', 1, { coupling });
    const interval = 64;
    const { report, image } = await render('streamDecoder', interval, { coupling });
    expect(Buffer.compare(image.rgba, one.image.rgba)).toBe(0);
    expect(report.visibility.cycles).toBe(one.report.visibility.cycles);
    expect(report.totals.cycles).toBeGreaterThan(one.report.totals.cycles!);
    for (const bin of report.bins) {
      // Machines decode a bin while the one before leaves.
      if (coupling === 'exact') continue;
      const cycles = bin.endCycle! - bin.startCycle!;
      expect(cycles).toBeGreaterThanOrEqual(interval * (bin.primitives - 1));
    }
  });

  it.each(['streamCoder', 'streamDecoder'] as const)(
    'of %s does not shorten a frame',
    async (name) => {
      const cycles: number[] = [];
      for (const interval of [1, 2, 8]) {
        cycles.push((await render(name, interval, { coupling })).report.totals.cycles!);
      }
      expect(cycles).toEqual(cycles.toSorted((a, b) => a - b));
    },
  );
});
