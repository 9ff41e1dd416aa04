/** Rendering thread: one simulated chiplet. */
import { chipletPreset } from '@tessera/chiplet-spec';
import { createLocalChiplet } from '@tessera/gpu';
import { runChipletThread } from '@tessera/wire/chiplet-thread';

runChipletThread(({ id, specName }, crosslink, stop) =>
  createLocalChiplet({ id, spec: chipletPreset(specName), crosslink, stop }),
);
