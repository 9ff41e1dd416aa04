/**
 * Laws that hold for coupled chiplets whatever they draw: what is requested is answered, what is
 * sent is received, and warm caches never cost reads of memory. Checked for random scenes.
 */
import { REMOTE_CACHES } from '@tessera/chip/records';
import { type ChipletSpec, defineChipletSpec } from '@tessera/chiplet-spec';
import { type Counters, type Frame, PLACEMENTS } from '@tessera/frame';
import { ChipletMachine } from '@tessera/gpu';
import { LocalGpu } from '@tessera/local-gpu';
import {
  DEFAULT_OVERLAP,
  defineInterconnect,
  type FrameMeasurement,
  LINK_TOPOLOGY_NAMES,
  parsePlacement,
  type SimulatedFrames,
  simulateFrames,
} from '@tessera/multi-chiplet';
import { randomTrianglesFrame, terrainFrame } from '@tessera/scenes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const LINE_BYTES = 64;
const SHARED = PLACEMENTS.filter((name) => name !== 'replicated');
/** Random scenes, of which a check draws the same ones in each run. */
const RUNS = { numRuns: 12, seed: 31 };

const anyFrame: fc.Arbitrary<Frame> = fc
  .record({
    seed: fc.nat(1_000_000),
    count: fc.integer({ min: 1, max: 160 }),
    size: fc.constantFrom(0.1, 0.5, 1.5),
    isTerrain: fc.boolean(),
    widthPx: fc.integer({ min: 65, max: 200 }),
  })
  .map(({ isTerrain, count, ...options }) =>
    isTerrain
      ? terrainFrame({ ...options, heightPx: 96, triangles: 8 * count })
      : randomTrianglesFrame({ ...options, heightPx: 96, count }),
  );

const anyGpu = fc.record({
  binCount: fc.integer({ min: 1, max: 24 }),
  chipletCount: fc.constantFrom(2, 3, 4, 8, 16),
  topology: fc.constantFrom(...LINK_TOPOLOGY_NAMES),
  classes: fc.record({
    textures: fc.constantFrom(...PLACEMENTS),
    buffers: fc.constantFrom(...SHARED),
    streams: fc.constantFrom(...PLACEMENTS),
  }),
  spec: fc
    .record({
      remoteCache: fc.constantFrom(...REMOTE_CACHES),
      placementPageBytes: fc.constantFrom(64, 1024, 4096),
      remoteHeaderBytes: fc.constantFrom(8, 16, 48),
      remoteInterfaceCycles: fc.constantFrom(0, 5, 31),
    })
    .map((overrides) => defineChipletSpec(overrides)),
});

interface SimulatedGpu {
  readonly chipletCount: number;
  readonly topology: string;
  readonly spec: ChipletSpec;
  readonly classes: Readonly<Record<'textures' | 'buffers' | 'streams', string>>;
}

async function measure(frame: Frame, binCount: number, coupling: 'none' | 'exact') {
  const grid = { kind: 'bins', count: binCount } as const;
  return await new LocalGpu().render(frame, { timing: 'cycle', coupling, grid });
}

function simulate(measurement: FrameMeasurement, gpu: SimulatedGpu): SimulatedFrames {
  const { chipletCount, topology, spec, classes } = gpu;
  const words = Object.entries(classes).map(([name, word]) => `${name}=${word}`);
  return simulateFrames([measurement], {
    chipletCount,
    isVisibilityChipletRendering: true,
    policy: 'dynamic-pull',
    interconnect: defineInterconnect({ topology }),
    overlap: DEFAULT_OVERLAP,
    framesInFlight: 1,
    makeMachine: (sharing) => new ChipletMachine(spec, { sharing }),
    placement: parsePlacement(words.join(',')),
  });
}

const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0);

