/**
 * Pixels that passes leave in the memories of the chiplets: the image of gathered pixels, every
 * line of a target written once, every request answered, and the same cycles whatever the host
 * does.
 */
import type { ChipEngine, ChipOptions } from '@tessera/chip';
import { DirectChip } from '@tessera/chip/testing';
import { DEFAULT_CHIPLET_SPEC, defineChipletSpec } from '@tessera/chiplet-spec';
import type { Counters, Frame } from '@tessera/frame';
import { ChipletMachine } from '@tessera/gpu';
import { LocalGpu, type RenderOptions } from '@tessera/local-gpu';
import {
  type BinAssignmentPolicyName,
  DEFAULT_INTERCONNECT,
  DEFAULT_OVERLAP,
  type FrameMeasurement,
  parsePlacement,
  type SimulatedFrames,
  simulateFrames,
} from '@tessera/multi-chiplet';
import { describe, expect, it } from 'vitest';
import { type ChainedPass, chainPasses } from '../support/chained-passes.ts';
import { readPassesFrame } from '../support/passes-capture.ts';

const EXACT = { timing: 'cycle', coupling: 'exact', grid: { kind: 'bins', count: 16 } } as const;
const PLACEMENTS = [
  'targets=kept',
  'targets=interleaved',
  'targets=kept,framebuffer=kept',
  'targets=interleaved,framebuffer=interleaved',
  'textures=interleaved,buffers=first-touch,streams=home,targets=kept,framebuffer=interleaved',
  'targets=gathered,framebuffer=kept',
];

async function render(frame: Frame, chipletCount: number, options: Partial<RenderOptions> = {}) {
  return await new LocalGpu({ chipletCount }).render(frame, { ...EXACT, ...options });
}

function sumOver({ machines }: SimulatedFrames, name: keyof Counters): number {
  return machines!.reduce((sum, { counters }) => sum + (counters[name] ?? 0), 0);
}

function linesOf(bytes: number): number {
  return Math.ceil(bytes / 64);
}

/** Lines of all bins that stay in memory: those of passes of the given classes with primitives. */
function storedLinesOf({ passes }: FrameMeasurement, classes: readonly string[]): number {
  return passes
    .filter(({ targets }) => classes.includes(targets!.targetClass))
    .flatMap(({ bins }) => bins)
    .reduce((sum, { pixels }) => sum + (pixels!.isEmpty ? 0 : linesOf(pixels!.bytes)), 0);
}

