/** Hosts that are not trusted, lie, or do not answer. */
import { type BinResult, type Chiplet, type RenderBinRequest, RenderError } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { BinDispatcher } from './bin-dispatcher.ts';
import type { BinBatch } from './bin-job.ts';
import { Contributors, HostTrust, TRUSTED_AFTER_BINS } from './host-trust.ts';

type Behavior = 'honest' | 'liar' | 'silent' | 'unstable' | 'failing';

/** A host that fills its bins with their number; `isHeld` delays answers until `open`. */
class ScriptedHost implements Chiplet {
  readonly id: number;
  behavior: Behavior;
  readonly trust: HostTrust;
  readonly asked: number[] = [];
  readonly released: string[] = [];
  readonly #held: PromiseWithResolvers<void> | null;

  constructor(id: number, behavior: Behavior, isTrusted: boolean, isHeld = false) {
    this.id = id;
    this.behavior = behavior;
    this.trust = new HostTrust(isTrusted);
    this.#held = isHeld ? Promise.withResolvers() : null;
  }

  open(): void {
    this.#held?.resolve();
  }

  computeVisibility(): Promise<never> {
    throw new Error('not asked for in this phase');
  }

  async renderBin({ frameId, passIndex, binId }: RenderBinRequest): Promise<BinResult> {
    const index = this.asked.push(binId);
    if (this.behavior === 'silent') await new Promise(() => {});
    await this.#held?.promise;
    await Promise.resolve();
    if (this.behavior === 'failing') throw new RenderError('SHADER_BUDGET_EXCEEDED', 'too long');
    const lie = this.behavior === 'liar' ? 100 : this.behavior === 'unstable' ? index : 0;
    return {
      frameId,
      passIndex,
      binId,
      rect: { x: 0, y: 0, width: 1, height: 1 },
      colors: [Uint8Array.of(binId + lie)],
      depthStencil: null,
      counters: {},
      cycles: null,
      spans: [],
    };
  }

  releaseFrame(frameId: string): void {
    this.released.push(frameId);
  }
}

const trusted = (id: number, behavior: Behavior = 'honest') => new ScriptedHost(id, behavior, true);
const newcomer = (id: number, behavior: Behavior = 'honest', isHeld = false) =>
  new ScriptedHost(id, behavior, false, isHeld);

interface SetUp {
  readonly isChecked?: boolean;
}

function setUp({ isChecked = false }: SetUp = {}) {
  let nowMs = 0;
  let timer: { readonly atMs: number; readonly onElapsed: () => void } | null = null;
  const faults: [number, string][] = [];
  const liars: number[] = [];
  const comparisons = { same: 0, different: 0 };
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
    trustOf: (host) => (host as ScriptedHost).trust,
    chooseCheck: () => isChecked,
    onHostFault: ({ id }, reason) => faults.push([id, reason]),
    onLie: ({ id }) => liars.push(id),
    onComparison: (isSame) => comparisons[isSame ? 'same' : 'different']++,
  });
  const advance = async (ms: number): Promise<void> => {
    nowMs += ms;
    const due = timer;
    if (due !== null && due.atMs <= nowMs) {
      timer = null;
      due.onElapsed();
    }
    await turns();
  };
  return { dispatcher, advance, faults, liars, comparisons };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await Promise.resolve();
}

function makeBatch(hosts: Chiplet[], binIds: number[], more: Partial<BinBatch> = {}) {
  const pixels = new Map<number, number>();
  const batch: BinBatch = {
    frameId: 'f',
    passIndex: 0,
    hosts,
    bins: binIds.map((binId) => ({ binId, cost: 1 })),
    findFault: () => null,
    onBin: ({ binId, colors }) => {
      expect(pixels.has(binId)).toBe(false);
      pixels.set(binId, colors[0]![0]!);
    },
    ...more,
  };
  return { batch, pixels };
}

const ALL = [0, 1, 2, 3, 4, 5, 6, 7];
const RIGHT = new Map(ALL.map((binId) => [binId, binId]));

