/** Resources that are divided over the memories: bytes on the link, work of the copy engines. */
import type { Placement } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { defineInterconnect } from '../interconnect/interconnect-spec.ts';
import { parsePlacement } from '../placement/parse-placement.ts';
import { sampleFrame } from '../testing/measurement-samples.ts';
import { simulateFrames } from './simulate-frames.ts';

const CHIPLETS = 4;
const TEXTURE_BYTES = 6400;
const BUFFER_BYTES = 1600;

const FRAME = sampleFrame(10, [100, 100, 100, 100], {
  resources: [
    {
      ...{ sha256: 'a', bytes: TEXTURE_BYTES, kind: 'textures', isDrawn: false },
      ...{ store: 0, mipmaps: 1 },
    },
    { sha256: 'b', bytes: BUFFER_BYTES, kind: 'buffers', isDrawn: false, store: 2 },
    { sha256: 'c', bytes: 320, kind: 'programs', isDrawn: false },
  ],
  streamBytes: 480,
  copyWork: {
    timings: [400, 80, 100].map((cycles) => ({ cycles, counters: {} })),
    copies: [],
  },
});

function simulate(placement: Placement) {
  const { transfers, frames } = simulateFrames([FRAME], {
    chipletCount: CHIPLETS,
    isVisibilityChipletRendering: true,
    policy: 'static-blocks',
    interconnect: defineInterconnect({ topology: 'full', bytesPerCycle: 16, latencyCycles: 5 }),
    overlap: 'visibility-first',
    framesInFlight: 1,
    placement,
  });
  const bytesTo = (kind: string) =>
    transfers.filter((each) => each.kind === kind).map(({ to, bytes }) => [to, bytes]);
  const [pass] = frames[0]!.passes;
  return { resources: bytesTo('resources'), streams: bytesTo('streams'), pass: pass! };
}

describe('delivery of resources', () => {
  it('sends all of a replicated class to all, and stores all of it on each', () => {
    const { resources, streams, pass } = simulate(parsePlacement('replicated'));
    expect(resources).toEqual([[null, TEXTURE_BYTES + BUFFER_BYTES + 320]]);
    expect(streams).toEqual([[null, 480]]);
    expect(pass.copies.map(({ cycles }) => cycles)).toEqual([580, 580, 580, 580]);
  });

  it('sends and stores a part of an interleaved class, and of one that is placed later', () => {
    for (const word of ['interleaved', 'first-touch']) {
      const { resources, streams, pass } = simulate(parsePlacement(word));
      const part = (TEXTURE_BYTES + BUFFER_BYTES) / CHIPLETS;
      // Programs are in every memory. Streams are written by the output bus.
      expect(resources).toEqual([
        [null, 320],
        [1, part],
        [2, part],
        [3, part],
      ]);
      expect(streams).toEqual([]);
      expect(pass.copies.map(({ cycles }) => cycles)).toEqual([145, 145, 145, 145]);
    }
  });

  it('keeps a class on chiplet 0, of whose end the others learn after the latency', () => {
    const { resources, pass } = simulate(parsePlacement('textures=home,buffers=home'));
    expect(resources).toEqual([[null, 320]]);
    expect(pass.copies.map(({ chipletId, cycles }) => [chipletId, cycles])).toEqual([[0, 580]]);
    const [stored] = pass.copies;
    const others = pass.bins.filter(({ chipletId }) => chipletId > 0);
    expect(others.length).toBeGreaterThan(0);
    for (const { startCycle } of others) {
      expect(startCycle).toBeGreaterThanOrEqual(stored!.endCycle + 5);
    }
  });

  it('treats classes by themselves', () => {
    const { resources, streams } = simulate(parsePlacement('buffers=interleaved'));
    expect(resources).toEqual([
      [null, TEXTURE_BYTES + 320],
      [1, BUFFER_BYTES / CHIPLETS],
      [2, BUFFER_BYTES / CHIPLETS],
      [3, BUFFER_BYTES / CHIPLETS],
    ]);
    expect(streams).toEqual([[null, 480]]);
  });
});