describe('targets in the memories of the chiplets', () => {
  it.each(PLACEMENTS)('have the pixels and counts of gathered ones: %s', async (text) => {
    const frame = readPassesFrame();
    for (const chipletCount of [1, 2, 8]) {
      const gathered = await render(frame, chipletCount);
      const { image, report } = await render(frame, chipletCount, {
        placement: parsePlacement(text),
      });
      expect(image.rgba).toEqual(gathered.image.rgba);
      expect(report.placement).toEqual(parsePlacement(text));
      for (const name of ['fragments', 'primitives', 'vertices'] as const) {
        expect(report.totals[name]).toBe(gathered.report.totals[name]);
      }
      if (chipletCount === 1) {
        expect(report.totals.cycles).toBe(gathered.report.totals.cycles);
        expect(report.link.bytes).toBe(0);
      }
    }
  });

  it.each(PLACEMENTS)('do not depend on windows or on the order of the host: %s', async (text) => {
    const { measurement } = await render(readPassesFrame(), 1);
    const frames = [measurement, measurement];
    const whole = simulate(frames, text);
    for (const maxWindowCycles of [1, 7]) {
      expect(simulate(frames, text, { maxWindowCycles })).toEqual(whole);
    }
    expect(simulate(frames, text, { isReversed: true })).toEqual(whole);
  });

  it.each(PLACEMENTS)('answer every request and store every line once: %s', async (text) => {
    const { measurement } = await render(readPassesFrame(), 1);
    const simulated = simulate([measurement], text);
    const { reads, writes } = simulated.remote!;
    const total = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0);
    expect(sumOver(simulated, 'remote.readsRequested')).toBe(total(reads));
    expect(sumOver(simulated, 'remote.readsServed')).toBe(total(reads));
    expect(sumOver(simulated, 'remote.writesRequested')).toBe(total(writes));
    expect(sumOver(simulated, 'remote.writesServed')).toBe(total(writes));
    const { targets, framebuffer, streams } = parsePlacement(text);
    const classes = [
      ...(targets === 'gathered' ? [] : ['targets']),
      ...(framebuffer === 'gathered' ? [] : ['framebuffer']),
    ];
    if (streams !== 'replicated') return;
    const streamLines = measurement.passes.reduce(
      (sum, { streamBytes }) => sum + linesOf(streamBytes),
      0,
    );
    // The bus writes streams and bins, and memories receive what crosses the link.
    const local = sumOver(simulated, 'memory.displayStoreBytesWritten') / 64;
    const stored = storedLinesOf(measurement, classes);
    expect(stored).toBeGreaterThan(0);
    expect(local + total(writes)).toBe(stored + streamLines);
    if (!text.includes('interleaved')) expect(total(writes)).toBe(0);
  });

  it('are stored by chiplet 0 if they are gathered, each line once', async () => {
    const { measurement } = await render(readPassesFrame(), 1);
    for (const [text, classes] of [
      ['replicated', ['targets', 'framebuffer']],
      ['streams=home', ['targets', 'framebuffer']],
      ['targets=kept', ['framebuffer']],
      ['targets=kept,framebuffer=kept', []],
    ] as const) {
      for (const chipletCount of [1, 4]) {
        const { machines } = simulate([measurement, measurement], text, { chipletCount });
        const written = machines!.map(({ counters }) => counters['memory.copyBytesWritten']);
        const gathered = chipletCount === 1 ? (['targets', 'framebuffer'] as const) : classes;
        const bytes = 2 * 64 * storedLinesOf(measurement, gathered);
        expect(written).toEqual(machines!.map((_, id) => (id === 0 ? bytes : 0)));
      }
    }
  });

  it.each(PLACEMENTS)('take the same cycles in the compiled chip: %s', async (text) => {
    const options = { grid: { kind: 'bins', count: 4 } } as const;
    const { measurement } = await render(readPassesFrame(), 1, options);
    const makeEngine = (chip: ChipOptions) => new DirectChip(chip);
    expect(simulate([measurement], text, { makeEngine })).toEqual(simulate([measurement], text));
  });

  it('come to an end with one entry of every table', async () => {
    const { measurement } = await render(readPassesFrame(), 1);
    const spec = defineChipletSpec({
      ...{ l2MissEntries: 1, l2CacheWays: 1, l2CacheBytes: 4096, l2WaitersPerMiss: 1 },
      ...{ remoteReadEntries: 1, remoteWriteEntries: 1, remoteServerEntries: 1 },
      placementPageBytes: 64,
    });
    for (const text of PLACEMENTS) {
      for (const chipletCount of [2, 5, 16]) {
        const { frames } = simulate([measurement], text, { spec, chipletCount });
        expect(frames).toHaveLength(1);
      }
    }
  });
});

/** 4 × 2 bins of 64×64 pixels on four chiplets, two bins on each in a row. */
const BLOCKS = { policy: 'static-blocks', grid: { kind: 'bins', count: 8 } } as const;
const BIN_BYTES = 64 * 64 * 4;
const BIN_LINES = BIN_BYTES / 64;
const HEADER_BYTES = 16;

async function bytesOf(passes: readonly ChainedPass[], text: string) {
  const placement = parsePlacement(text);
  const { report } = await render(chainPasses(passes), 4, { ...BLOCKS, placement });
  const { transfers, remote } = report.link;
  return {
    bins: transfers.bins.bytes,
    targets: transfers.targets.bytes,
    scanout: transfers.scanout.bytes,
    remote,
  };
}

