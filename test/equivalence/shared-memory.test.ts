/**
 * Chiplets that share their memories, under every placement: the image and the counts of copies in
 * all memories, every request answered, and reports that depend neither on the windows of the
 * simulation nor on the order in which the host advances machines.
 */
import type { ChipEngine, ChipOptions } from '@tessera/chip';
import { REMOTE_CACHES } from '@tessera/chip/records';
import { DirectChip } from '@tessera/chip/testing';
import { chipletPreset, DEFAULT_CHIPLET_SPEC, defineChipletSpec } from '@tessera/chiplet-spec';
import type { Counters, Frame, PlacementName, Report } from '@tessera/frame';
import { PLACEMENTS } from '@tessera/frame';
import { ChipletMachine } from '@tessera/gpu';
import { LocalGpu, type RenderOptions } from '@tessera/local-gpu';
import {
  DEFAULT_INTERCONNECT,
  DEFAULT_OVERLAP,
  defineInterconnect,
  type FrameMeasurement,
  LINK_TOPOLOGY_NAMES,
  parsePlacement,
  simulateFrames,
} from '@tessera/multi-chiplet';
import { describe, expect, it } from 'vitest';
import { GOLDEN_SCENES } from '../golden/scenes.ts';
import { readPassesFrame } from '../support/passes-capture.ts';

const EXACT = { timing: 'cycle', coupling: 'exact', grid: { kind: 'bins', count: 16 } } as const;
const SHARED = PLACEMENTS.filter((name) => name !== 'replicated');

async function render(frame: Frame, chipletCount: number, options: Partial<RenderOptions> = {}) {
  return await new LocalGpu({ chipletCount }).render(frame, { ...EXACT, ...options });
}

function sumOver(report: Report, name: keyof Counters): number {
  return report.chiplets.reduce((sum, { counters }) => sum + (counters[name] ?? 0), 0);
}

/** Counters of the kernels, which are not a matter of time. */
function functional(report: Report) {
  return (['raster.fragmentsCovered', 'geometry.verticesFetched'] as const).map((name) =>
    sumOver(report, name),
  );
}

