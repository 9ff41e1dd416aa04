import type { FrameBroadcast } from '@tessera/frame';
import { afterEach, describe, expect, it } from 'vitest';
import { makeSampleFrame } from '../testing/sample-frame.ts';
import { ThreadedChiplet } from './threaded-chiplet.ts';

const BIN = { frameId: 'f', passIndex: 0, binId: 1 };
const open: ThreadedChiplet[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((chiplet) => chiplet.close()));
});

function start(releasedWithinMs?: number) {
  const broadcasts: FrameBroadcast[] = [];
  const died = Promise.withResolvers<Error>();
  const chiplet = new ThreadedChiplet({
    id: 0,
    threadUrl: new URL('../testing/fake-chiplet-thread.ts', import.meta.url),
    threadSetup: null,
    crosslink: {
      broadcast: async (message) => {
        broadcasts.push(message);
      },
    },
    onDied: died.resolve,
    ...(releasedWithinMs === undefined ? {} : { releasedWithinMs }),
  });
  open.push(chiplet);
  return { chiplet, broadcasts, died: died.promise };
}

describe('ThreadedChiplet', () => {
  it('broadcasts the visibility of the thread with its frame', async () => {
    const { chiplet, broadcasts } = start();
    const frame = makeSampleFrame();
    const summary = await chiplet.computeVisibility('f', frame, 0);
    expect(summary.cycles).toBe(5);
    const bins = [Uint8Array.of(1, 2, 3)];
    expect(broadcasts).toEqual([{ frameId: 'f', frame, visibility: { passIndex: 0, bins } }]);
    expect(broadcasts[0]!.frame).toBe(frame);
  });

  it('returns only the pixels of a bin, not the memory that contained them', async () => {
    const { chiplet } = start();
    const { colors, rect } = await chiplet.renderBin(BIN);
    expect(rect.width).toBe(2);
    expect(colors).toEqual([new Uint8Array(8).fill(1), new Uint8Array(8).fill(1)]);
    expect(colors[0]!.buffer.byteLength).toBe(8);
  });

  it('carries errors by their code, and bugs with their stack', async () => {
    const { chiplet } = start();
    await expect(chiplet.renderBin({ ...BIN, binId: 6 })).rejects.toMatchObject({
      name: 'RenderError',
      code: 'SHADER_BUDGET_EXCEEDED',
    });
    await expect(chiplet.renderBin({ ...BIN, binId: 8 })).rejects.toMatchObject({
      name: 'Error',
      message: 'a bug',
      stack: expect.stringContaining('fake-chiplet-thread.ts'),
    });
  });

  it('keeps its process responsive while the thread works, and fails pending requests when it is closed', async () => {
    const { chiplet } = start();
    const endless = chiplet.renderBin({ ...BIN, binId: 9 });
    await new Promise((resolve) => setTimeout(resolve, 5));
    const closed = chiplet.close();
    await expect(endless).rejects.toMatchObject({ code: 'CHIPLET_LOST' });
    await closed;
  });

  it('reports that the thread ended by itself', async () => {
    const { chiplet, died } = start();
    await expect(chiplet.renderBin({ ...BIN, binId: 7 })).rejects.toMatchObject({
      code: 'CHIPLET_LOST',
    });
    expect((await died).message).toContain('exited with status 3');
  });

  it('abandons a thread that does not stop after a release', async () => {
    const { chiplet, died } = start(50);
    const endless = chiplet.renderBin({ ...BIN, binId: 9 });
    const refused = expect(endless).rejects.toMatchObject({ code: 'CHIPLET_LOST' });
    chiplet.releaseFrame('f');
    expect((await died).message).toContain('still working on frame f');
    await refused;
  });

  it('stops the current work when its frame is released, and continues with other frames', async () => {
    const { chiplet } = start();
    for (const frameId of ['f', 'g']) {
      const endless = chiplet.renderBin({ ...BIN, frameId, binId: 10 });
      const next = chiplet.renderBin({ ...BIN, frameId, binId: 11 });
      const other = chiplet.renderBin({ ...BIN, frameId: 'other', binId: 1 });
      const refused = [endless, next].map((bin) =>
        expect(bin).rejects.toMatchObject({ code: 'FRAME_CANCELLED' }),
      );
      chiplet.releaseFrame('never seen');
      chiplet.releaseFrame(frameId);
      await Promise.all(refused);
      expect((await other).rect.width).toBe(2);
    }
  });
});
