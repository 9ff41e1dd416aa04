/** Streamed visibility, against visibility that is sent when its phase ends. */
import { defineChipletSpec } from '@tessera/chiplet-spec';
import { DEFAULT_PLACEMENT, type Frame, type Report } from '@tessera/frame';
import { LocalGpu, type RenderOptions } from '@tessera/local-gpu';
import { randomTrianglesFrame, terrainFrame } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';
import { readPassesFrame } from '../support/passes-capture.ts';

const SIZE = { widthPx: 320, heightPx: 240 } as const;
const TERRAIN = terrainFrame({ ...SIZE, triangles: 8000 });
/** Many draws, which segments end within. */
const DRAWS = manyDraws(terrainFrame({ ...SIZE, triangles: 1200 }), 3);
const SCENES: Readonly<Record<string, Frame>> = {
  terrain: TERRAIN,
  'the same mesh several times': DRAWS,
  'blended triangles': randomTrianglesFrame({ ...SIZE, seed: 3, count: 4100 }),
  passes: readPassesFrame(),
};
/** Segments of one batch. */
const SPEC = defineChipletSpec({ streamSegmentEntries: 512 });
const STREAM = { visibilityDelivery: 'stream' } as const;
/** Bytes of the head of a segment. */
const HEAD_BYTES = 16;

function manyDraws(frame: Frame, count: number): Frame {
  const [pass] = frame.passes;
  const draws = Array.from({ length: count }, () => pass!.draws[0]!);
  return { ...frame, passes: [{ ...pass!, draws }] };
}

function render(frame: Frame, chipletCount: number, options: RenderOptions) {
  return new LocalGpu({ chipletCount, spec: SPEC }).render(frame, options);
}

function withoutWall({ wall: _, ...report }: Report) {
  return report;
}