describe('chiplets that share their memories', () => {
  it.each(Object.keys(GOLDEN_SCENES))(
    'draw the image of copies and answer every request: %s',
    async (name) => {
      const frame = await GOLDEN_SCENES[name]!();
      for (const chipletCount of [2, 3, 8]) {
        const copies = await render(frame, chipletCount);
        expect(copies.report.link.remote).toBeNull();
        for (const word of SHARED) {
          const { image, report } = await render(frame, chipletCount, {
            placement: parsePlacement(word),
          });
          expect(image.rgba).toEqual(copies.image.rgba);
          expect(functional(report)).toEqual(functional(copies.report));
          const remote = report.link.remote!;
          const counted = (counter: keyof Counters) =>
            report.chiplets.map(({ counters }) => counters[counter] ?? 0);
          const total = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0);
          expect(counted('remote.readsRequested')).toEqual(remote.reads);
          expect(counted('remote.writesRequested')).toEqual(remote.writes);
          expect(sumOver(report, 'remote.readsServed')).toBe(total(remote.reads));
          expect(sumOver(report, 'remote.writesServed')).toBe(total(remote.writes));
          expect(sumOver(report, 'memory.remoteBytesRead')).toBe(64 * total(remote.reads));
          expect(total(remote.reads)).toBeGreaterThan(0);
          // Each request has a reply of its own, and lines cross once.
          const header = DEFAULT_CHIPLET_SPEC.remoteHeaderBytes;
          const pages = sumOver(report, 'remote.pagesAsked');
          const messages = total(remote.reads) + total(remote.writes);
          expect(total(remote.bytes.flat())).toBe(64 * messages + 2 * header * (messages + pages));
          for (const [id, row] of remote.bytes.entries()) expect(row[id]).toBe(0);
          if (word === 'home') expect(remote.reads[0]).toBe(0);
          if (word !== 'first-touch') expect(pages).toBe(0);
        }
      }
    },
  );

  it('are one chiplet with its memory if there is one', async () => {
    const frame = readPassesFrame();
    const { report: copies } = await render(frame, 1);
    for (const word of SHARED) {
      const { report } = await render(frame, 1, { placement: parsePlacement(word) });
      expect({ ...report, wall: null, placement: null }).toEqual({
        ...copies,
        wall: null,
        placement: null,
      });
    }
  });

  it.each(SHARED)('do not depend on windows or on the order of the host: %s', async (word) => {
    for (const frame of [readPassesFrame(), await GOLDEN_SCENES['random-triangles']!()]) {
      const { measurement } = await render(frame, 1);
      const whole = simulate([measurement, measurement], word);
      for (const maxWindowCycles of [1, 7]) {
        expect(simulate([measurement, measurement], word, { maxWindowCycles })).toEqual(whole);
      }
      expect(simulate([measurement, measurement], word, { isReversed: true })).toEqual(whole);
    }
  });

  it.each(LINK_TOPOLOGY_NAMES)('share one network with all transfers: %s', async (topology) => {
    const { measurement } = await render(readPassesFrame(), 1);
    for (const word of SHARED) {
      for (const chipletCount of [2, 5]) {
        const options = { topology, chipletCount };
        const whole = simulate([measurement, measurement], word, options);
        for (const maxWindowCycles of [1, 7]) {
          const cut = simulate([measurement, measurement], word, { ...options, maxWindowCycles });
          expect(cut).toEqual(whole);
        }
        const reversed = { ...options, isReversed: true };
        expect(simulate([measurement, measurement], word, reversed)).toEqual(whole);
        const { machines, remote, transfers } = whole;
        const total = (name: keyof Counters) =>
          machines!.reduce((sum, { counters }) => sum + (counters[name] ?? 0), 0);
        const sumOf = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0);
        expect(total('remote.readsServed')).toBe(sumOf(remote!.reads));
        expect(total('remote.readsRequested')).toBe(sumOf(remote!.reads));
        expect(total('remote.writesServed')).toBe(sumOf(remote!.writes));
        expect(sumOf(remote!.reads)).toBeGreaterThan(0);
        for (const { channels } of transfers) expect(channels.length).toBeGreaterThan(0);
      }
    }
  });

  it('wait for transfers on their links, and the transfers for them', async () => {
    const { measurement } = await render(await GOLDEN_SCENES.terrain!(), 1);
    const endWith = (bytesPerCycle: number, word: PlacementName) =>
      simulate([measurement], word, { bytesPerCycle }).frames[0]!.endCycle;
    // Lines cross the bus as often as they are read, copies only once.
    const slowdown = (word: PlacementName) => endWith(16, word) / endWith(256, word);
    expect(slowdown('interleaved')).toBeGreaterThan(slowdown('replicated'));
  });

  it('keep remote lines where the specification says', async () => {
    const { measurement } = await render(await GOLDEN_SCENES.terrain!(), 1);
    const readsWith = (remoteCache: 'l2' | 'own' | 'none') => {
      const spec = defineChipletSpec({ remoteCache });
      const { machines } = simulate([measurement], 'interleaved', { spec });
      const sum = (name: keyof Counters) =>
        machines!.reduce((total, { counters }) => total + counters[name]!, 0);
      return { reads: sum('remote.readsRequested'), hits: sum('remote.lineHits') };
    };
    const [inL2, inOwn, inNone] = [readsWith('l2'), readsWith('own'), readsWith('none')];
    expect(inL2.hits).toBeGreaterThan(0);
    expect(inNone.hits).toBe(0);
    expect(inOwn.hits).toBeGreaterThan(0);
    expect(inNone.reads).toBeGreaterThan(inL2.reads);
    expect(inNone.reads).toBeGreaterThan(inOwn.reads);
  });

  it('wait less for lines if messages take no cycles inside their chiplets', async () => {
    const { measurement } = await render(await GOLDEN_SCENES.terrain!(), 1);
    const simulateWith = (remoteInterfaceCycles: number, maxWindowCycles?: number) =>
      simulate([measurement], 'interleaved', {
        spec: defineChipletSpec({ remoteInterfaceCycles }),
        ...(maxWindowCycles === undefined ? {} : { maxWindowCycles }),
      });
    const whole = simulateWith(0);
    expect(simulateWith(0, 1)).toEqual(whole);
    // The bins of a chiplet, and so the number of its reads, depend on the cycles too.
    const cyclesPerRead = ({ machines, remote }: typeof whole) => {
      const cycles = machines!.map(({ counters }) => counters['remote.readCycles']!);
      const sum = (values: readonly number[]) => values.reduce((all, each) => all + each, 0);
      return sum(cycles) / sum(remote!.reads);
    };
    const defaults = simulateWith(DEFAULT_CHIPLET_SPEC.remoteInterfaceCycles);
    // A read is two messages of 31 cycles. Reads that come faster wait longer for memory.
    const saved = cyclesPerRead(defaults) - cyclesPerRead(whole);
    expect(saved).toBeGreaterThan(31 / 2);
    expect(saved).toBeLessThan(2 * 31);
    expect(whole.frames[0]!.endCycle).toBeLessThan(defaults.frames[0]!.endCycle);
  });

  it('take the same cycles in the compiled chip and in TypeScript', async () => {
    const frame = await GOLDEN_SCENES['textured-quad']!();
    const { measurement } = await render(frame, 1, { grid: { kind: 'bins', count: 4 } });
    for (const word of SHARED) {
      const direct = simulate([measurement], word, {
        makeEngine: (options) => new DirectChip(options),
      });
      expect(direct).toEqual(simulate([measurement], word));
    }
  });

  it('come to an end with one entry of every table and one way per set', async () => {
    const frame = readPassesFrame();
    const { measurement } = await render(frame, 1);
    for (const chipletCount of [2, 5, 16]) {
      for (const word of SHARED) {
        for (const remoteCache of REMOTE_CACHES) {
          const spec = defineChipletSpec({
            l2MissEntries: 1,
            l2CacheWays: 1,
            l2CacheBytes: 4096,
            l2WaitersPerMiss: 1,
            remoteReadEntries: 1,
            remoteWriteEntries: 1,
            remoteServerEntries: 1,
            remoteCache,
            placementPageBytes: 256,
          });
          const { remote } = simulate([measurement], word, { spec, chipletCount });
          expect(Math.max(...remote!.reads)).toBeGreaterThan(0);
        }
      }
    }
  });

  it('take addresses in turn if frames have more passes than there are spaces', async () => {
    const { measurement } = await render(readPassesFrame(), 1);
    const frames = new Array<FrameMeasurement>(12).fill(measurement);
    const whole = simulate(frames, 'first-touch');
    expect(whole.frames).toHaveLength(12);
    expect(simulate(frames, 'first-touch', { maxWindowCycles: 7, isReversed: true })).toEqual(
      whole,
    );
  });

  it('refuse a placement that nothing would time', async () => {
    const placement = parsePlacement('interleaved');
    const frame = readPassesFrame();
    await expect(render(frame, 2, { placement, coupling: 'none' })).rejects.toThrow(
      /placement: only replicated is possible with timing cycle and coupling none/,
    );
    await expect(render(frame, 2, { placement, timing: 'functional' })).rejects.toThrow(
      /placement: only replicated is possible with timing functional/,
    );
    const interconnect = { ...DEFAULT_INTERCONNECT, latencyCycles: 0 };
    await expect(render(frame, 2, { placement, interconnect })).rejects.toThrow(
      /link latencyCycles: 0 is possible only with placement replicated/,
    );
    const lists = new LocalGpu({ chipletCount: 2, spec: chipletPreset('hmgpu') });
    await expect(lists.render(frame, { ...EXACT, placement })).rejects.toThrow(
      /placement: chiplets share memory only with pageStructure table/,
    );
  });
});

