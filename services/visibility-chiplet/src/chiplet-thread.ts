/** Rendering thread: one simulated chiplet. */
import { createLocalChiplet } from '@tessera/gpu';
import { runChipletThread } from '@tessera/wire/chiplet-thread';

runChipletThread(({ id }, crosslink, stop) => createLocalChiplet({ id, crosslink, stop }));
