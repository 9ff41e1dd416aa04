/**
 * A screen with several samples per pixel: the image is that of a multisampled texture that a copy
 * resolves, for any number of chiplets, policy, grid and coupling. Each chiplet resolves the bins
 * that it rendered.
 */
import type { Frame, Image, Report } from '@tessera/frame';
import { LocalGpu, type RenderOptions } from '@tessera/local-gpu';
import { parsePlacement } from '@tessera/multi-chiplet';
import { describe, expect, it } from 'vitest';
import {
  LAST_COPY,
  MIDDLE_COPY,
  multisampledScreenFrame,
  withoutMultisampledScreen,
} from '../support/multisampled-screen.ts';

const BINS = { kind: 'bins', count: 6 } as const;
const TIMINGS = [
  { timing: 'functional' },
  { timing: 'cycle', coupling: 'none' },
  { timing: 'cycle', coupling: 'exact' },
] as const;

/** Returns the rows of a texture from the top. */
function rowsFromTop(texels: Uint8Array, { widthPx, heightPx }: Frame): Uint8Array {
  const rows = Array.from({ length: heightPx }, (_, y) =>
    texels.subarray(4 * widthPx * y, 4 * widthPx * (y + 1)),
  );
  return Uint8Array.from(rows.reverse().flatMap((row) => [...row]));
}

function withoutWall({ wall: _wall, ...report }: Report) {
  return report;
}

/** Lines that the copy engines read or wrote, over all chiplets. */
function copiedBytes(report: Report) {
  const sum = (name: 'memory.copyBytesRead' | 'memory.copyBytesWritten') =>
    report.chiplets.reduce((total, { counters }) => total + (counters[name] ?? 0), 0);
  return { read: sum('memory.copyBytesRead'), written: sum('memory.copyBytesWritten') };
}

