/** A chiplet worker's process: one chiplet that renders the coarse bins it is given. */
import type { ChipletId } from '@tessera/frame';
import { CHIPLET_PRESETS, chipletPreset, createLocalChiplet, summarizeSpec } from '@tessera/gpu';
import { CoordinatorLink, processInstance, ResourceStore } from '@tessera/wire';
import { EnvironmentError } from '@tessera/wire/environment';
import { pino } from 'pino';
import { type Config, readConfig } from './config.ts';
import { CrosslinkMembership } from './crosslink-membership.ts';

const HEARTBEAT_SILENT_LIMIT = 12;

function readConfigOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    process.stderr.write(`chiplet-worker: ${error.message}\n`);
    process.exit(2);
  }
}

const config = readConfigOrExit();
const log = pino({ name: 'chiplet-worker', level: config.TESSERA_LOG_LEVEL });
const spec = chipletPreset(config.TESSERA_SPEC);
const resources = new ResourceStore(config.TESSERA_RESOURCE_CACHE_BYTES);

/** A worker never broadcasts; the coordinator asks only chiplet 0 for visibility. */
const noCrosslink = {
  broadcast: () => Promise.reject(new Error('a worker has nothing to broadcast')),
};

let member: {
  id: ChipletId;
  crosslink: CrosslinkMembership;
  chiplet: ReturnType<typeof createLocalChiplet>;
} | null = null;

/** The chiplet under this number; another number makes a new one. */
function chipletOf(id: ChipletId) {
  if (member?.id === id) return member.chiplet;
  member?.crosslink.leave('the worker has another number now');
  const chiplet = createLocalChiplet({ id, spec, crosslink: noCrosslink });
  const crosslink = new CrosslinkMembership({
    chipletId: id,
    chiplet,
    resources,
    log,
    heartbeatMs: config.TESSERA_HEARTBEAT_MS,
    heartbeatSilentLimit: HEARTBEAT_SILENT_LIMIT,
    onJoined: (isJoined) => coordinator.setReady(isJoined),
  });
  member = { id, crosslink, chiplet };
  return chiplet;
}

const coordinator = new CoordinatorLink({
  url: config.TESSERA_COORDINATOR_URL,
  role: 'worker',
  spec: summarizeSpec(spec),
  presets: Object.values(CHIPLET_PRESETS).map(summarizeSpec),
  instance: processInstance(),
  crosslinkUrl: null,
  resources,
  heartbeatMs: config.TESSERA_HEARTBEAT_MS,
  heartbeatSilentLimit: HEARTBEAT_SILENT_LIMIT,
  chipletOf,
  onCrosslinkAddress: (announced) => {
    member?.crosslink.connectTo(config.TESSERA_CROSSLINK_URL || announced);
  },
  onUp: (chipletId) => log.info({ chipletId }, 'registered with the coordinator'),
  onDown: (reason) => log.warn({ reason }, 'no link to the coordinator'),
  onBug: (error) => log.error({ err: error }, 'a bug'),
});

let isStopping = false;

function stop(signal: string): void {
  if (isStopping) return;
  isStopping = true;
  log.info({ signal }, 'stopping');
  coordinator.stop('the worker stops');
  member?.crosslink.leave('the worker stops');
  if (process.connected) process.disconnect?.();
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop(signal));
if (process.send !== undefined) process.once('disconnect', () => stop('parent left'));
