/** Other organizations of the chiplets, against two-level binning. */
import type { CompareFunction, Draw, Frame, Report } from '@tessera/frame';
import { LocalGpu, type RenderOptions } from '@tessera/local-gpu';
import {
  DEFAULT_INTERCONNECT,
  LINK_TOPOLOGY_NAMES,
  ORGANIZATIONS,
  type Organization,
  type SimulationOptions,
  simulateFrames,
} from '@tessera/multi-chiplet';
import { randomTrianglesFrame, terrainFrame } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';
import { readPassesFrame } from '../support/passes-capture.ts';

const SIZE = { widthPx: 320, heightPx: 240 } as const;
const TERRAIN = terrainFrame({ ...SIZE, triangles: 9000 });
const GPU = {
  ...{ isVisibilityChipletRendering: true, policy: 'static-blocks', overlap: 'none' },
  ...{ interconnect: DEFAULT_INTERCONNECT, framesInFlight: 1 },
} satisfies Partial<SimulationOptions>;
const BASELINES = ORGANIZATIONS.filter((name) => name !== 'binned');

/** Composition groups of the scenes that have some whose draws are divided. */
const GROUPS: Readonly<Record<string, readonly boolean[]>> = {
  'a terrain in draws': [true],
  'the first of equally deep fragments': [true],
  'the last of equally deep fragments': [true],
  'farthest fragments': [true],
  'groups that continue each other': [true, true],
  'several samples': [true],
  'several samples in groups': [true, false, true],
};

/** Divides the only draw of a frame into draws of as many indices. */
function inDraws(frame: Frame, count: number): Frame {
  const [pass] = frame.passes;
  const [draw] = pass!.draws;
  const triangles = draw!.count / 3;
  const border = (i: number) => 3 * Math.round((triangles * i) / count);
  const draws = Array.from({ length: count }, (_, i) => ({
    ...draw!,
    first: draw!.first + border(i),
    count: border(i + 1) - border(i),
  }));
  return { ...frame, passes: [{ ...pass!, draws }] };
}

/** Draws the same mesh several times in other colors, so that all fragments are equally deep. */
function withTies(compares: readonly CompareFunction[], changes: Partial<Frame> = {}): Frame {
  const [pass] = TERRAIN.passes;
  const [draw] = pass!.draws;
  const isGreater = compares.some((compare) => compare.startsWith('greater'));
  const draws = compares.map(
    (compare, i): Draw => ({
      ...draw!,
      uniforms: { ...draw!.uniforms, u_color: [(i + 1) / compares.length, 1 - i / 8, i % 2, 1] },
      state: { ...draw!.state, depth: { ...draw!.state.depth, compare } },
    }),
  );
  const clear = { ...pass!.clear, depth: isGreater ? 0 : 0.9375, stencil: 5 };
  return { ...TERRAIN, passes: [{ ...pass!, clear, draws }], ...changes };
}

const TIES = ['less', 'less', 'less', 'less', 'less'] as const;
const SCENES: Readonly<Record<string, Frame>> = {
  'a terrain in draws': inDraws(TERRAIN, 12),
  'the first of equally deep fragments': withTies(TIES),
  'the last of equally deep fragments': withTies(TIES.map(() => 'less-equal')),
  'farthest fragments': withTies(TIES.map(() => 'greater-equal')),
  'groups that continue each other': withTies(['less', 'less', 'less-equal', 'less-equal']),
  'several samples': withTies(TIES, { sampleCount: 4 }),
  'several samples in groups': withTies(['less', 'less', 'always', 'less', 'less'], {
    sampleCount: 4,
  }),
  'blended triangles': randomTrianglesFrame({ ...SIZE, seed: 3, count: 4100 }),
  passes: readPassesFrame(),
};

function render(frame: Frame, chipletCount: number, options: RenderOptions) {
  return new LocalGpu({ chipletCount }).render(frame, options);
}

function withoutWall({ wall: _, ...report }: Report) {
  return report;
}

describe('an organization', () => {
  it.each(Object.keys(SCENES))('gives the same image: %s', async (name) => {
    const frame = SCENES[name]!;
    const { image } = await render(frame, 4, {});
    for (const organization of BASELINES) {
      for (const chipletCount of [1, 3, 7]) {
        const other = await render(frame, chipletCount, { organization });
        expect(Buffer.compare(other.image.rgba, image.rgba), organization).toBe(0);
        if (organization !== 'sort-last' || GROUPS[name] === undefined) continue;
        const { passes } = other.measurement;
        expect(passes.map(({ composition }) => composition !== undefined)).toEqual(GROUPS[name]);
      }
    }
  });

  it.each(BASELINES.flatMap((name) => (['none', 'exact'] as const).map((c) => [name, c] as const)))(
    'has a report that repeats, whatever the hosts: %s, coupling %s',
    async (organization, coupling) => {
      const frame = SCENES['groups that continue each other']!;
      const options = { timing: 'cycle', organization, coupling } as const;
      const reports = [1, 3].map(async (hostCount) => {
        const gpu = new LocalGpu({ chipletCount: 4, hostCount });
        return withoutWall((await gpu.render(frame, options)).report);
      });
      const [one, three] = await Promise.all(reports);
      expect(three).toEqual(one);
      expect(one!.organization).toBe(organization);
    },
  );

  it.each(LINK_TOPOLOGY_NAMES)('works over any link: %s', async (topology) => {
    const interconnect = { topology, bytesPerCycle: 64, latencyCycles: 16 } as const;
    const frame = SCENES['a terrain in draws']!;
    for (const organization of BASELINES) {
      const options = { timing: 'cycle', organization, interconnect } as const;
      const { report } = await render(frame, 3, options);
      expect(report.totals.cycles).toBeGreaterThan(0);
    }
  });
});

