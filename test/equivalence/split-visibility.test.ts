/** Visibility phases that several chiplets share, against those of one chiplet. */
import { DEFAULT_PLACEMENT, type Frame, type Report } from '@tessera/frame';
import { LocalGpu, type RenderOptions } from '@tessera/local-gpu';
import { defineInterconnect, LINK_TOPOLOGY_NAMES } from '@tessera/multi-chiplet';
import { randomTrianglesFrame, terrainFrame } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';
import { readPassesFrame } from '../support/passes-capture.ts';

const SIZE = { widthPx: 320, heightPx: 240 } as const;
const TERRAIN = terrainFrame({ ...SIZE, triangles: 9000 });
/** Many draws, which parts end within. */
const DRAWS = manyDraws(terrainFrame({ ...SIZE, triangles: 2500 }), 5);
const SCENES: Readonly<Record<string, Frame>> = {
  terrain: TERRAIN,
  'the same mesh several times': DRAWS,
  'blended triangles': randomTrianglesFrame({ ...SIZE, seed: 3, count: 4100 }),
  passes: readPassesFrame(),
};

function manyDraws(frame: Frame, count: number): Frame {
  const [pass] = frame.passes;
  const draws = Array.from({ length: count }, () => pass!.draws[0]!);
  return { ...frame, passes: [{ ...pass!, draws }] };
}

function render(frame: Frame, chipletCount: number, options: RenderOptions) {
  return new LocalGpu({ chipletCount }).render(frame, options);
}

function withoutWall({ wall: _, ...report }: Report) {
  return report;
}