describe('chiplets that share their memories', () => {
  it('answer every request once, and receive every byte that was sent', async () => {
    let requests = 0;
    await fc.assert(
      fc.asyncProperty(anyFrame, anyGpu, async (frame, gpu) => {
        const { measurement } = await measure(frame, gpu.binCount, 'exact');
        const { machines, remote } = simulate(measurement, gpu);
        const by = (name: keyof Counters) => machines!.map(({ counters }) => counters[name] ?? 0);
        const [reads, writes, pages] = [
          by('remote.readsRequested'),
          by('remote.writesRequested'),
          by('remote.pagesAsked'),
        ];
        const [readsServed, writesServed] = [by('remote.readsServed'), by('remote.writesServed')];
        expect(reads).toEqual(remote!.reads);
        expect(writes).toEqual(remote!.writes);
        expect(sum(readsServed)).toBe(sum(reads));
        expect(sum(writesServed)).toBe(sum(writes));
        // Memory reads each line that was asked for.
        expect(by('memory.remoteBytesRead')).toEqual(readsServed.map((each) => LINE_BYTES * each));
        // A message is a request or its reply, and one of the two has the line.
        const header = gpu.spec.remoteHeaderBytes;
        const isSpread = Object.values(gpu.classes).includes('first-touch');
        for (const id of machines!.keys()) {
          const sent = sum(remote!.bytes[id]!);
          const received = sum(remote!.bytes.map((row) => row[id]!));
          const [requested, served] = [
            reads[id]! + writes[id]!,
            readsServed[id]! + writesServed[id]!,
          ];
          const messages = header * (requested + served + pages[id]!);
          const pagesAnswered = sent - messages - LINE_BYTES * (writes[id]! + readsServed[id]!);
          expect(pagesAnswered % header).toBe(0);
          expect(pagesAnswered).toBeGreaterThanOrEqual(0);
          if (!isSpread) expect(pagesAnswered).toBe(0);
          // Answers to pages are as long as the questions, which this chiplet received.
          expect(received).toBe(
            messages + pagesAnswered + LINE_BYTES * (reads[id]! + writesServed[id]!),
          );
          expect(sum(remote!.intervals.sent[id]!)).toBe(sent);
          expect(sum(remote!.intervals.received[id]!)).toBe(received);
          expect(remote!.bytes[id]![id]).toBe(0);
        }
        requests += sum(reads);
      }),
      RUNS,
    );
    expect(requests).toBeGreaterThan(1_000);
  });
});

describe('a list of bins', () => {
  it('reads no more of memory than the bins by themselves, on any number of chiplets', async () => {
    let saved = 0;
    await fc.assert(
      fc.asyncProperty(anyFrame, anyGpu, async (frame, { binCount, chipletCount, topology }) => {
        const isolated = await measure(frame, binCount, 'none');
        const bytesAlone = sum(
          isolated.report.chiplets.map(({ counters }) => counters['memory.bytesRead'] ?? 0),
        );
        const { measurement } = await measure(frame, binCount, 'exact');
        for (const count of [1, chipletCount]) {
          const { machines } = simulate(measurement, {
            ...{ chipletCount: count, topology, spec: defineChipletSpec() },
            classes: { textures: 'replicated', buffers: 'replicated', streams: 'replicated' },
          });
          const bytes = sum(machines!.map(({ counters }) => counters['memory.bytesRead'] ?? 0));
          // Copy engines do the same work in both, and are not part of the machines.
          const bound = bytesAlone - copiedBytes(isolated.measurement);
          expect(bytes).toBeLessThanOrEqual(bound);
          saved += bound - bytes;
        }
      }),
      RUNS,
    );
    expect(saved).toBeGreaterThan(0);
  });
});

/** Returns the bytes that the copy engine of one chiplet reads. */
function copiedBytes({ passes }: FrameMeasurement): number {
  return sum(
    passes.flatMap(({ copyWork }) =>
      copyWork.timings.map(({ counters }) => counters['memory.bytesRead'] ?? 0),
    ),
  );
}
