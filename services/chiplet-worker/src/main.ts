/** Process of a chiplet worker: one chiplet, which renders coarse bins. */

import type { Chiplet, ChipletId } from '@tessera/frame';
import { readChipletAccess, type ThreadedChiplet } from '@tessera/wire';
import { ChipletService } from '@tessera/wire/chiplet-service';
import { readOrExit } from '@tessera/wire/environment';
import { pino } from 'pino';
import { readConfig } from './config.ts';
import { CrosslinkMembership } from './crosslink-membership.ts';

const NAME = 'chiplet-worker';
/** Time for bins in progress when the process stops; other chiplets render the rest. */
const DRAIN_WITHIN_MS = 5000;

const { config, secret } = readOrExit(NAME, () => {
  const read = readConfig(process.env);
  return { config: read, secret: readChipletAccess(read) };
});
const log = pino({ name: NAME, level: config.TESSERA_LOG_LEVEL });
const service = new ChipletService({
  name: NAME,
  role: 'worker',
  config,
  secret,
  log,
  threadUrl: new URL('./chiplet-thread.ts', import.meta.url),
});

/** Chiplet of this process and the id that the coordinator assigned to it. */
interface Member {
  readonly id: ChipletId;
  readonly crosslink: CrosslinkMembership;
  readonly chiplet: ThreadedChiplet;
}
let member: Member | null = null;

function leave(reason: string): void {
  member?.crosslink.leave(reason);
  if (member !== null) service.closeChiplet(member.chiplet);
}

/** Returns the chiplet with this id. A new id replaces the chiplet. */
function chipletOf(id: ChipletId): Chiplet {
  if (member?.id === id) return member.chiplet;
  leave('the coordinator gave the worker another number');
  const chiplet = service.startChiplet(id, null);
  const { resources, traces, heartbeatMs, heartbeatSilentLimit } = service;
  const crosslink = new CrosslinkMembership({
    chipletId: id,
    secret,
    chiplet,
    resources,
    traces,
    log,
    heartbeatMs,
    heartbeatSilentLimit,
    onJoined: (isJoined) => coordinator.setReady(isJoined),
  });
  member = { id, crosslink, chiplet };
  return chiplet;
}

const coordinator = await service.connectToCoordinator({
  crosslinkUrl: null,
  chipletOf,
  onCrosslinkAddress: (announced) => {
    member?.crosslink.connectTo(config.TESSERA_CROSSLINK_URL || announced);
  },
});
service.stopOnRequest(coordinator, DRAIN_WITHIN_MS, () => leave('the worker is stopping'));
