/** The thread that renders: one simulated chiplet. */
import { getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { chipletPreset, createLocalChiplet } from '@tessera/gpu';
import { serveChipletThread, type ThreadData } from '@tessera/wire/chiplet-thread';
import type { ThreadSetup } from './thread-setup.ts';

const { setup, stopMemory } = workerData as ThreadData<ThreadSetup>; // as main.ts gives it
const { id, specName, niceness } = setup;
// On Linux it is this thread's alone; nobody but the administrator may take it back.
setPriority(Math.max(niceness, getPriority()));
if (parentPort === null) throw new Error('chiplet-thread.ts is started by main.ts');
serveChipletThread(parentPort, stopMemory, (crosslink, stop) =>
  createLocalChiplet({ id, spec: chipletPreset(specName), crosslink, stop }),
);