describe('a host that is not trusted', () => {
  it('renders only bins that a trusted host renders too, one at a time, until enough have agreed', async () => {
    const { dispatcher, comparisons } = setUp();
    const fresh = newcomer(1);
    const old = trusted(0);
    const { batch, pixels } = makeBatch([old, fresh], ALL);
    const { checkedBins } = await dispatcher.render(batch);
    expect(pixels).toEqual(RIGHT);
    expect(checkedBins).toBe(TRUSTED_AFTER_BINS);
    expect(comparisons).toEqual({ same: TRUSTED_AFTER_BINS, different: 0 });
    const trials = fresh.asked.slice(0, TRUSTED_AFTER_BINS);
    expect(trials.every((binId) => old.asked.includes(binId))).toBe(true);
    const rest = fresh.asked.slice(TRUSTED_AFTER_BINS);
    expect(rest.length).toBeGreaterThan(0);
    expect(rest.some((binId) => old.asked.includes(binId))).toBe(false);
  });

  it('does not delay the frame', async () => {
    const { dispatcher } = setUp();
    const silent = Array.from({ length: 30 }, (_, i) => newcomer(i + 1, 'silent'));
    const { batch, pixels } = makeBatch([trusted(0), ...silent], ALL);
    expect(await dispatcher.render(batch)).toEqual({ retriedBins: 0, checkedBins: 0 });
    expect(pixels).toEqual(RIGHT);
    expect(silent.map(({ asked }) => asked.length)).toEqual(silent.map(() => 1));
  });

  it('is faulty when it does not answer for far longer than others take, with one request over all frames', async () => {
    const { dispatcher, faults, advance } = setUp();
    const silent = newcomer(1, 'silent');
    const hosts = [trusted(0), silent];
    for (const frameId of ['a', 'b', 'c']) {
      await dispatcher.render(makeBatch(hosts, ALL, { frameId }).batch);
      dispatcher.releaseFrame(frameId, hosts);
    }
    expect(silent.asked).toHaveLength(1);
    expect(silent.released).toEqual(['b', 'c']);
    await advance(9000);
    expect(faults).toEqual([]);
    await advance(2000);
    expect(faults).toEqual([[1, 'no answer for 11000 ms to a bin that others rendered']]);
    expect(silent.released).toEqual(['b', 'c', 'a']);
  });

  it('can prove itself with a bin that outlives its frame', async () => {
    const { dispatcher } = setUp();
    const slow = newcomer(1, 'honest', true);
    const hosts = [trusted(0), slow];
    await dispatcher.render(makeBatch(hosts, ALL).batch);
    dispatcher.releaseFrame('f', hosts);
    expect(slow.released).toEqual([]);
    slow.open();
    await turns();
    expect(slow.trust.agreedBins).toBe(1);
    expect(slow.released).toEqual(['f']);
  });

  it('cannot fail a frame by errors, nor by a lie that comes after it', async () => {
    const { dispatcher, faults, liars } = setUp();
    const late = newcomer(3, 'liar', true);
    const hosts = [trusted(0), newcomer(1, 'failing'), newcomer(2, 'failing'), late];
    const { batch, pixels } = makeBatch(hosts, ALL);
    await dispatcher.render(batch);
    expect(pixels).toEqual(RIGHT);
    expect(faults.map(([id]) => id)).toEqual([1, 2]);
    late.open();
    await turns();
    expect(faults.at(-1)).toEqual([3, expect.stringMatching(/coarse bin \d: its result differs/)]);
    expect(liars).toEqual([]);
  });

  it('is detected by its first wrong bin, before the frame completes', async () => {
    const { dispatcher, liars, faults } = setUp();
    const old = trusted(0);
    const liar = newcomer(1, 'liar');
    const { batch, pixels } = makeBatch([old, liar, newcomer(2)], ALL);
    await dispatcher.render(batch);
    expect(pixels).toEqual(RIGHT);
    expect(liars).toEqual([1]);
    expect(liar.asked).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it('is not believed while the trusted host is slow', async () => {
    const { dispatcher, advance, liars } = setUp();
    const slow = new ScriptedHost(0, 'honest', true, true);
    const liar = newcomer(1, 'liar');
    const { batch, pixels } = makeBatch([slow, liar], ALL);
    const finished = dispatcher.render(batch);
    await advance(60_000);
    expect(liar.asked.length).toBeGreaterThan(0);
    expect(pixels.size).toBe(0);
    slow.open();
    await finished;
    expect(pixels).toEqual(RIGHT);
    expect(liars).toEqual([1]);
  });

  it('does not outvote a trusted host with others of its kind', async () => {
    const { dispatcher, liars } = setUp();
    const liarHosts = [1, 2, 3].map((id) => newcomer(id, 'liar'));
    const { batch, pixels } = makeBatch([trusted(0), ...liarHosts], ALL);
    await dispatcher.render(batch);
    expect(pixels).toEqual(RIGHT);
    expect(liars.sort()).toEqual([1, 2, 3]);
  });
});

describe('trusted hosts that stop answering', () => {
  it('do not delay a frame, even if others of their kind take over their bins first', async () => {
    const { dispatcher, advance } = setUp();
    const silent = [1, 2, 3, 4, 5].map((id) => trusted(id, 'silent'));
    const { batch, pixels } = makeBatch([trusted(0), ...silent], ALL.slice(0, 4));
    const finished = dispatcher.render(batch);
    await turns();
    expect(pixels.size).toBe(1);
    for (let seconds = 0; seconds < 6; seconds++) await advance(1000);
    await finished;
    expect(pixels.size).toBe(4);
  });
});

/** Delays each answer by the number of microtask turns that a generator gives. */
function delay(host: ScriptedHost, nextTurns: () => number): ScriptedHost {
  const renderBin = host.renderBin.bind(host);
  host.renderBin = async (request) => {
    for (let left = nextTurns(); left > 0; left--) await Promise.resolve();
    return renderBin(request);
  };
  return host;
}

describe('in whatever order hosts answer', () => {
  it('newcomers that lie change nothing, and every pass ends', async () => {
    for (let seed = 1; seed <= 500; seed++) {
      let state = seed;
      const next = (below: number) => {
        state = (state * 48_271) % 2_147_483_647;
        return state % below;
      };
      const hosts = Array.from({ length: 1 + next(3) }, (_, id) => trusted(id));
      for (let id = 10; id < 11 + next(4); id++) {
        hosts.push(newcomer(id, next(2) === 0 ? 'liar' : 'honest'));
      }
      for (const host of hosts) delay(host, () => next(30));
      const { dispatcher, liars } = setUp({ isChecked: next(2) === 0 });
      const { batch, pixels } = makeBatch(hosts, ALL);
      let isOver = false;
      const finished = dispatcher.render(batch).then(() => {
        isOver = true;
      });
      for (let turn = 0; turn < 5000 && !isOver; turn++) await Promise.resolve();
      expect(isOver, `seed ${seed}`).toBe(true);
      await finished;
      expect(pixels, `seed ${seed}`).toEqual(RIGHT);
      const honest = hosts.filter(({ behavior }) => behavior === 'honest');
      expect(honest.filter(({ id }) => liars.includes(id))).toEqual([]);
    }
  });
});

describe('without a trusted host', () => {
  it('newcomers confirm each other, and then share the bins', async () => {
    const { dispatcher, liars } = setUp();
    const hosts = [1, 2, 3].map((id) => newcomer(id));
    const { batch, pixels } = makeBatch(hosts, ALL);
    const { checkedBins } = await dispatcher.render(batch);
    expect(pixels).toEqual(RIGHT);
    expect(checkedBins).toBeGreaterThanOrEqual(TRUSTED_AFTER_BINS);
    expect(checkedBins).toBeLessThan(ALL.length);
    expect(hosts.every(({ trust }) => trust.isTrusted)).toBe(true);
    expect(liars).toEqual([]);
  });

  it('the majority finds a liar', async () => {
    const { dispatcher, liars } = setUp();
    const { batch, pixels } = makeBatch([newcomer(1, 'liar'), newcomer(2), newcomer(3)], ALL);
    await dispatcher.render(batch);
    expect(pixels).toEqual(RIGHT);
    expect(liars).toEqual([1]);
  });

  it('two hosts that answer are enough beside thirty that do not', async () => {
    const { dispatcher } = setUp();
    const silent = Array.from({ length: 30 }, (_, i) => newcomer(i, 'silent'));
    const { batch, pixels } = makeBatch([...silent, newcomer(30), newcomer(31)], ALL);
    await dispatcher.render(batch);
    expect(pixels).toEqual(RIGHT);
  });

  it('one host that answers waits until the silence of the others is a fault', async () => {
    const { dispatcher, advance, faults } = setUp();
    const { batch, pixels } = makeBatch([newcomer(0, 'silent'), newcomer(1)], ALL);
    const finished = dispatcher.render(batch);
    await turns();
    expect(pixels.size).toBe(0);
    await advance(11_000);
    expect(await finished).toEqual({ retriedBins: 0, checkedBins: 0 });
    expect(pixels).toEqual(RIGHT);
    expect(faults.map(([id]) => id)).toEqual([0]);
  });

  it('the only host is believed without delay', async () => {
    const { dispatcher } = setUp({ isChecked: true });
    const { batch, pixels } = makeBatch([newcomer(0)], ALL);
    expect(await dispatcher.render(batch)).toEqual({ retriedBins: 0, checkedBins: 0 });
    expect(pixels).toEqual(RIGHT);
  });
});

describe('a host that becomes trusted by bins of other frames', () => {
  /** Two new hosts, of which the second is busy elsewhere until another frame proves the first. */
  async function startTwo(isHeld: boolean) {
    const { dispatcher } = setUp();
    const [first, second] = [newcomer(1, 'honest', isHeld), newcomer(2)] as const;
    second.trust.unprovenRuns = 1;
    const { batch, pixels } = makeBatch([first, second], [3]);
    const rendered = dispatcher.render(batch);
    await turns();
    expect(first.asked).toEqual([3]);
    const prove = async () => {
      const witness = trusted(0);
      const other = new ScriptedHost(1, 'honest', false);
      Object.assign(other, { trust: first.trust });
      first.trust.unprovenRuns = 0;
      await dispatcher.render(makeBatch([witness, other], ALL, { frameId: 'other' }).batch);
      await turns();
      expect(first.trust.isTrusted).toBe(true);
      second.trust.unprovenRuns = 0;
    };
    return { dispatcher, first, rendered, pixels, prove };
  }

  it('is believed about the bin that it has in progress', async () => {
    const { first, rendered, pixels, prove } = await startTwo(true);
    await prove();
    first.open();
    await rendered;
    expect(pixels).toEqual(new Map([[3, 3]]));
  });

  it('is believed about the bin that it has answered', async () => {
    const { rendered, pixels, prove } = await startTwo(false);
    expect(pixels.size).toBe(0);
    await prove();
    await rendered;
    expect(pixels).toEqual(new Map([[3, 3]]));
  });
});

describe('bins that are checked', () => {
  it('are rendered by two trusted hosts, and each is used once', async () => {
    const { dispatcher, comparisons } = setUp({ isChecked: true });
    const hosts = [trusted(0), trusted(1), trusted(2)];
    const { batch, pixels } = makeBatch(hosts, ALL);
    expect(await dispatcher.render(batch)).toEqual({ retriedBins: 0, checkedBins: ALL.length });
    expect(pixels).toEqual(RIGHT);
    expect(comparisons).toEqual({ same: ALL.length, different: 0 });
    expect(hosts.reduce((sum, { asked }) => sum + asked.length, 0)).toBe(2 * ALL.length);
  });

  it('are not checked where one trusted host renders alone', async () => {
    const { dispatcher } = setUp({ isChecked: true });
    const host = trusted(0);
    await expect(dispatcher.render(makeBatch([host], ALL).batch)).resolves.toMatchObject({
      checkedBins: 0,
    });
    expect(host.asked).toEqual(ALL);
  });

  it('do not wait for a checker that is overdue', async () => {
    const { dispatcher, advance, faults } = setUp({ isChecked: true });
    const { batch, pixels } = makeBatch([trusted(0), trusted(1, 'silent')], ALL);
    const finished = dispatcher.render(batch);
    await advance(1000);
    expect(pixels.size).toBeLessThan(ALL.length);
    await advance(10_000);
    expect(await finished).toMatchObject({ checkedBins: 0 });
    expect(pixels).toEqual(RIGHT);
    expect(faults).toEqual([]);
  });

  it('find a trusted liar; the frame fails so that it is rendered again without it', async () => {
    const { dispatcher, liars } = setUp({ isChecked: true });
    const liar = trusted(1, 'liar');
    const hosts = [trusted(0), liar, trusted(2)];
    const { batch } = makeBatch(hosts, ALL);
    await expect(dispatcher.render(batch)).rejects.toMatchObject({ code: 'CHIPLET_LOST' });
    expect(liars).toEqual([1]);
    const again = makeBatch([hosts[0]!, hosts[2]!], ALL, { frameId: 'f/2' });
    await dispatcher.render(again.batch);
    expect(again.pixels).toEqual(RIGHT);
  });

  it('fail every frame to which a liar contributed, also by an earlier pass', async () => {
    const { dispatcher } = setUp({ isChecked: true });
    const liar = trusted(1);
    const hosts = [trusted(0), liar, trusted(2)];
    const contributors = new Contributors();
    await dispatcher.render(makeBatch(hosts, ALL, { frameId: 'two passes/0', contributors }).batch);
    liar.behavior = 'liar';
    const other = makeBatch(hosts, ALL, { frameId: 'other' });
    await expect(dispatcher.render(other.batch)).rejects.toMatchObject({ code: 'CHIPLET_LOST' });
    const second = makeBatch(hosts, ALL, { frameId: 'two passes/1', contributors });
    await expect(dispatcher.render(second.batch)).rejects.toMatchObject({ code: 'CHIPLET_LOST' });
  });

  it('identify the unstable one of two hosts by asking both again', async () => {
    const { dispatcher, liars } = setUp({ isChecked: true });
    const hosts = [trusted(0, 'unstable'), trusted(1)];
    await expect(dispatcher.render(makeBatch(hosts, [3]).batch)).rejects.toMatchObject({
      code: 'CHIPLET_LOST',
    });
    expect(liars).toEqual([0]);
  });

  it('fail the frame if two hosts insist on different results', async () => {
    const { dispatcher, liars } = setUp({ isChecked: true });
    const hosts = [trusted(0), trusted(1, 'liar')];
    await expect(dispatcher.render(makeBatch(hosts, [3]).batch)).rejects.toMatchObject({
      code: 'CHIPLETS_DISAGREE',
      message: expect.stringContaining('coarse bin 3: chiplets 0, 1'),
    });
    expect(liars).toEqual([]);
  });
});
