import { type BinResult, type Chiplet, type RenderBinRequest, RenderError } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { renderBins } from './bin-render-phase.ts';

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
      rgba: new Uint8Array(0),
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

function renderOn(chiplets: Chiplet[], binIdsByChiplet: number[][], signal?: AbortSignal) {
  const placed: number[] = [];
  const finished = renderBins({
    frameId: 'f',
    passIndex: 0,
    chiplets,
    assignment: chiplets.map(({ id }, i) => ({ chipletId: id, binIds: binIdsByChiplet[i]! })),
    onBin: ({ binId }) => placed.push(binId),
    signal,
  });
  return { placed, finished };
}

const ALL = [0, 1, 2, 3, 4, 5];

describe('renderBins', () => {
  it('gives each chiplet its bins in order', async () => {
    const chiplets = [new ScriptedChiplet(0), new ScriptedChiplet(1)];
    const { placed, finished } = renderOn(chiplets, [
      [4, 0, 2],
      [1, 3, 5],
    ]);
    expect(await finished).toEqual({ retriedBins: 0 });
    expect(chiplets.map((chiplet) => chiplet.rendered)).toEqual([
      [4, 0, 2],
      [1, 3, 5],
    ]);
    expect(placed.sort()).toEqual(ALL);
  });

  it('renders what a lost chiplet owed on the others, each bin once', async () => {
    const chiplets = [new ScriptedChiplet(0), new ScriptedChiplet(1, 1), new ScriptedChiplet(2)];
    const { placed, finished } = renderOn(chiplets, [[0], [1, 2, 3], [4, 5]]);
    expect(await finished).toEqual({ retriedBins: 2 });
    expect(placed.sort()).toEqual(ALL);
    expect(chiplets[1]!.rendered).toEqual([1]);
  });

  it('fails when every chiplet is gone', async () => {
    const { finished } = renderOn(
      [new ScriptedChiplet(0, 0), new ScriptedChiplet(1, 0)],
      [[0], [1]],
    );
    await expect(finished).rejects.toMatchObject({ code: 'CHIPLET_LOST' });
  });

  it('fails a bin that three chiplets did not survive, though a fourth is left', async () => {
    const chiplets = [0, 1, 2, 3].map((id) => new ScriptedChiplet(id, id === 3 ? undefined : 0));
    const { finished } = renderOn(chiplets, [[0], [], [], []]);
    await expect(finished).rejects.toThrow('coarse bin 0: 3 chiplets went away');
  });

  it('drops the other bins once one has failed for good', async () => {
    const broken = new ScriptedChiplet(1);
    broken.renderBin = async () => {
      throw new RenderError('SHADER_BUDGET_EXCEEDED', 'too long');
    };
    const healthy = new ScriptedChiplet(0);
    const { finished } = renderOn([healthy, broken], [[0, 2], [1]]);
    await expect(finished).rejects.toMatchObject({ code: 'SHADER_BUDGET_EXCEEDED' });
    expect(healthy.released).toBe(1);
  });

  it('stops when the frame is cancelled', async () => {
    const { finished } = renderOn([new ScriptedChiplet(0)], [ALL], AbortSignal.abort());
    await expect(finished).rejects.toMatchObject({ code: 'FRAME_CANCELLED' });
  });
});