describe('a visibility phase on several chiplets', () => {
  it.each(
    Object.keys(SCENES).flatMap((name) =>
      [{}, { cullsOccluded: true }, { cullsPrimitives: false }].map(
        (visibilitySwitches) => [name, visibilitySwitches] as const,
      ),
    ),
  )('gives the image of one: %s, %o', async (name, visibilitySwitches) => {
    const frame = SCENES[name]!;
    const options = { visibilitySwitches, timing: 'functional' } as const;
    const one = await render(frame, 5, options);
    for (const visibilityChiplets of [2, 3, 5]) {
      const { image, report } = await render(frame, 5, { ...options, visibilityChiplets });
      expect(Buffer.compare(image.rgba, one.image.rgba)).toBe(0);
      expect(report.visibility.primitivesIn).toBe(one.report.visibility.primitivesIn);
      // Parts do not know what primitives of the others hide.
      const { primitivesListed } = report.visibility;
      const isSame = visibilitySwitches.cullsOccluded !== true;
      if (isSame) expect(primitivesListed).toBe(one.report.visibility.primitivesListed);
      else expect(primitivesListed).toBeGreaterThanOrEqual(one.report.visibility.primitivesListed);
      if (isSame) expect(report.visibility.streamBytes).toBe(one.report.visibility.streamBytes);
    }
  });

  it.each(['none', 'exact'] as const)(
    'takes a share of the cycles, and sends streams to all: coupling %s',
    async (coupling) => {
      const options = { timing: 'cycle', coupling } as const;
      const one = await render(TERRAIN, 4, options);
      for (const visibilityChiplets of [2, 4]) {
        const { report, image, measurement } = await render(TERRAIN, 4, {
          ...options,
          visibilityChiplets,
        });
        expect(Buffer.compare(image.rgba, one.image.rgba)).toBe(0);
        const alone = one.report.visibility.cycles!;
        // A part of this size starts and drains in a tenth of the phase.
        expect(report.visibility.cycles).toBeLessThan(alone / visibilityChiplets + alone / 10);
        expect(report.totals.cycles).toBeLessThan(one.report.totals.cycles!);
        const parts = measurement.passes[0]!.visibilityParts!;
        expect(parts).toHaveLength(visibilityChiplets);
        // Each is sent to all others at once.
        const sent = parts.reduce((sum, { streamBytes }) => sum + streamBytes, 0);
        expect(report.link.transfers.streams.bytes).toBe(sent);
        const ids = report.chiplets
          .filter(({ modes }) => modes.includes('visibility'))
          .map(({ id }) => id);
        expect(ids).toEqual(parts.map((_, part) => part));
        const shaded = (counters: Report['chiplets'][number]['counters']) =>
          counters['visibility.primitivesIn'] ?? 0;
        const shares = report.chiplets.map(({ counters }) => shaded(counters));
        expect(Math.max(...shares) - Math.min(...shares.slice(0, visibilityChiplets))).toBeLessThan(
          2,
        );
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(report.visibility.primitivesIn);
      }
    },
  );

  it.each(LINK_TOPOLOGY_NAMES)('sends streams over any link: %s', async (topology) => {
    const interconnect = defineInterconnect({ topology });
    const options = { timing: 'cycle', interconnect, visibilityChiplets: 6 } as const;
    const { report, image, measurement } = await render(TERRAIN, 6, options);
    const one = await render(TERRAIN, 6, { timing: 'functional' });
    expect(Buffer.compare(image.rgba, one.image.rgba)).toBe(0);
    const { visibilityParts } = measurement.passes[0]!;
    const sent = visibilityParts!.reduce((sum, { streamBytes }) => sum + streamBytes, 0);
    expect(report.link.transfers.streams).toMatchObject({ count: 6, bytes: sent });
  });

  it('has the same report for any number of render hosts', async () => {
    const options = { timing: 'cycle', visibilityChiplets: 3 } as const;
    const reports = [1, 3].map(async (hostCount) => {
      const { report } = await new LocalGpu({ chipletCount: 4, hostCount }).render(DRAWS, options);
      return withoutWall(report);
    });
    expect(await reports[1]).toEqual(await reports[0]);
  });

  it.each(
    (['none', 'after-own-bins', 'visibility-first'] as const).flatMap((overlap) =>
      (['static', 'dynamic-pull', 'dynamic-history'] as const).flatMap((policy) =>
        [true, false].map((renders) => [overlap, policy, renders] as const),
      ),
    ),
  )('overlaps with bins of other frames: %s, %s, chiplet 0 renders: %s', async (...settings) => {
    const [overlap, policy, isVisibilityChipletRendering] = settings;
    const images: Buffer[] = [];
    const frames = [TERRAIN, DRAWS, TERRAIN].map((frame) => () => Promise.resolve(frame));
    for (const visibilityChiplets of [1, 3]) {
      const gpu = new LocalGpu({ chipletCount: 3 });
      const taken: Buffer[] = [];
      await gpu.renderSequence(frames, {
        ...{ timing: 'cycle', overlap, policy, isVisibilityChipletRendering, visibilityChiplets },
        framesInFlight: overlap === 'none' ? 1 : 2,
        onFrame: ({ image }) => {
          taken.push(Buffer.from(image.rgba));
        },
      });
      images.push(Buffer.concat(taken));
    }
    expect(Buffer.compare(images[0]!, images[1]!)).toBe(0);
  });

  it('stays on chiplet 0 if it has less than two batches of primitives', async () => {
    const frame = terrainFrame({ ...SIZE, triangles: 1800 });
    const options = { timing: 'cycle', visibilityChiplets: 4 } as const;
    const { measurement } = await render(frame, 4, options);
    expect(measurement.passes[0]!.visibilityParts).toBeUndefined();
  });

  it.each<[RenderOptions, string]>([
    [{ visibilityChiplets: 5 }, 'visibilityChiplets: 5 is not 1 to 4, the number of chiplets'],
    [
      {
        visibilityChiplets: 2,
        timing: 'cycle',
        placement: { ...DEFAULT_PLACEMENT, streams: 'home' },
      },
      'visibilityChiplets: 2 is possible only with placement streams=replicated',
    ],
  ])('is refused: %o', async (options, message) => {
    await expect(render(TERRAIN, 4, options)).rejects.toThrow(message);
  });
});
