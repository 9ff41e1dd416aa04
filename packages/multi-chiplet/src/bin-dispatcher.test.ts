import { type BinResult, type Chiplet, type RenderBinRequest, RenderError } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { BinDispatcher } from './bin-dispatcher.ts';

/** A chiplet that renders nothing and goes away at its `lostAtBin`-th bin (never if undefined). */
class ScriptedChiplet implements Chiplet {
  readonly id: number;
  readonly #lostAtBin: number;
  readonly rendered: number[] = [];
  released = 0;
  #requests = 0;

  constructor(id: number, lostAtBin = Number.POSITIVE_INFINITY) {
    this.id = id;
    this.#lostAtBin = lostAtBin;
  }

  computeVisibility(): Promise<never> {
    throw new Error('not asked for in this phase');
  }

  async renderBin({ frameId, passIndex, binId }: RenderBinRequest): Promise<BinResult> {
    const number = this.#requests++;
    await Promise.resolve();
    if (number >= this.#lostAtBin) throw new RenderError('CHIPLET_LOST', `chiplet ${this.id}`);
    if (this.released > 0) throw new RenderError('FRAME_CANCELLED', 'released');
    this.rendered.push(binId);
    const rect = { x: 0, y: 0, width: 0, height: 0 };
    return {
      frameId,
      passIndex,
      binId,
      rect,
      colors: [new Uint8Array(0)],
      depthStencil: null,
      counters: {},
      cycles: null,
      spans: [],
    };
  }

  releaseFrame(): void {
    this.released++;
  }
}

function renderOn(hosts: Chiplet[], binIds: number[], signal?: AbortSignal) {
  const placed: number[] = [];
  const finished = new BinDispatcher().render({
    frameId: 'f',
    passIndex: 0,
    hosts,
    bins: binIds.map((binId) => ({ binId })),
    onBin: ({ binId }) => placed.push(binId),
    signal,
  });
  return { placed, finished };
}

const ALL = [0, 1, 2, 3, 4, 5];

describe('BinDispatcher', () => {
  it('gives every host a bin, then a second, then the next to whoever answers', async () => {
    const hosts = [new ScriptedChiplet(0), new ScriptedChiplet(1)];
    const { placed, finished } = renderOn(hosts, [5, 4, 3, 2, 1, 0]);
    expect(await finished).toEqual({ retriedBins: 0 });
    expect(hosts.map(({ rendered }) => rendered)).toEqual([
      [5, 3, 1],
      [4, 2, 0],
    ]);
    expect(placed).toEqual([5, 4, 3, 2, 1, 0]);
  });

  it('leaves what a slow host has not begun to the others', async () => {
    const slow = new ScriptedChiplet(0);
    const never = Promise.withResolvers<void>();
    const renderBin = slow.renderBin.bind(slow);
    slow.renderBin = async (request) => {
      await never.promise;
      return renderBin(request);
    };
    const fast = new ScriptedChiplet(1);
    const { finished } = renderOn([slow, fast], ALL);
    await expect.poll(() => fast.rendered).toEqual([1, 3, 4, 5]);
    never.resolve();
    await finished;
    expect(slow.rendered).toEqual([0, 2]);
  });

  it('gives bins of the pass that was begun first precedence', async () => {
    const dispatcher = new BinDispatcher();
    const host = new ScriptedChiplet(0);
    const batch = { passIndex: 0, hosts: [host], onBin: () => {} };
    const first = dispatcher.render({
      ...batch,
      frameId: 'first',
      bins: [0, 1, 2].map((binId) => ({ binId })),
    });
    const second = dispatcher.render({
      ...batch,
      frameId: 'second',
      bins: [10, 11].map((binId) => ({ binId })),
    });
    await Promise.all([first, second]);
    expect(host.rendered).toEqual([0, 1, 2, 10, 11]);
  });

  it('renders what a lost host owed on the others, each bin once', async () => {
    const hosts = [new ScriptedChiplet(0), new ScriptedChiplet(1, 1), new ScriptedChiplet(2)];
    const { placed, finished } = renderOn(hosts, ALL);
    expect(await finished).toEqual({ retriedBins: 1 });
    expect(placed.sort()).toEqual(ALL);
    expect(hosts[1]!.rendered).toHaveLength(1);
  });

  it('fails when every host is gone', async () => {
    const { finished } = renderOn([new ScriptedChiplet(0, 0), new ScriptedChiplet(1, 0)], [0, 1]);
    await expect(finished).rejects.toMatchObject({ code: 'CHIPLET_LOST' });
  });

  it('fails a bin that three hosts did not survive, though a fourth is left', async () => {
    const hosts = [0, 1, 2, 3].map((id) => new ScriptedChiplet(id, id === 3 ? undefined : 0));
    const { finished } = renderOn(hosts, [0]);
    await expect(finished).rejects.toThrow('coarse bin 0: 3 chiplets went away');
    expect(hosts[3]!.rendered).toEqual([]);
  });

  it('drops the other bins once one has failed for good', async () => {
    const broken = new ScriptedChiplet(1);
    broken.renderBin = async () => {
      throw new RenderError('SHADER_BUDGET_EXCEEDED', 'too long');
    };
    const healthy = new ScriptedChiplet(0);
    const { finished } = renderOn([healthy, broken], ALL);
    await expect(finished).rejects.toMatchObject({ code: 'SHADER_BUDGET_EXCEEDED' });
    expect(healthy.released).toBe(1);
    expect(healthy.rendered.length).toBeLessThan(ALL.length);
  });

  it('stops when the frame is cancelled', async () => {
    const { finished } = renderOn([new ScriptedChiplet(0)], ALL, AbortSignal.abort());
    await expect(finished).rejects.toMatchObject({ code: 'FRAME_CANCELLED' });
  });
});
