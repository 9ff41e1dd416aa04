/**
 * A thread with a fake chiplet. Bin 9 never completes, bin 8 throws an error, and bin 7 ends the
 * thread. Bins from 10 on run until their frame is released.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { RenderError } from '@tessera/frame';
import { serveChipletThread, type ThreadData } from '../chiplet-thread/serve-chiplet-thread.ts';

if (parentPort === null) throw new Error('started by a test');
const { stopMemory } = workerData as ThreadData<null>;
serveChipletThread(parentPort, stopMemory, (crosslink, { words, ticketOf }) => ({
  id: 0,
  computeVisibility: async (frameId, frame, passIndex) => {
    const bins = [Uint8Array.of(1, 2, 3)];
    await crosslink.broadcast({ frameId, frame, visibility: { passIndex, bins } });
    return { passIndex, bins: [], counters: {}, cycles: 5, spans: [], earlyBin: null };
  },
  renderBin: async ({ frameId, passIndex, binId }) => {
    if (binId === 9) for (;;);
    if (binId >= 10) {
      words.begin(ticketOf(frameId));
      for (;;) words.throwIfStopped();
    }
    if (binId === 8) throw new Error('a bug');
    if (binId === 7) process.exit(3);
    if (binId === 6) throw new RenderError('SHADER_BUDGET_EXCEEDED', 'too long');
    const all = new Uint8Array(100).fill(binId);
    return {
      frameId,
      passIndex,
      binId,
      rect: { x: 0, y: 0, width: 2, height: 1 },
      // Two views of the same part of a larger buffer. Neither may be detached from the chiplet.
      colors: [all.subarray(4, 12), all.subarray(4, 12)],
      depthStencil: null,
      counters: {},
      cycles: null,
      spans: [],
    };
  },
  receiveBroadcast: () => {},
  releaseFrame: () => {},
}));
