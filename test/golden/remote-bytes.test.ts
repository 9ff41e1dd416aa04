/**
 * Heat maps of bytes by home add up to the reports of frames whose chiplets share their memories,
 * for several numbers of chiplets and placements.
 */
import { addCounters, type Counters, type Frame } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { parsePlacement } from '@tessera/multi-chiplet';
import { describe, expect, it } from 'vitest';
import { chainPasses } from '../support/chained-passes.ts';
import { GOLDEN_SCENES } from './scenes.ts';

const LINE_BYTES = 64;
const TEXTURED = ['texture-linear-interpolation', 'textured-quad', 'terrain'] as const;
const GPUS = [
  [2, 'interleaved'],
  [3, 'first-touch'],
  [5, 'home'],
  [4, 'textures=interleaved'],
  [7, 'textures=first-touch,buffers=home'],
] as const;
const TARGETS = ['targets=kept', 'targets=interleaved', 'textures=interleaved,targets=kept'];

/** Three passes: the second and third read what the one before drew, shifted to other bins. */
const CHAINED = chainPasses([
  { into: 'texture' },
  { into: 'screen', shift: [40, 70] },
  { into: 'screen', shift: [130, 20] },
]);

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Compares the maps of all homes with the report of a frame, and returns bytes and counters. */
async function compareWithReport(frame: Frame, chipletCount: number, word: string) {
  const gpu = new LocalGpu({ chipletCount });
  const placement = parsePlacement(word);
  const options = { timing: 'cycle', placement, policy: 'dynamic' } as const;
  const { report } = await gpu.render(frame, options);
  const { textureBytes } = report.link.remote!;
  const probe = gpu.probe(frame, options);
  const totalOf = (home?: number) => {
    const passes = report.passes.map((_, pass) =>
      probe.heatMap({ metric: 'remoteBytes', pass, home }),
    );
    return sum(passes.map(({ total }) => total));
  };
  expect(probe.textureReads.bytes).toEqual(textureBytes);
  for (let home = 0; home < chipletCount; home++) {
    expect(totalOf(home), `home ${home}`).toBe(sum(textureBytes.map((row) => row[home]!)));
  }
  const bytes = totalOf();
  expect(bytes).toBe(sum(textureBytes.flat()));
  for (const [id, row] of textureBytes.entries()) expect(row[id]).toBe(0);
  const counters: Counters = {};
  for (const chiplet of report.chiplets) addCounters(counters, chiplet.counters);
  return { bytes, counters };
}

describe('heat maps of bytes by home', () => {
  for (const [chipletCount, word] of GPUS) {
    it.each(TEXTURED)(`%s: equal the report, ${chipletCount} chiplets, ${word}`, async (name) => {
      const frame = await GOLDEN_SCENES[name]!();
      const { bytes, counters } = await compareWithReport(frame, chipletCount, word);
      const read = counters['remote.readsRequested']! * LINE_BYTES;
      expect(bytes).toBeLessThanOrEqual(read);
      // Only lookups of fragments read textures, so all reads have a pixel.
      if (word === 'textures=interleaved') expect(bytes).toBe(read);
      if (name !== 'terrain') expect(bytes).toBeGreaterThan(0);
    });
  }

  it.each(TARGETS)('equal the report of passes that read targets: %s', async (word) => {
    const { bytes } = await compareWithReport(CHAINED, 3, word);
    expect(bytes).toBeGreaterThan(0);
  });

  it('are lower than the lines that lookups name, where these are', async () => {
    const frame = await GOLDEN_SCENES['textured-quad']!();
    const placement = parsePlacement('interleaved');
    const probe = new LocalGpu({ chipletCount: 4 }).probe(frame, { timing: 'cycle', placement });
    const lines = probe.heatMap({ metric: 'textureLines', pass: 0 }).values;
    const bytes = probe.heatMap({ metric: 'remoteBytes', pass: 0 }).values;
    for (const [pixel, value] of bytes.entries()) {
      expect(value / LINE_BYTES, `pixel ${pixel}`).toBeLessThanOrEqual(lines[pixel]!);
    }
  });

  it('name what the request lacks', async () => {
    const frame = await GOLDEN_SCENES['textured-quad']!();
    const replicated = new LocalGpu({ chipletCount: 4 }).probe(frame, { timing: 'cycle' });
    const ask = { metric: 'remoteBytes', pass: 0 } as const;
    expect(() => replicated.heatMap(ask)).toThrow('whose placement is not replicated');
    const overdraw = { metric: 'overdraw', pass: 0, home: 1 } as const;
    expect(() => replicated.heatMap(overdraw)).toThrow('home: overdraw has no homes');
    const placement = parsePlacement('interleaved');
    const shared = new LocalGpu({ chipletCount: 4 }).probe(frame, { timing: 'cycle', placement });
    expect(() => shared.heatMap({ ...ask, home: 4 })).toThrow('there is no chiplet 4');
  });
});