describe('split-frame', () => {
  it('runs the whole phase on every chiplet and sends no streams', async () => {
    const options = { timing: 'cycle', coupling: 'none' } as const;
    const binned = (await render(TERRAIN, 4, options)).report;
    const split = (await render(TERRAIN, 4, { ...options, organization: 'split-frame' })).report;
    expect(split.visibility.primitivesIn).toBe(4 * binned.visibility.primitivesIn);
    expect(split.link.transfers.streams.bytes).toBe(0);
    expect(split.bins).toHaveLength(binned.bins.length);
    const busyOf = (report: Report) =>
      report.chiplets.reduce((sum, { busyCycles }) => sum + busyCycles!, 0);
    // Phases and bins take the same cycles; three phases are added.
    expect(busyOf(split)).toBe(busyOf(binned) + 3 * binned.visibility.cycles!);
  });
});

describe('alternate-frame', () => {
  it.each(['none', 'exact'] as const)(
    'renders a frame on each chiplet: coupling %s',
    async (coupling) => {
      const frames = Array.from({ length: 6 }, () => () => Promise.resolve(TERRAIN));
      const cyclesOf = async (organization: Organization, chipletCount: number) => {
        const { report } = await new LocalGpu({ chipletCount }).renderSequence(frames, {
          ...{ timing: 'cycle', coupling, organization, framesInFlight: chipletCount },
          onFrame: () => {},
        });
        return report;
      };
      const one = await cyclesOf('binned', 1);
      const three = await cyclesOf('alternate-frame', 3);
      // Frames that start at the same time share the link alone.
      expect(one.totals.cycles! / three.totals.cycles!).toBeGreaterThan(2.7);
      expect(three.chiplets.every(({ busyCycles }) => busyCycles! > 0)).toBe(true);
      // A frame alone is no faster than on one chiplet.
      const { report } = await render(TERRAIN, 3, {
        ...{ timing: 'cycle', coupling, organization: 'alternate-frame' },
      });
      const binCounts = report.chiplets.map(({ binCount }) => binCount);
      expect(binCounts).toEqual([report.bins.length, 0, 0]);
    },
  );
});

describe('sort-last', () => {
  it('divides draws, and sends what was drawn to the chiplets that compose it', async () => {
    const frame = SCENES['a terrain in draws']!;
    const options = { timing: 'cycle', coupling: 'none', organization: 'sort-last' } as const;
    const { report, measurement } = await render(frame, 4, options);
    const binned = (await render(frame, 4, { ...options, organization: 'binned' })).report;
    expect(report.visibility.primitivesIn).toBe(binned.visibility.primitivesIn);
    const { composition, bins, grid } = measurement.passes[0]!;
    const ownerOf = (binId: number) => (binId + Math.floor(binId / grid.columns)) % 4;
    expect(composition!.chipletIds).toEqual([0, 1, 2, 3]);
    const sent = bins.filter(
      ({ binId, layer }) => ownerOf(binId) !== composition!.chipletIds[layer!],
    );
    const bytes = sent.reduce((sum, { resultBytes }) => sum + resultBytes, 0);
    expect(report.link.transfers.layers).toMatchObject({ count: sent.length, bytes });
    // A pixel has 4 bytes of color, and 4 of depth and rank.
    const pixels = sent.reduce((sum, { binId }) => sum + composition!.bins[binId]!.samples, 0);
    expect(bytes).toBe(8 * pixels);
    // Composed bins leave the other chiplets once, without depth.
    const elsewhere = composition!.bins.filter((_, binId) => ownerOf(binId) > 0);
    const composed = elsewhere.reduce((sum, { samples }) => sum + 4 * samples, 0);
    expect(report.link.transfers.bins.bytes).toBe(composed);
  });

  it('composes nothing on one chiplet', async () => {
    const options = { timing: 'cycle', coupling: 'none' } as const;
    const frame = SCENES['a terrain in draws']!;
    const { report } = await render(frame, 1, { ...options, organization: 'sort-last' });
    const binned = await render(frame, 1, options);
    expect(report.chiplets[0]!.copyCycles).toBe(binned.report.chiplets[0]!.copyCycles);
    expect(report.visibility.cycles).toBe(binned.report.visibility.cycles);
  });

  it('refuses a measurement for another number of chiplets', async () => {
    const frame = SCENES['a terrain in draws']!;
    const options = { timing: 'cycle', coupling: 'none' } as const;
    const { measurement } = await render(frame, 2, { ...options, organization: 'sort-last' });
    const simulate = (chipletCount: number, organization: Organization) => () =>
      simulateFrames([measurement], { ...GPU, chipletCount, organization });
    expect(simulate(2, 'sort-last')).not.toThrow();
    expect(simulate(3, 'sort-last')).toThrow(
      'rendered for sort-last on 2 chiplets; sort-last on 3',
    );
    expect(simulate(2, 'binned')).toThrow('rendered for sort-last on 2 chiplets; binned on 2');
    const other = (await render(frame, 2, options)).measurement;
    expect(() =>
      simulateFrames([other], { ...GPU, chipletCount: 2, organization: 'sort-last' }),
    ).toThrow('rendered without sort-last');
  });

  it.each<[RenderOptions, string]>([
    [{ visibilityChiplets: 2 }, 'possible only with visibilityChiplets 1'],
    [{ isVisibilityChipletRendering: false }, 'possible only if chiplet 0 renders bins'],
    [{ splits: 1 }, 'possible only with split 0'],
  ])('refuses %o', async (options, message) => {
    const rendered = render(TERRAIN, 4, { ...options, organization: 'sort-last' });
    await expect(rendered).rejects.toThrow(`organization: sort-last is ${message}`);
  });
});