describe.each([4, 8])('a screen of %i samples per pixel', (samples) => {
  const frame = multisampledScreenFrame(samples);

  async function render(options: Partial<RenderOptions>, chipletCount = 3, hostCount = 1) {
    const gpu = new LocalGpu({ chipletCount, hostCount });
    return await gpu.render(frame, { grid: BINS, ...options });
  }

  it('has the image and the copies of a texture that is resolved', async () => {
    const { image, drawnTextures, report } = await render({});
    const reference = withoutMultisampledScreen(frame);
    const expected = await new LocalGpu().render(reference.frame, { grid: BINS });
    const texels = (index: number) => expected.drawnTextures.get(index)!.levels[0]!;
    expect(image.rgba).toEqual(rowsFromTop(texels(reference.resolved), frame));
    for (const index of [MIDDLE_COPY, LAST_COPY]) {
      expect(drawnTextures.get(index)!.levels[0]).toEqual(texels(index));
    }
    expect(report.passes[1]!.queryCounts).toEqual(expected.report.passes[1]!.queryCounts);
    const { image: single } = await new LocalGpu().render({ ...frame, sampleCount: 1 }, {});
    expect(image.rgba).not.toEqual(single.rgba);
  });

  it('has one image, whatever the chiplets, policy, grid, parts and timing are', async () => {
    const { image } = await render({});
    const images: Image[] = [];
    for (const timing of TIMINGS) {
      for (const chipletCount of [1, 2, 5]) {
        for (const policy of ['static-blocks', 'dynamic']) {
          images.push((await render({ ...timing, policy }, chipletCount)).image);
        }
      }
      for (const count of [1, 4, 32]) {
        images.push((await render({ ...timing, grid: { kind: 'bins', count } })).image);
      }
      images.push((await render({ ...timing, splits: 3 }, 2)).image);
      images.push((await render({ ...timing, isVisibilityChipletRendering: false })).image);
    }
    for (const { rgba } of images) expect(rgba).toEqual(image.rgba);
  });

  it.each(TIMINGS)('has the same report on any number of hosts: %o', async (timing) => {
    const one = await render({ ...timing, policy: 'dynamic' });
    const three = await render({ ...timing, policy: 'dynamic' }, 3, 3);
    expect(withoutWall(three.report)).toEqual(withoutWall(one.report));
  });

  it.each(TIMINGS.slice(1))('is resolved by the chiplets that render bins: %o', async (timing) => {
    // One pass without copies, so that copy engines only store resources and resolve.
    const [first] = frame.passes;
    const firstPass = { ...frame, passes: [first!], textures: [] };
    const options = { ...timing, grid: BINS, policy: 'static-blocks' } as const;
    const stored = { ...firstPass, sampleCount: 1 };
    for (const chipletCount of [1, 4]) {
      const gpu = new LocalGpu({ chipletCount });
      const { report, measurement } = await gpu.render(firstPass, options);
      const { report: single } = await gpu.render(stored, options);
      const [pass] = measurement.passes;
      const sharers = pass!.bins.filter(({ resolveShare }) => resolveShare !== undefined);
      expect(sharers.length).toBeGreaterThan(chipletCount);
      const { resolve, timings } = pass!.copyWork;
      expect(timings[resolve!]!.counters['memory.copyBytesRead']).toBeGreaterThan(
        samples * (timings[resolve!]!.counters['memory.copyBytesWritten']! - 64),
      );
      for (const [id, chiplet] of report.chiplets.entries()) {
        expect(chiplet.copyCycles).toBeGreaterThan(single.chiplets[id]!.copyCycles!);
      }
      expect(report.passes[0]!.copyCycles).toBeGreaterThan(0);
      expect(single.passes[0]!.copyCycles).toBe(0);
      const { read, written } = copiedBytes(report);
      const before = copiedBytes(single);
      const resolved = sharers.reduce((sum, { resolveShare }) => sum + resolveShare!.size!, 0);
      // Shares are rounded to whole bytes, by bin.
      expect(Math.abs(read - before.read - 4 * samples * resolved)).toBeLessThan(2 * 64);
      expect(Math.abs(written - before.written - 4 * resolved)).toBeLessThan(2 * 64);
      expect(report.totals.cycles).toBeGreaterThan(single.totals.cycles!);
    }
  });

  it('sends resolved pixels over the link', async () => {
    const [first] = frame.passes;
    const options = { timing: 'cycle', coupling: 'none', grid: BINS } as const;
    const gpu = new LocalGpu({ chipletCount: 4 });
    const firstPass = { ...frame, passes: [first!], textures: [] };
    const { measurement } = await gpu.render(firstPass, options);
    const pixels = frame.widthPx * frame.heightPx;
    const bytes = measurement.passes[0]!.bins.reduce((sum, bin) => sum + bin.resultBytes, 0);
    expect(bytes).toBe(4 * pixels);
  });

  it('has the same image and totals if its pixels stay in memory', async () => {
    const { image } = await render({});
    for (const text of ['targets=kept,framebuffer=kept', 'targets=interleaved']) {
      const placement = parsePlacement(text);
      const kept = await render({ timing: 'cycle', coupling: 'exact', placement }, 4);
      expect(kept.image.rgba).toEqual(image.rgba);
      expect(kept.report.totals.cycles).toBeGreaterThan(0);
    }
  });

  it('is probed sample by sample', async () => {
    const gpu = new LocalGpu();
    const { image, passImages } = await render({});
    const probe = gpu.probe(frame, { grid: BINS });
    const last = probe.screenPass;
    expect(last).toBe(2);
    expect(probe.imageAfter(last, 0).rgba).toEqual(image.rgba);
    expect(probe.imageAfter(0, 1).rgba).toEqual(passImages[0]!.rgba);
    // The mean of the samples' last colors is the pixel.
    let mixed = 0;
    for (let x = 60; x < 140; x += 3) {
      const colors = Array.from({ length: samples }, (_, sample) => {
        const history = probe.pixelHistory({ pass: last, x, y: 64, sample });
        expect(history.sampleCount).toBe(samples);
        return history.final.colors[0]!;
      });
      const at = 4 * (64 * frame.widthPx + x);
      const mean = [0, 1, 2, 3].map((c) =>
        Math.floor(colors.reduce((sum, color) => sum + color[c]!, 0) / samples + 0.5),
      );
      expect([...image.rgba.subarray(at, at + 4)]).toEqual(mean);
      if (new Set(colors.map(String)).size > 1) mixed++;
    }
    expect(mixed).toBeGreaterThan(0);
    expect(() => probe.pixelHistory({ pass: last, x: 0, y: 0, sample: samples })).toThrow(
      `there is no sample ${samples}`,
    );
  });
});