describe('streamed visibility', () => {
  it.each([
    ...Object.keys(SCENES).map((name) => [name, {}] as const),
    ['blended triangles', { cullsOccluded: true }] as const,
  ])('gives the image and the streams of a whole phase: %s, %o', async (name, switches) => {
    const options = { visibilitySwitches: switches, timing: 'functional' } as const;
    for (const visibilityChiplets of [1, 3]) {
      const phase = await render(SCENES[name]!, 5, { ...options, visibilityChiplets });
      const stream = await render(SCENES[name]!, 5, { ...options, visibilityChiplets, ...STREAM });
      expect(Buffer.compare(stream.image.rgba, phase.image.rgba)).toBe(0);
      const { segments, ...visibility } = stream.report.visibility;
      expect(visibility).toEqual(phase.report.visibility);
      expect(segments!.waitedCycles).toBeNull();
      for (const { visibilityParts, visibilitySegments, bins } of stream.measurement.passes) {
        const all = visibilityParts?.flatMap((part) => part.segments!) ?? visibilitySegments ?? [];
        const entries = bins.map(() => 0);
        for (const { binEntries, bytes } of all) {
          expect(bytes).toBeGreaterThanOrEqual(HEAD_BYTES);
          for (let at = 0; at < binEntries.length; at += 2) {
            entries[binEntries[at]!]! += binEntries[at + 1]!;
          }
        }
        const listed = bins.map(
          ({ binId }) => stream.report.bins.find(({ id }) => id === binId)!.primitives,
        );
        // A bin of several passes is in the report several times.
        if (stream.measurement.passes.length === 1) expect(entries).toEqual(listed);
      }
    }
  });

  it.each(
    (['none', 'exact'] as const).flatMap((coupling) =>
      (['static', 'dynamic-pull'] as const).flatMap((policy) =>
        [1, 3].map((count) => [coupling, policy, count] as const),
      ),
    ),
  )('is not slower: coupling %s, %s, %i chiplets of the phase', async (...settings) => {
    const [coupling, policy, visibilityChiplets] = settings;
    const options = { timing: 'cycle', coupling, policy, visibilityChiplets } as const;
    const phase = await render(TERRAIN, 4, options);
    const { report, image } = await render(TERRAIN, 4, { ...options, ...STREAM });
    expect(Buffer.compare(image.rgba, phase.image.rgba)).toBe(0);
    const { segments } = report.visibility;
    expect(segments!.count).toBeGreaterThan(3);
    // Bins begin while the phase runs, and wait for segments.
    const starts = report.bins.map(({ startCycle }) => startCycle!);
    const phaseEnd = report.passes[0]!.startCycle! + report.visibility.cycles!;
    if (visibilityChiplets === 1) {
      expect(Math.min(...starts)).toBeLessThan(phaseEnd);
      expect(segments!.waitedCycles).toBeGreaterThan(0);
    }
    // The first bins of a dynamic policy are chosen without the workload.
    expect(report.totals.cycles).toBeLessThan(phase.report.totals.cycles! * 1.05);
    // All chiplets get every segment in one broadcast.
    const { count, bytes } = segments!;
    expect(report.link.transfers.streams).toMatchObject({ count, bytes });
    const last = report.bins.map(({ endCycle }) => endCycle!);
    expect(Math.min(...last)).toBeGreaterThanOrEqual(phaseEnd);
  });

  it.each(['none', 'exact'] as const)(
    'takes the cycles of a phase on one chiplet: %s',
    async (coupling) => {
      const options = { timing: 'cycle', coupling } as const;
      const phase = await render(TERRAIN, 1, options);
      const stream = await render(TERRAIN, 1, { ...options, ...STREAM });
      const { cycles } = phase.report.totals;
      expect(Math.abs(stream.report.totals.cycles! - cycles!)).toBeLessThan(cycles! / 200);
      expect(stream.report.visibility.segments!.waitedCycles).toBe(0);
      expect(stream.report.link.transfers.streams.bytes).toBe(0);
    },
  );

  it.each(['none', 'exact'] as const)(
    'has the same report for any number of render hosts: %s',
    async (coupling) => {
      const options = { timing: 'cycle', coupling, visibilityChiplets: 2, ...STREAM } as const;
      const reports = [1, 3].map(async (hostCount) => {
        const { report } = await new LocalGpu({ chipletCount: 4, hostCount, spec: SPEC }).render(
          DRAWS,
          options,
        );
        return withoutWall(report);
      });
      expect(await reports[1]).toEqual(await reports[0]);
    },
  );

  it('works on machines that share memories', async () => {
    const placement = {
      ...DEFAULT_PLACEMENT,
      textures: 'interleaved',
      buffers: 'interleaved',
    } as const;
    const options = { timing: 'cycle', coupling: 'exact', placement } as const;
    const phase = await render(TERRAIN, 3, options);
    const stream = await render(TERRAIN, 3, { ...options, ...STREAM });
    expect(Buffer.compare(stream.image.rgba, phase.image.rgba)).toBe(0);
    expect(stream.report.totals.cycles).toBeLessThan(phase.report.totals.cycles!);
    expect(stream.report.visibility.segments!.waitedCycles).toBeGreaterThan(0);
  });

  it.each([
    ['none', 'dynamic-pull', true],
    ['after-own-bins', 'static', true],
    ['after-own-bins', 'dynamic-pull', true],
    ['visibility-first', 'static', false],
    ['visibility-first', 'dynamic-history', true],
  ] as const)(
    'overlaps with bins of other frames: %s, %s, chiplet 0 renders: %s',
    async (...settings) => {
      const [overlap, policy, isVisibilityChipletRendering] = settings;
      const frames = [DRAWS, readPassesFrame(), DRAWS].map((frame) => () => Promise.resolve(frame));
      const images: Buffer[] = [];
      for (const visibilityDelivery of ['phase', 'stream'] as const) {
        const taken: Buffer[] = [];
        await new LocalGpu({ chipletCount: 3, spec: SPEC }).renderSequence(frames, {
          ...{ timing: 'cycle', overlap, policy, isVisibilityChipletRendering, visibilityDelivery },
          coupling: policy === 'static' ? 'none' : 'exact',
          visibilityChiplets: 2,
          framesInFlight: overlap === 'none' ? 1 : 2,
          onFrame: ({ image }) => {
            taken.push(Buffer.from(image.rgba));
          },
        });
        images.push(Buffer.concat(taken));
      }
      expect(Buffer.compare(images[0]!, images[1]!)).toBe(0);
    },
  );

  it('renders no bin in the phase', async () => {
    const options = { timing: 'cycle', visibilityShader: 'full' } as const;
    const { report } = await render(SCENES['blended triangles']!, 3, { ...options, ...STREAM });
    expect(report.visibility.earlyBins).toBe(0);
  });

  it.each<[RenderOptions, string]>([
    [
      { splits: 2 },
      'visibilityDelivery: stream is possible only without split bins, and split is 2',
    ],
    [
      { timing: 'cycle', placement: { ...DEFAULT_PLACEMENT, streams: 'home' } },
      'visibilityDelivery: stream is possible only with placement streams=replicated',
    ],
  ])('is refused: %o', async (options, message) => {
    await expect(render(DRAWS, 4, { ...options, ...STREAM })).rejects.toThrow(message);
  });
});
