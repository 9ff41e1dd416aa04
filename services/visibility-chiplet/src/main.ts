/** The visibility chiplet's process: chiplet 0, driven by the coordinator, and the crosslink's server. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import type { Chiplet } from '@tessera/frame';
import { CHIPLET_PRESETS, chipletPreset, createLocalChiplet, summarizeSpec } from '@tessera/gpu';
import {
  acceptWebSockets,
  CoordinatorLink,
  CrosslinkServer,
  processInstance,
  ResourceStore,
} from '@tessera/wire';
import { EnvironmentError } from '@tessera/wire/environment';
import { pino } from 'pino';
import { type Config, readConfig } from './config.ts';

const HEARTBEAT_SILENT_LIMIT = 12;
const CROSSLINK_PATH = '/crosslink';
/** Addresses that mean every interface, and so nothing to another host. */
const WILDCARD_HOSTS = ['0.0.0.0', '::'];

function readConfigOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    process.stderr.write(`visibility-chiplet: ${error.message}\n`);
    process.exit(2);
  }
}

const config = readConfigOrExit();
const log = pino({ name: 'visibility-chiplet', level: config.TESSERA_LOG_LEVEL });

const crosslink = new CrosslinkServer({
  heartbeatMs: config.TESSERA_HEARTBEAT_MS,
  heartbeatSilentLimit: HEARTBEAT_SILENT_LIMIT,
  onLinkClosed: (peer, reason) => log.info({ peer, reason }, 'worker left the crosslink'),
  onAcknowledged: (frameId, passIndex, workerCount) =>
    log.debug({ frameId, passIndex, workerCount }, 'all workers hold the visibility'),
});
const server = createServer((_request, response) => response.writeHead(426).end());
const closeCrosslink = acceptWebSockets(server, CROSSLINK_PATH, 'crosslink-server', (connection) =>
  crosslink.attach(connection),
);

function crosslinkUrl(port: number): string {
  if (config.TESSERA_CROSSLINK_PUBLIC_URL !== '') return config.TESSERA_CROSSLINK_PUBLIC_URL;
  const host = config.TESSERA_CROSSLINK_HOST;
  return `ws://${WILDCARD_HOSTS.includes(host) ? hostname() : host}:${port}${CROSSLINK_PATH}`;
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
const simulated = createLocalChiplet({ id: 0, spec, crosslink });
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
const coordinator = new CoordinatorLink({
  url: config.TESSERA_COORDINATOR_URL,
  role: 'visibility',
  spec: summarizeSpec(spec),
  presets: Object.values(CHIPLET_PRESETS).map(summarizeSpec),
  instance: processInstance(),
  crosslinkUrl: url,
  resources: new ResourceStore(config.TESSERA_RESOURCE_CACHE_BYTES),
  heartbeatMs: config.TESSERA_HEARTBEAT_MS,
  heartbeatSilentLimit: HEARTBEAT_SILENT_LIMIT,
  chipletOf: () => chiplet,
  onCrosslinkAddress: () => {}, // its own
  onUp: () => log.info({ crosslinkUrl: url }, 'registered with the coordinator'),
  onDown: (reason) => log.warn({ reason }, 'no link to the coordinator'),
  onBug: (error) => log.error({ err: error }, 'a bug'),
});
coordinator.setReady(true);

let isStopping = false;

function stop(signal: string): void {
  if (isStopping) return;
  isStopping = true;
  log.info({ signal }, 'stopping');
  coordinator.stop('the visibility chiplet stops');
  closeCrosslink();
  server.closeAllConnections();
  server.close();
  if (process.connected) process.disconnect?.();
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop(signal));
if (process.send !== undefined) process.once('disconnect', () => stop('parent left'));
