import { parsePlacement } from '@tessera/multi-chiplet';
import { randomTrianglesFrame, texturedQuadFrame } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';
import { LocalGpu } from '../local-gpu.ts';
import { SAMPLED_FIGURES } from './sampled-figures.ts';

const SIZE = { widthPx: 48, heightPx: 32 };
/** Sequence with two sets of programs and growing triangles. */
const FRAMES = [
  ...Array.from({ length: 8 }, (_, i) => randomTrianglesFrame({ ...SIZE, count: 4 + i, seed: i })),
  ...Array.from({ length: 4 }, () => texturedQuadFrame(SIZE)),
].map((frame) => async () => frame);
const OPTIONS = {
  grid: { kind: 'bins', count: 4 },
  goal: { halfWidthShare: 0.05, confidence: 0.95 },
} as const;

describe('a sampled sequence', () => {
  it('does not depend on the order of the frames', async () => {
    const gpu = new LocalGpu({ chipletCount: 2 });
    const { figures, totals, strata } = await gpu.sampleSequence(FRAMES, OPTIONS);
    const reversed = await gpu.sampleSequence(FRAMES.toReversed(), OPTIONS);
    expect(reversed).toMatchObject({ figures, totals, strata });
    expect(totals.sampledFrames).toBeLessThan(FRAMES.length);
    expect(new Set(strata.map(({ programs }) => programs.join())).size).toBe(2);
  });

  it('averages figures that do not add up', async () => {
    const gpu = new LocalGpu({ chipletCount: 2 });
    const triangles = FRAMES.slice(0, 8); // All differ, so all are timed.
    const goal = { halfWidthShare: 1e-6, confidence: 0.95 };
    const options = { ...OPTIONS, goal, figures: ['cycles', 'speedUp'] };
    const { figures, sampledFrames } = await gpu.sampleSequence(triangles, options);
    const speedUps = sampledFrames.map((frame) => frame.figures.speedUp!);
    const mean = speedUps.reduce((sum, each) => sum + each, 0) / triangles.length;
    expect(sampledFrames).toHaveLength(triangles.length);
    expect(figures.find(({ name }) => name === 'speedUp')!.estimate).toBeCloseTo(mean, 12);
    const alone = await new LocalGpu({ chipletCount: 1 }).render(await FRAMES[7]!(), {
      ...{ grid: OPTIONS.grid, timing: 'cycle', policy: 'static', overlap: 'none' },
    });
    const { cycles, speedUp } = sampledFrames[7]!.figures;
    expect(speedUp).toBe(alone.report.totals.cycles! / cycles!);
  });

  it('knows counts exactly if all frames are rendered, whichever are timed', async () => {
    const gpu = new LocalGpu({ chipletCount: 2 });
    const options = { ...OPTIONS, rendersAllFrames: true };
    const { figures, totals } = await gpu.sampleSequence(FRAMES, options);
    const reports = await Promise.all(
      FRAMES.map(async (make) => (await gpu.render(await make(), OPTIONS)).report),
    );
    const [fragments] = figures.filter(({ name }) => name === 'fragments');
    expect(totals.isExhaustive).toBe(false);
    expect(fragments).toMatchObject({ isCounted: true, halfWidth: 0 });
    expect(fragments!.estimate).toBe(
      reports.reduce((sum, report) => sum + report.totals.fragments, 0),
    );
  });

  it('renders timed frames alone, unless all are requested', async () => {
    const gpu = new LocalGpu({ chipletCount: 2 });
    const imagesWith = async (rendersAllFrames: boolean) => {
      const rendered: number[] = [];
      const options = { ...OPTIONS, rendersAllFrames };
      const { frames, figures } = await gpu.sampleSequence(FRAMES, {
        ...options,
        onImage: (_, index) => {
          rendered.push(index);
        },
      });
      const shown = frames.filter(({ imageSha256 }) => imageSha256 !== null);
      expect(rendered.sort((a, b) => a - b)).toEqual(shown.map(({ index }) => index));
      return { frames, shown, figures };
    };
    const some = await imagesWith(false);
    const all = await imagesWith(true);
    expect(all.shown).toHaveLength(FRAMES.length);
    expect(some.shown).toEqual(some.frames.filter(({ isSampled }) => isSampled));
    expect(some.figures.some(({ isCounted }) => isCounted)).toBe(false);
    const cyclesOf = ({ figures }: typeof all) => figures.find(({ name }) => name === 'cycles');
    expect(cyclesOf(some)).toEqual(cyclesOf(all));
  });

  it('times frames with placements that need cycles', async () => {
    const gpu = new LocalGpu({ chipletCount: 2 });
    const placement = parsePlacement('interleaved');
    const { figures, ...report } = await gpu.sampleSequence(FRAMES, { ...OPTIONS, placement });
    const [remote] = figures.filter(({ name }) => name === 'memory.remoteBytesRead');
    expect(report.placement).toEqual(placement);
    expect(remote!.estimate).toBeGreaterThan(0);
  });

  it('says in every row that it is sampled', async () => {
    const report = await new LocalGpu().sampleSequence(FRAMES, OPTIONS);
    expect(report.figures.map(({ name }) => name)).toEqual(SAMPLED_FIGURES.map(({ name }) => name));
    for (const row of [report, ...report.figures, ...report.sampledFrames]) {
      expect(row.sampled).toBe(true);
    }
  });

  it.each([
    [{ goal: { halfWidthShare: 0, confidence: 0.95 } }, 'goal.halfWidthShare: 0 is not in'],
    [{ goal: { halfWidthShare: 0.1, confidence: 1 } }, 'goal.confidence: 1 is not in'],
    [{ figures: ['speed'] }, "figures: 'speed' is neither a counter"],
    [{ figures: ['arbiter.longestWait'] }, "figures: 'arbiter.longestWait' is neither a counter"],
    [{ figures: [] }, 'figures: the list is empty'],
    [{ seed: -1 }, 'seed: -1 is not in'],
  ])('refuses %j', async (options, message) => {
    const sampling = new LocalGpu().sampleSequence(FRAMES, { ...OPTIONS, ...options });
    await expect(sampling).rejects.toThrow(message);
  });
});
