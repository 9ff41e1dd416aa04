/** The thread that renders: one simulated chiplet. */
import { parentPort, workerData } from 'node:worker_threads';
import { chipletPreset, createLocalChiplet } from '@tessera/gpu';
import { serveChipletThread } from '@tessera/wire/chiplet-thread';
import type { ThreadSetup } from './thread-setup.ts';

const { id, specName } = workerData as ThreadSetup; // as main.ts gives it
if (parentPort === null) throw new Error('chiplet-thread.ts is started by main.ts');
serveChipletThread(parentPort, (crosslink) =>
  createLocalChiplet({ id, spec: chipletPreset(specName), crosslink }),
);
