import { defineChipletSpec } from '@tessera/chiplet-spec';
import type { ChipletMode, FrameBroadcast } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { makeFrame, rectangle } from '../testing/chiplet-harness.ts';
import { createLocalChiplet } from './local-chiplet.ts';

const SPEC = defineChipletSpec({ maxBinPixels: 2 ** 16, texturePoolBytes: 2 ** 20 });
const TARGET = { widthPx: 128, heightPx: 128 };
const GRID = { ...TARGET, columns: 2, rows: 2 };
const frame = makeFrame([{ vertices: rectangle(TARGET, 0, 0, 128, 100, 0) }], GRID);

function request(binId: number, frameId = 'a') {
  return { frameId, passIndex: 0, binId };
}

/** Returns chiplet 0's broadcast of a frame. */
async function broadcastOf(frameId: string): Promise<FrameBroadcast> {
  const messages: FrameBroadcast[] = [];
  const crosslink = {
    async broadcast(message: FrameBroadcast): Promise<void> {
      messages.push(message);
    },
  };
  await createLocalChiplet({ id: 0, spec: SPEC, crosslink }).computeVisibility(frameId, frame, 0);
  expect(messages).toHaveLength(1);
  return messages[0]!;
}

describe('local chiplet', () => {
  it('renders on chiplet 0 what it computed visibility for', async () => {
    const chiplet = createLocalChiplet({ id: 0, spec: SPEC });
    const summary = await chiplet.computeVisibility('a', frame, 0);
    expect(summary.bins.map(({ primitives }) => primitives)).toEqual([2, 2, 1, 2]);
    const result = await chiplet.renderBin(request(3));
    expect(result).toMatchObject({ frameId: 'a', passIndex: 0, binId: 3 });
    expect(result.rect).toEqual({ x: 64, y: 64, width: 64, height: 64 });
    expect(result.counters['output.fragmentsWritten']).toBe(64 * 36);
  });

  it('waits for the broadcast and then works in the order of the requests', async () => {
    const chiplet = createLocalChiplet({ id: 1, spec: SPEC });
    const finished: number[] = [];
    const results = [2, 0, 1].map(async (binId) => {
      finished.push((await chiplet.renderBin(request(binId))).binId);
    });
    const message = await broadcastOf('a');
    expect(finished).toEqual([]);
    chiplet.receiveBroadcast(message);
    await Promise.all(results);
    expect(finished).toEqual([2, 0, 1]);
  });

  it('drops the bins of a released frame and goes on with the next', async () => {
    const chiplet = createLocalChiplet({ id: 1, spec: SPEC });
    const dropped = chiplet.renderBin(request(0, 'a'));
    const kept = chiplet.renderBin(request(1, 'b'));
    chiplet.receiveBroadcast(await broadcastOf('b'));
    chiplet.releaseFrame('a');
    await expect(dropped).rejects.toMatchObject({ code: 'FRAME_CANCELLED' });
    expect((await kept).frameId).toBe('b');
  });

  it('lets the event loop run between bins', async () => {
    const chiplet = createLocalChiplet({ id: 1, spec: SPEC });
    chiplet.receiveBroadcast(await broadcastOf('a'));
    const order: string[] = [];
    const bins = [0, 1, 2].map((binId) =>
      chiplet.renderBin(request(binId)).then(() => {
        order.push(`bin ${binId}`);
        if (binId === 0) setImmediate(() => order.push('other work'));
      }),
    );
    await Promise.all(bins);
    await new Promise((resolve) => setImmediate(resolve));
    expect(order.indexOf('other work')).toBeLessThan(order.indexOf('bin 2'));
  });

  it('shows its modes', async () => {
    const modes: ChipletMode[] = [];
    const chiplet = createLocalChiplet({ id: 0, spec: SPEC, onMode: (mode) => modes.push(mode) });
    await chiplet.computeVisibility('a', frame, 0);
    await chiplet.renderBin(request(0));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(modes).toEqual(['visibility', 'idle', 'coarse-bin-rendering', 'idle']);
  });

  it('fails a bin that does not exist and lives on', async () => {
    const chiplet = createLocalChiplet({ id: 0, spec: SPEC });
    await chiplet.computeVisibility('a', frame, 0);
    await expect(chiplet.renderBin(request(4))).rejects.toThrow('coarse bin 4 does not exist');
    expect((await chiplet.renderBin(request(0))).binId).toBe(0);
  });

  it('refuses visibility work on other chiplets than 0', async () => {
    const chiplet = createLocalChiplet({ id: 2, spec: SPEC });
    await expect(chiplet.computeVisibility('a', frame, 0)).rejects.toThrow('chiplet 2');
  });
});