describe('bytes of two passes', () => {
  it('are those of the screen if each bin samples what its chiplet drew', async () => {
    const passes = [{ into: 'texture' }, { into: 'screen', shift: [0, 0] }] as const;
    // Six of eight bins are on other chiplets than 0, in both passes.
    const gathered = await bytesOf(passes, 'replicated');
    expect(gathered.bins).toBe(2 * 6 * BIN_BYTES);
    expect(gathered.targets).toBe(8 * BIN_BYTES);
    const kept = await bytesOf(passes, 'targets=kept');
    expect(kept.bins).toBe(6 * HEADER_BYTES + 6 * BIN_BYTES);
    // A header and the place of each bin.
    expect(kept.targets).toBe(HEADER_BYTES + 2 * 8);
    expect(kept.remote!.reads).toEqual([0, 0, 0, 0]);
    const both = await bytesOf(passes, 'targets=kept,framebuffer=kept');
    expect(both.bins).toBe(2 * 6 * HEADER_BYTES);
  });

  it('are read by the display once if the framebuffer is not gathered', async () => {
    // Of the pixels, chiplet 0 holds a quarter.
    for (const word of ['kept', 'interleaved']) {
      const { measurement } = await render(chainPasses([{ into: 'screen' }]), 1, BLOCKS);
      const { transfers, frames } = simulate([measurement], `framebuffer=${word}`, BLOCKS);
      const scanned = transfers
        .filter(({ kind }) => kind === 'scanout')
        .sort((a, b) => a.from - b.from);
      expect(scanned.map(({ from, to, bytes }) => ({ from, to, bytes }))).toEqual(
        [1, 2, 3].map((from) => ({ from, to: 0, bytes: 2 * BIN_BYTES })),
      );
      for (const { requestCycle } of scanned) {
        expect(requestCycle).toBe(frames[0]!.endCycle + DEFAULT_INTERCONNECT.latencyCycles);
      }
    }
    // Bins of the right half are empty: cleared, or from the pass before.
    const half = { into: 'screen', rect: [-1, -1, 0, 1] } as const;
    for (const [passes, bins] of [
      [[half], 4],
      [[{ into: 'screen' }, { ...half, loads: ['color'] }], 8],
    ] as const) {
      const { measurement } = await render(chainPasses(passes), 1, BLOCKS);
      const text = 'targets=kept,framebuffer=kept';
      const { transfers, frames } = simulate([measurement], text, BLOCKS);
      const own = frames[0]!.passes[0]!.bins.filter(
        ({ chipletId }, bin) => chipletId === 0 && (bins === 8 || bin % 4 < 2),
      );
      const bytes = transfers
        .filter(({ kind }) => kind === 'scanout')
        .reduce((sum, each) => sum + each.bytes, 0);
      expect(bytes).toBe((bins - own.length) * BIN_BYTES);
    }
    expect((await bytesOf([{ into: 'screen' }], 'replicated')).scanout).toBe(0);
  });

  it('include each line that another chiplet drew once', async () => {
    // Chiplets have bins 0 and 1, 2 and 3, 4 and 5, 6 and 7. Each bin samples the next one of its
    // row, so every second bin samples one of another chiplet.
    const passes = [{ into: 'texture' }, { into: 'screen', shift: [64, 0] }] as const;
    const { remote } = await bytesOf(passes, 'targets=kept');
    expect(remote!.reads).toEqual([BIN_LINES, BIN_LINES, BIN_LINES, BIN_LINES]);
    const sent = remote!.bytes.map((row) => row.reduce((sum, bytes) => sum + bytes, 0));
    // A request, and a reply with a line, each with a header.
    expect(sent).toEqual(new Array(4).fill(BIN_LINES * (64 + 2 * HEADER_BYTES)));
  });

  it('include no pixels that only have the clear value', async () => {
    // The left half is drawn: bins 0, 1, 4 and 5. Bins of the right half sample it.
    const passes = [
      { into: 'texture', rect: [-1, -1, 0, 1] },
      { into: 'screen', shift: [128, 0] },
    ] as const;
    const { remote, bins } = await bytesOf(passes, 'targets=kept');
    expect(bins).toBe(6 * HEADER_BYTES + 6 * BIN_BYTES);
    expect(remote!.reads).toEqual([0, 2 * BIN_LINES, 0, 2 * BIN_LINES]);
  });

  it('have nothing of contents that a bin loads where it drew them', async () => {
    const rect = [-1, -1, 0, 1] as const;
    const passes = [
      { into: 'texture' },
      // Bins of the right half are empty and stay where they are.
      { into: 'texture', rect, loads: ['color'] },
      { into: 'screen', shift: [0, 0] },
    ] as const;
    const gathered = await bytesOf(passes, 'replicated');
    expect(gathered.targets).toBe(2 * 8 * BIN_BYTES);
    const kept = await bytesOf(passes, 'targets=kept');
    // The last pass reads what both passes before it drew.
    expect(kept.targets).toBe(HEADER_BYTES + 2 * 8 + HEADER_BYTES + 2 * 16);
    expect(kept.remote!.reads).toEqual([0, 0, 0, 0]);
  });

  it('have contents that a bin loads from the chiplets that drew them', async () => {
    const frame = chainPasses([{ into: 'screen' }, { into: 'screen', loads: ['color'] }]);
    const { measurement } = await render(frame, 1, { grid: BLOCKS.grid });
    for (const chipletCount of [2, 3, 5]) {
      const { frames, transfers } = simulate([measurement], 'targets=kept', { chipletCount });
      const [first, second] = frames[0]!.passes;
      const moved = first!.bins.filter(
        ({ chipletId }, bin) => chipletId !== second!.bins[bin]!.chipletId,
      );
      const contents = transfers.filter(
        ({ kind, binIndex }) => kind === 'targets' && binIndex !== null,
      );
      expect(contents).toHaveLength(moved.length);
      for (const { bytes, from, to, binIndex } of contents) {
        expect(bytes).toBe(BIN_BYTES);
        expect(from).toBe(first!.bins[binIndex!]!.chipletId);
        expect(to).toBe(second!.bins[binIndex!]!.chipletId);
      }
    }
  });

  it('have mipmap levels where their pixels are', async () => {
    const passes = [{ into: 'texture' }, { into: 'screen', shift: [0, 0] }] as const;
    const frame = chainPasses(passes, { isMipmapGenerated: true });
    const { measurement } = await render(frame, 1, { grid: BLOCKS.grid });
    const { frames } = simulate([measurement], 'targets=kept', { policy: 'static-blocks' });
    const [level] = measurement.passes[1]!.resources.flatMap(({ mipmaps }) => mipmaps ?? []);
    const { cycles } = measurement.passes[1]!.copyWork.timings[level!]!;
    const parts = frames[0]!.passes[1]!.copies.filter(({ kind }) => kind === 'upload');
    expect(parts.map(({ chipletId }) => chipletId)).toEqual([0, 1, 2, 3]);
    expect(parts.reduce((sum, part) => sum + part.cycles, 0)).toBe(cycles);
  });
});

interface SimulateOptions {
  readonly policy?: BinAssignmentPolicyName;
  readonly maxWindowCycles?: number;
  readonly isReversed?: boolean;
  readonly spec?: typeof DEFAULT_CHIPLET_SPEC;
  readonly chipletCount?: number;
  readonly makeEngine?: (options: ChipOptions) => ChipEngine;
}

function simulate(
  frames: readonly FrameMeasurement[],
  text: string,
  options: SimulateOptions = {},
): SimulatedFrames {
  const { maxWindowCycles, isReversed = false, spec = DEFAULT_CHIPLET_SPEC } = options;
  const { chipletCount = 4, makeEngine } = options;
  return simulateFrames(frames, {
    chipletCount,
    isVisibilityChipletRendering: true,
    policy: options.policy ?? 'dynamic-pull',
    interconnect: DEFAULT_INTERCONNECT,
    overlap: DEFAULT_OVERLAP,
    framesInFlight: 2,
    makeMachine: (sharing) => new ChipletMachine(spec, { sharing, makeEngine }),
    placement: parsePlacement(text),
    hostOrder: { isReversed, ...(maxWindowCycles === undefined ? {} : { maxWindowCycles }) },
  });
}
