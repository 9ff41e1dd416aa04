import { type BinResult, type Chiplet, type RenderBinRequest, RenderError } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { BinDispatcher } from './bin-dispatcher.ts';

/**
 * Chiplet that renders nothing and is lost at its `lostAtBin`-th bin, or never if that is
 * undefined.
 */
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
    bins: binIds.map((binId) => ({ binId, cost: 1 })),
    findFault: () => null,
    onBin: ({ binId }) => placed.push(binId),
    signal,
  });
  return { placed, finished };
}

const ALL = [0, 1, 2, 3, 4, 5];

describe('BinDispatcher', () => {
  it('gives every host a bin, then a second, then the next to the one that answers', async () => {
    const hosts = [new ScriptedChiplet(0), new ScriptedChiplet(1)];
    const { placed, finished } = renderOn(hosts, [5, 4, 3, 2, 1, 0]);
    expect(await finished).toEqual({ retriedBins: 0, checkedBins: 0 });
    expect(hosts.map(({ rendered }) => rendered)).toEqual([
      [5, 3, 1],
      [4, 2, 0],
    ]);
    expect(placed).toEqual([5, 4, 3, 2, 1, 0]);
  });

  it('gives bins that a slow host has not started to the others', async () => {
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

  it('gives precedence to bins of the pass that started first', async () => {
    const dispatcher = new BinDispatcher();
    const host = new ScriptedChiplet(0);
    const batch = { passIndex: 0, hosts: [host], findFault: () => null, onBin: () => {} };
    const first = dispatcher.render({
      ...batch,
      frameId: 'first',
      bins: [0, 1, 2].map((binId) => ({ binId, cost: 1 })),
    });
    const second = dispatcher.render({
      ...batch,
      frameId: 'second',
      bins: [10, 11].map((binId) => ({ binId, cost: 1 })),
    });
    await Promise.all([first, second]);
    expect(host.rendered).toEqual([0, 1, 2, 10, 11]);
  });

  it('renders the bins of a lost host on the others, each once', async () => {
    const hosts = [new ScriptedChiplet(0), new ScriptedChiplet(1, 1), new ScriptedChiplet(2)];
    const { placed, finished } = renderOn(hosts, ALL);
    expect(await finished).toEqual({ retriedBins: 1, checkedBins: 0 });
    expect(placed.sort()).toEqual(ALL);
    expect(hosts[1]!.rendered).toHaveLength(1);
  });

  it('fails when every host is lost', async () => {
    const { finished } = renderOn([new ScriptedChiplet(0, 0), new ScriptedChiplet(1, 0)], [0, 1]);
    await expect(finished).rejects.toMatchObject({ code: 'CHIPLET_LOST' });
  });

  it('fails a bin that lost three hosts, even if a fourth is left', async () => {
    const hosts = [0, 1, 2, 3].map((id) => new ScriptedChiplet(id, id === 3 ? undefined : 0));
    const { finished } = renderOn(hosts, [0]);
    await expect(finished).rejects.toThrow('coarse bin 0: 3 chiplets were lost');
    expect(hosts[3]!.rendered).toEqual([]);
  });

  it('renders bins that hosts do not accept elsewhere, without counting the hosts as lost', async () => {
    const hosts = [0, 1, 2, 3].map((id) => new ScriptedChiplet(id));
    for (const leaving of hosts.slice(0, 3)) {
      leaving.renderBin = async () => {
        throw new RenderError('NO_CHIPLETS', 'leaves');
      };
    }
    const { placed, finished } = renderOn(hosts, ALL);
    await finished;
    expect([...placed].sort()).toEqual(ALL);
    expect(hosts[3]!.rendered).toHaveLength(ALL.length);
  });

  it('drops the other bins once one has failed permanently', async () => {
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

  describe('with a clock', () => {
    /**
     * Returns a clock that the test advances, and a host that answers when the test requests it.
     */
    function setUp() {
      let nowMs = 0;
      let timer: { readonly atMs: number; readonly onElapsed: () => void } | null = null;
      const faults: [number, string][] = [];
      let hedges = 0;
      const dispatcher = new BinDispatcher({
        clock: {
          readMs: () => nowMs,
          startTimer: (onElapsed, ms) => {
            timer = { atMs: nowMs + ms, onElapsed };
            return () => {
              timer = null;
            };
          },
        },
        onHedge: () => hedges++,
        onHostFault: ({ id }, reason) => faults.push([id, reason]),
      });
      const advance = async (ms: number): Promise<void> => {
        nowMs += ms;
        const due = timer;
        if (due !== null && due.atMs <= nowMs) {
          timer = null;
          due.onElapsed();
        }
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      };
      return { dispatcher, faults, advance, countHedges: () => hedges };
    }

    function stalling(id: number): { host: ScriptedChiplet; goOn: () => void } {
      const host = new ScriptedChiplet(id);
      const stalled = Promise.withResolvers<void>();
      const renderBin = host.renderBin.bind(host);
      host.renderBin = async (request) => {
        await stalled.promise;
        return renderBin(request);
      };
      return { host, goOn: stalled.resolve };
    }

    const batch = (hosts: Chiplet[], binIds: number[], placed: number[]) => ({
      frameId: 'f',
      passIndex: 0,
      hosts,
      bins: binIds.map((binId) => ({ binId, cost: 1 })),
      findFault: () => null,
      onBin: ({ binId }: BinResult) => placed.push(binId),
    });

    it('gives an overdue bin to another host, and uses only the first answer', async () => {
      const { dispatcher, advance, countHedges } = setUp();
      const { host: slow, goOn } = stalling(0);
      const fast = new ScriptedChiplet(1);
      const placed: number[] = [];
      const finished = dispatcher.render(batch([slow, fast], ALL, placed));
      await advance(0);
      expect(placed).toEqual([1, 3, 4, 5]);
      await advance(1000);
      expect(countHedges()).toBe(0);
      await advance(1000);
      expect(await finished).toEqual({ retriedBins: 0, checkedBins: 0 });
      expect(countHedges()).toBe(2);
      expect([...placed].sort()).toEqual(ALL);
      goOn();
      await advance(0);
      expect(placed).toHaveLength(ALL.length);
    });

    it('waits longer while no finished bin shows how long bins take', async () => {
      const { dispatcher, advance, countHedges } = setUp();
      const { host: slow } = stalling(0);
      const placed: number[] = [];
      const finished = dispatcher.render(batch([slow, new ScriptedChiplet(1)], [7], placed));
      await advance(9000);
      expect(countHedges()).toBe(0);
      await advance(2000);
      await finished;
      expect(placed).toEqual([7]);
    });

    it('does not requeue the bin of a lost host if another host has it', async () => {
      const { dispatcher, advance } = setUp();
      const lost = new ScriptedChiplet(0, 0);
      const { host: slow, goOn } = stalling(1);
      const gone = Promise.withResolvers<void>();
      const renderBin = lost.renderBin.bind(lost);
      lost.renderBin = async (request) => {
        await gone.promise;
        return renderBin(request);
      };
      const placed: number[] = [];
      const finished = dispatcher.render(batch([lost, slow], [7], placed));
      await advance(11_000);
      gone.resolve();
      await advance(0);
      goOn();
      expect(await finished).toEqual({ retriedBins: 0, checkedBins: 0 });
      expect(slow.rendered).toEqual([7]);
    });

    it('rejects a wrong answer, reports it, and has the bin rendered elsewhere', async () => {
      const { dispatcher, faults } = setUp();
      const placed: number[] = [];
      const wrong = new ScriptedChiplet(0);
      const renderBin = wrong.renderBin.bind(wrong);
      wrong.renderBin = async (request) => ({ ...(await renderBin(request)), passIndex: 9 });
      const finished = dispatcher.render({
        ...batch([wrong, new ScriptedChiplet(1)], ALL, placed),
        findFault: ({ passIndex }) => (passIndex === 0 ? null : 'another pass'),
      });
      await finished;
      expect([...placed].sort()).toEqual(ALL);
      expect(faults).toContainEqual([0, 'another pass']);
      expect(faults.every(([id]) => id === 0)).toBe(true);
    });

    it('reports a host that failed at a bin which another host rendered', async () => {
      const { dispatcher, faults } = setUp();
      const broken = new ScriptedChiplet(0);
      broken.renderBin = async () => {
        throw new RenderError('INTERNAL', 'out of order');
      };
      const placed: number[] = [];
      const finished = dispatcher.render(batch([broken, new ScriptedChiplet(1)], ALL, placed));
      expect((await finished).retriedBins).toBeGreaterThan(0);
      expect([...placed].sort()).toEqual(ALL);
      expect(faults[0]).toEqual([0, 'failed at a bin that another chiplet rendered: out of order']);
    });

    it('fails the frame when a second host fails at the same bin', async () => {
      const { dispatcher, faults } = setUp();
      const hosts = [0, 1, 2].map((id) => {
        const host = new ScriptedChiplet(id);
        host.renderBin = async () => {
          throw new RenderError('INTERNAL', 'a bug');
        };
        return host;
      });
      await expect(dispatcher.render(batch(hosts, [3], []))).rejects.toThrow('a bug');
      expect(faults).toEqual([]);
    });
  });
});