interface SimulateOptions {
  readonly maxWindowCycles?: number;
  /** Whether the host advances the last machine first. */
  readonly isReversed?: boolean;
  readonly spec?: typeof DEFAULT_CHIPLET_SPEC;
  readonly chipletCount?: number;
  readonly topology?: (typeof LINK_TOPOLOGY_NAMES)[number];
  readonly bytesPerCycle?: number;
  readonly makeEngine?: (options: ChipOptions) => ChipEngine;
}

function simulate(
  frames: readonly FrameMeasurement[],
  word: PlacementName,
  options: SimulateOptions = {},
) {
  const { maxWindowCycles, isReversed = false, spec = DEFAULT_CHIPLET_SPEC } = options;
  const { chipletCount = 4, topology, bytesPerCycle, makeEngine } = options;
  return simulateFrames(frames, {
    chipletCount,
    isVisibilityChipletRendering: true,
    policy: 'dynamic-pull',
    interconnect: defineInterconnect({ topology, bytesPerCycle }),
    overlap: DEFAULT_OVERLAP,
    framesInFlight: 2,
    makeMachine: (sharing) => new ChipletMachine(spec, { sharing, makeEngine }),
    placement: parsePlacement(word),
    hostOrder: { isReversed, ...(maxWindowCycles === undefined ? {} : { maxWindowCycles }) },
  });
}
