import {
  type BinResult,
  type Chiplet,
  coarseBinCount,
  makeCoarseBinGrid,
  type VisibilitySummary,
} from '@tessera/frame';
import { cubeFrame } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';
import { BinDispatcher } from '../dispatch/bin-dispatcher.ts';
import { Contributors } from '../dispatch/host-trust.ts';
import { prepareFrame } from '../prepare/prepare-frame.ts';
import { ProgramCache } from '../prepare/program-cache.ts';
import { renderPass } from './render-pass.ts';

const grid = makeCoarseBinGrid(128, 64, 2, 1);
const frame = prepareFrame(cubeFrame({ widthPx: 128, heightPx: 64 }), {
  grid,
  visibilityShader: 'minimal',
  timing: 'functional',
  programs: new ProgramCache(),
});

function makeSummary(earlyBin: BinResult | null, binCount = coarseBinCount(grid)) {
  const bins = Array.from({ length: binCount }, (_, binId) => ({
    binId,
    primitives: 1,
    streamBytes: 1,
    estimatedFragments: 1,
    estimatedFragmentInstructions: 1,
    estimatedVertexInstructions: 1,
  }));
  return { passIndex: 0, bins, counters: {}, cycles: null, spans: [], earlyBin };
}

function makeBin(binId: number, bytes: number): BinResult {
  return {
    frameId: 'f',
    passIndex: 0,
    binId,
    rect: { x: binId * 64, y: 0, width: 64, height: 64 },
    colors: [new Uint8Array(bytes)],
    depthStencil: null,
    counters: {},
    cycles: null,
    spans: [],
  };
}

async function render(summary: VisibilitySummary) {
  const faults: [Chiplet, string][] = [];
  const host: Chiplet = {
    id: 0,
    computeVisibility: async () => summary,
    renderBin: async ({ binId }) => makeBin(binId, 64 * 64 * 4),
    releaseFrame: () => {},
  };
  const rendered = renderPass(frame, {
    frameId: 'f',
    visibilityHost: host,
    isVisibilityChipletRendering: true,
    hosts: [host],
    dispatcher: new BinDispatcher({ onHostFault: (at, reason) => faults.push([at, reason]) }),
    contributors: new Contributors(),
    splits: 0,
    readClockMs: () => 0,
    onVisibility: () => {},
    onBin: () => {},
    onInstructions: () => {},
    onRecords: () => {},
  });
  const outcome = await rendered.catch((error: unknown) => error);
  return { outcome, reasons: faults.map(([, reason]) => reason) };
}

describe('renderPass', () => {
  it('uses the bin that was rendered during the visibility phase', async () => {
    const { outcome, reasons } = await render(makeSummary(makeBin(1, 64 * 64 * 4)));
    expect(reasons).toEqual([]);
    expect(outcome).toMatchObject({ bins: [{ binId: 0 }, { binId: 1 }] });
  });

  it.each([
    ['an early bin of another size', makeSummary(makeBin(1, 64 * 4)), /bytes of pixels/],
    [
      'an early bin of another place',
      makeSummary({ ...makeBin(1, 64 * 64 * 4), binId: 0 }),
      /rect/,
    ],
    [
      'a count of a query that does not exist',
      makeSummary({ ...makeBin(1, 64 * 64 * 4), queryCounts: [9] }),
      /counts of 1 queries, not 0/,
    ],
    ['a bin too few', makeSummary(null, 1), /1 bins, or others, of 2/],
  ])('blames the visibility chiplet for %s', async (_what, summary, reason) => {
    const { outcome, reasons } = await render(summary);
    expect(outcome).toMatchObject({ code: 'CHIPLET_LOST' });
    expect(reasons).toEqual([expect.stringMatching(reason)]);
  });
});
