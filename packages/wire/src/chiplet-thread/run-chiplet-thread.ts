/** Entry of the rendering thread of a chiplet service. */
import { getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Chiplet, ChipletId, Crosslink, FrameStop } from '@tessera/frame';
import type { BroadcastSink } from '../crosslink/crosslink-client.ts';
import { serveChipletThread } from './serve-chiplet-thread.ts';
import type { ThreadData } from './thread-messages.ts';

/** Settings that a service passes to its rendering thread. */
export interface ThreadSetup {
  readonly id: ChipletId;
  /** Niceness of the thread, 0 to 19. */
  readonly niceness: number;
}

/**
 * Serves a chiplet to the main thread until the thread ends.
 *
 * @param makeChiplet Creates the chiplet from its connection to the other chiplets and the means to
 *   stop its work.
 * @throws {Error} If called outside a worker thread.
 */
export function runChipletThread(
  makeChiplet: (
    setup: ThreadSetup,
    crosslink: Crosslink,
    stop: FrameStop,
  ) => Chiplet & BroadcastSink,
): void {
  if (parentPort === null) throw new Error('the chiplet must run in a worker thread');
  // ChipletService passes this data.
  const { setup, stopMemory } = workerData as ThreadData<ThreadSetup>;
  // On Linux this affects only the calling thread. Only an administrator may lower the niceness.
  setPriority(Math.max(setup.niceness, getPriority()));
  serveChipletThread(parentPort, stopMemory, (crosslink, stop) =>
    makeChiplet(setup, crosslink, stop),
  );
}
