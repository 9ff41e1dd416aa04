import type { BinResult, Chiplet, RenderBinRequest } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { ChipletActivity } from './chiplet-activity.ts';

/** Chiplet whose requests the test answers. */
function makeChiplet() {
  const pending: PromiseWithResolvers<BinResult>[] = [];
  const renderBin = () => {
    const answer = Promise.withResolvers<BinResult>();
    pending.push(answer);
    return answer.promise;
  };
  return { pending, chiplet: { id: 1, renderBin, releaseFrame: () => {} } as unknown as Chiplet };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('ChipletActivity', () => {
  it('gives the time of a chiplet to its oldest request, so that the sum is its busy time', async () => {
    const { pending, chiplet } = makeChiplet();
    let nowMs = 0;
    const secondsByFrame: Record<string, number> = {};
    const activity = new ChipletActivity(
      chiplet,
      {
        onChange: () => {},
        isTakingBins: () => true,
        onLost: () => {},
        onWorked: (frameId, seconds) => {
          secondsByFrame[frameId] = (secondsByFrame[frameId] ?? 0) + seconds;
        },
      },
      () => nowMs,
    );
    const host = activity.chipletOf(1);
    const ask = (frameId: string) =>
      host.renderBin({ frameId, passIndex: 0, binId: 0 } as RenderBinRequest).catch(() => {});
    nowMs = 1000;
    ask('a');
    nowMs = 3000;
    ask('b'); // Waits for the bin of frame a.
    nowMs = 4000;
    activity.charge(); // Frame a so far: 3 s.
    expect(secondsByFrame).toEqual({ a: 3 });
    nowMs = 6000;
    pending[0]!.resolve({ cycles: null } as BinResult);
    await turn();
    expect(secondsByFrame).toEqual({ a: 5 });
    ask('c');
    nowMs = 7000;
    pending[2]!.reject(new Error('released')); // It never ran.
    await turn();
    nowMs = 10_000;
    pending[1]!.reject(new Error('failed')); // A failure costs what it took.
    await turn();
    expect(secondsByFrame).toEqual({ a: 5, b: 4 });
    nowMs = 20_000; // Idle.
    activity.charge();
    ask('a');
    nowMs = 20_500;
    activity.charge();
    // Busy from 1 s to 10 s and from 20 s to 20.5 s.
    expect(Object.values(secondsByFrame).reduce((a, b) => a + b)).toBe(9.5);
  });
});
