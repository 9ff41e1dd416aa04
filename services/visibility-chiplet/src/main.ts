/** The visibility chiplet's process: chiplet 0, driven by the coordinator, and the crosslink's server. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chiplet } from '@tessera/frame';
import { CHIPLET_PRESETS, chipletPreset, summarizeSpec } from '@tessera/gpu/presets';
import {
  acceptWebSockets,
  CoordinatorLink,
  CrosslinkServer,
  FrameTraces,
  isLoopbackHost,
  onStopRequest,
  processInstance,
  ResourceStore,
  readChipletAccess,
  readTlsFiles,
  resolveCoordinatorUrl,
  runOwned,
  ThreadedChiplet,
  type TlsFiles,
  watchEventLoop,
} from '@tessera/wire';
import { EnvironmentError } from '@tessera/wire/environment';
import { pino } from 'pino';
import { type Config, readConfig } from './config.ts';
import type { ThreadSetup } from './thread-setup.ts';

const CROSSLINK_PATH = '/crosslink';
/** Addresses that mean every interface, and so nothing to another host. */
const WILDCARD_HOSTS = ['0.0.0.0', '::'];

interface Settings {
  readonly config: Config;
  readonly secret: string | null;
  readonly tls: TlsFiles | null;
}

function readConfigOrExit(): Settings {
  try {
    const read = readConfig(process.env);
    const access = readChipletAccess(read);
    const host = read.TESSERA_CROSSLINK_HOST;
    if (access === null && !isLoopbackHost(host) && !read.TESSERA_INSECURE_CHIPLETS) {
      throw new EnvironmentError(
        `TESSERA_CHIPLET_SECRET: required, since others reach TESSERA_CROSSLINK_HOST=${host}; ` +
          'TESSERA_INSECURE_CHIPLETS=true does without',
      );
    }
    const tls = readTlsFiles(read.TESSERA_TLS_CERT, read.TESSERA_TLS_KEY);
    return { config: read, secret: access, tls };
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    process.stderr.write(`visibility-chiplet: ${error.message}\n`);
    process.exit(2);
  }
}

const { config, secret, tls } = readConfigOrExit();
const log = pino({ name: 'visibility-chiplet', level: config.TESSERA_LOG_LEVEL });
watchEventLoop({ name: 'visibility-chiplet', stallMs: config.TESSERA_WATCHDOG_MS });

const heartbeatMs = config.TESSERA_HEARTBEAT_MS;
const heartbeatSilentLimit = Math.ceil(config.TESSERA_SILENT_MS / heartbeatMs);

const traces = new FrameTraces();
const crosslink = new CrosslinkServer({
  traces,
  heartbeatMs,
  heartbeatSilentLimit,
  onLinkClosed: (peer, reason) => log.info({ peer, reason }, 'worker left the crosslink'),
  onAcknowledged: (frameId, passIndex, workerCount) =>
    log.debug(
      { ...traces.of(frameId), frameId, passIndex, workerCount },
      'all workers hold the visibility',
    ),
});
const refuse: RequestListener = (_request, response) => response.writeHead(426).end();
const server = tls === null ? createServer(refuse) : createTlsServer({ ...tls }, refuse);
const closeCrosslink = acceptWebSockets(
  server,
  CROSSLINK_PATH,
  'crosslink-server',
  (connection) => crosslink.attach(connection),
  secret,
);

function crosslinkUrl(port: number): string {
  if (config.TESSERA_CROSSLINK_PUBLIC_URL !== '') return config.TESSERA_CROSSLINK_PUBLIC_URL;
  const host = config.TESSERA_CROSSLINK_HOST;
  const scheme = tls === null ? 'ws' : 'wss';
  return `${scheme}://${WILDCARD_HOSTS.includes(host) ? hostname() : host}:${port}${CROSSLINK_PATH}`;
}

try {
  server.listen(config.TESSERA_CROSSLINK_PORT, config.TESSERA_CROSSLINK_HOST);
  await once(server, 'listening');
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const place = `${config.TESSERA_CROSSLINK_HOST}:${config.TESSERA_CROSSLINK_PORT}`;
  const reason = code === 'EADDRINUSE' ? 'is in use; set TESSERA_CROSSLINK_PORT' : message;
  process.stderr.write(`visibility-chiplet: ${place} ${reason}\n`);
  process.exit(2);
}

const spec = chipletPreset(config.TESSERA_SPEC);
const threadSetup: ThreadSetup = {
  id: 0,
  specName: spec.name,
  niceness: config.TESSERA_RENDER_NICENESS,
};
const simulated = new ThreadedChiplet({
  id: 0,
  threadUrl: new URL('./chiplet-thread.ts', import.meta.url),
  threadSetup,
  crosslink,
  onDied: (error) => {
    log.fatal({ err: error }, 'the thread that renders died');
    process.exit(1);
  },
});
/** The simulated chiplet; a frame that it forgets, the workers forget as well. */
const chiplet: Chiplet = {
  id: 0,
  computeVisibility: (frameId, frame, passIndex) =>
    simulated.computeVisibility(frameId, frame, passIndex),
  renderBin: (request) => simulated.renderBin(request),
  releaseFrame: (frameId) => {
    simulated.releaseFrame(frameId);
    crosslink.release(frameId);
  },
};

const url = crosslinkUrl((server.address() as AddressInfo).port);
const coordinatorUrl = await resolveCoordinatorUrl(config.TESSERA_COORDINATOR_URL);
if (coordinatorUrl === null) process.exit(0);
const coordinator = new CoordinatorLink({
  url: coordinatorUrl,
  secret,
  role: 'visibility',
  spec: summarizeSpec(spec),
  presets: Object.values(CHIPLET_PRESETS).map(summarizeSpec),
  instance: processInstance(),
  crosslinkUrl: url,
  resources: new ResourceStore(config.TESSERA_RESOURCE_CACHE_BYTES),
  heartbeatMs,
  heartbeatSilentLimit,
  chipletOf: () => chiplet,
  onCrosslinkAddress: () => {}, // its own
  onUp: () => log.info({ crosslinkUrl: url }, 'registered with the coordinator'),
  onDown: (reason) => log.warn({ reason }, 'no link to the coordinator'),
  traces,
  onWork: (work) => log.debug(work, 'done'),
  onBug: (error, work) => log.error({ ...work, err: error }, 'a bug'),
});
coordinator.setReady(true);

/** Frames that are not over by then are begun again when the chiplet is back. Supervisors kill after ten seconds. */
const DRAIN_WITHIN_MS = 8000;
let isStopping = false;

async function stop(signal: string): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  log.info({ signal }, 'stopping');
  const timeUp = sleep(DRAIN_WITHIN_MS, undefined, { ref: false });
  await Promise.race([coordinator.drain(), timeUp]);
  coordinator.stop('the visibility chiplet stops');
  closeCrosslink();
  runOwned(
    log,
    'closing the render thread',
    {},
    () => simulated.close(),
    () => process.exit(1),
  );
  server.closeAllConnections();
  server.close();
  if (process.connected) process.disconnect?.();
}

onStopRequest(log, stop, 'once');
