/**
 * Bins without primitives on chiplets that run on: a header leaves in place of their pixels, which
 * are the clear value or the contents from before the pass.
 */
import type { Counters, Frame, Report } from '@tessera/frame';
import { LocalGpu, type RenderOptions } from '@tessera/local-gpu';
import { describe, expect, it } from 'vitest';
import { GOLDEN_SCENES } from '../golden/scenes.ts';
import { readPassesFrame } from '../support/passes-capture.ts';

const CYCLE = { timing: 'cycle', grid: { kind: 'bins', count: 16 } } as const;
const HEADER_BYTES = 16;

async function render(frame: Frame, coupling: RenderOptions['coupling'], chipletCount: number) {
  const gpu = new LocalGpu({ chipletCount });
  return await gpu.render(frame, { ...CYCLE, coupling });
}

function sumOver(report: Report, name: keyof Counters): number {
  return report.chiplets.reduce((sum, { counters }) => sum + (counters[name] ?? 0), 0);
}

function ownerOf({ bins }: Report, passIndex: number, binId: number): number {
  return bins.find((bin) => bin.passIndex === passIndex && bin.id === binId)!.chiplet;
}

describe('bins without primitives', () => {
  it.each(['textured-quad', 'cube', 'passes'])(
    'leave their chiplets as a header: %s',
    async (name) => {
      const frame = name === 'passes' ? readPassesFrame() : await GOLDEN_SCENES[name]!();
      const { measurement, report, image } = await render(frame, 'exact', 4);
      const isolated = await render(frame, 'none', 4);
      expect(image.rgba).toEqual(isolated.image.rgba);
      let [linkBytes, busBytes, emptyBins] = [0, 0, 0];
      for (const [passIndex, pass] of measurement.passes.entries()) {
        busBytes += pass.streamBytes;
        for (const bin of pass.bins) {
          const isEmpty = bin.costTerms[1] === 0;
          const counts = report.passes[passIndex]!.queryCounts?.length ?? 0;
          const headerBytes = HEADER_BYTES + 8 * counts;
          expect(bin.pixels).toMatchObject({ headerBytes, isEmpty });
          emptyBins += isEmpty ? 1 : 0;
          const bytes = isEmpty ? headerBytes : bin.resultBytes;
          busBytes += bytes;
          if (ownerOf(report, passIndex, bin.binId) !== 0) linkBytes += bytes;
        }
      }
      expect(emptyBins).toBeGreaterThan(0);
      expect(report.link.transfers.bins.bytes).toBe(linkBytes);
      expect(sumOver(report, 'outputBus.bytesSent')).toBe(busBytes);
    },
  );

  it('leave as pixels if bins are timed by themselves', async () => {
    const { measurement, report } = await render(await GOLDEN_SCENES.terrain!(), 'none', 4);
    const [pass] = measurement.passes;
    const away = pass!.bins.filter(({ binId }) => ownerOf(report, 0, binId) !== 0);
    const bytes = away.reduce((sum, { resultBytes }) => sum + resultBytes, 0);
    expect(report.link.transfers.bins.bytes).toBe(bytes);
  });
});
