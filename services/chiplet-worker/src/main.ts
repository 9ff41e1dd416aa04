/** A chiplet worker's process: one chiplet that renders the coarse bins it is given. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChipletId } from '@tessera/frame';
import { CHIPLET_PRESETS, chipletPreset, summarizeSpec } from '@tessera/gpu/presets';
import {
  CoordinatorLink,
  FrameTraces,
  onStopRequest,
  processInstance,
  ResourceStore,
  readChipletAccess,
  resolveCoordinatorUrl,
  runOwned,
  ThreadedChiplet,
  watchEventLoop,
} from '@tessera/wire';
import { EnvironmentError } from '@tessera/wire/environment';
import { pino } from 'pino';
import { type Config, readConfig } from './config.ts';
import { CrosslinkMembership } from './crosslink-membership.ts';
import type { ThreadSetup } from './thread-setup.ts';

function readConfigOrExit(): { config: Config; secret: string | null } {
  try {
    const read = readConfig(process.env);
    return { config: read, secret: readChipletAccess(read) };
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    process.stderr.write(`chiplet-worker: ${error.message}\n`);
    process.exit(2);
  }
}

const { config, secret } = readConfigOrExit();
const log = pino({ name: 'chiplet-worker', level: config.TESSERA_LOG_LEVEL });
watchEventLoop({ name: 'chiplet-worker', stallMs: config.TESSERA_WATCHDOG_MS });
const spec = chipletPreset(config.TESSERA_SPEC);
const resources = new ResourceStore(config.TESSERA_RESOURCE_CACHE_BYTES);

const heartbeatMs = config.TESSERA_HEARTBEAT_MS;
const heartbeatSilentLimit = Math.ceil(config.TESSERA_SILENT_MS / heartbeatMs);

const traces = new FrameTraces();

let member: {
  id: ChipletId;
  crosslink: CrosslinkMembership;
  chiplet: ThreadedChiplet;
} | null = null;

/** Ends a chiplet's thread. A thread that cannot be ended leaves nothing but the end of the process. */
function closeThread(chiplet: ThreadedChiplet): void {
  runOwned(
    log,
    'closing the render thread',
    {},
    () => chiplet.close(),
    () => process.exit(1),
  );
}

/** The chiplet under this number; another number makes a new one. */
function chipletOf(id: ChipletId) {
  if (member?.id === id) return member.chiplet;
  member?.crosslink.leave('the worker has another number now');
  if (member !== null) closeThread(member.chiplet);
  const threadSetup: ThreadSetup = {
    id,
    specName: spec.name,
    niceness: config.TESSERA_RENDER_NICENESS,
  };
  const chiplet = new ThreadedChiplet({
    id,
    threadUrl: new URL('./chiplet-thread.ts', import.meta.url),
    threadSetup,
    crosslink: null,
    onDied: (error) => {
      log.fatal({ err: error }, 'the thread that renders died');
      process.exit(1);
    },
  });
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

const coordinatorUrl = await resolveCoordinatorUrl(config.TESSERA_COORDINATOR_URL);
if (coordinatorUrl === null) process.exit(0);
const coordinator = new CoordinatorLink({
  url: coordinatorUrl,
  secret,
  role: 'worker',
  spec: summarizeSpec(spec),
  presets: Object.values(CHIPLET_PRESETS).map(summarizeSpec),
  instance: processInstance(),
  crosslinkUrl: null,
  resources,
  heartbeatMs,
  heartbeatSilentLimit,
  chipletOf,
  onCrosslinkAddress: (announced) => {
    member?.crosslink.connectTo(config.TESSERA_CROSSLINK_URL || announced);
  },
  onUp: (chipletId) => log.info({ chipletId }, 'registered with the coordinator'),
  onDown: (reason) => log.warn({ reason }, 'no link to the coordinator'),
  traces,
  onWork: (work) => log.debug(work, 'done'),
  onBug: (error, work) => log.error({ ...work, err: error }, 'a bug'),
});

/** Bins that are not done by then are rendered by others. */
const DRAIN_WITHIN_MS = 5000;
let isStopping = false;

async function stop(signal: string): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  log.info({ signal }, 'stopping');
  const timeUp = sleep(DRAIN_WITHIN_MS, undefined, { ref: false });
  await Promise.race([coordinator.drain(), timeUp]);
  coordinator.stop('the worker stops');
  member?.crosslink.leave('the worker stops');
  if (member !== null) closeThread(member.chiplet);
  if (process.connected) process.disconnect?.();
}

onStopRequest(log, stop, 'once');
