/** Process of the visibility chiplet: chiplet 0, and the server of the crosslink. */

import type { Chiplet } from '@tessera/frame';
import {
  CrosslinkServer,
  isLoopbackHost,
  readChipletAccess,
  readTlsFiles,
  type TlsFiles,
} from '@tessera/wire';
import { ChipletService } from '@tessera/wire/chiplet-service';
import { EnvironmentError, exitAtStart, readOrExit } from '@tessera/wire/environment';
import { pino } from 'pino';
import { type Config, readConfig } from './config.ts';
import { CrosslinkEndpoint } from './crosslink-endpoint.ts';

const NAME = 'visibility-chiplet';
/**
 * Time for frames in progress when the process stops. Later frames are restarted when the chiplet
 * has reconnected. Supervisors kill a process after ten seconds.
 */
const DRAIN_WITHIN_MS = 8000;

interface Settings {
  readonly config: Config;
  readonly secret: string | null;
  readonly tls: TlsFiles | null;
}

function readSettings(): Settings {
  const config = readConfig(process.env);
  const secret = readChipletAccess(config);
  const host = config.TESSERA_CROSSLINK_HOST;
  if (secret === null && !isLoopbackHost(host) && !config.TESSERA_INSECURE_CHIPLETS) {
    throw new EnvironmentError(
      `TESSERA_CHIPLET_SECRET: required because TESSERA_CROSSLINK_HOST=${host} is reachable from other ` +
        'machines; TESSERA_INSECURE_CHIPLETS=true permits it without a secret',
    );
  }
  return { config, secret, tls: readTlsFiles(config.TESSERA_TLS_CERT, config.TESSERA_TLS_KEY) };
}

const { config, secret, tls } = readOrExit(NAME, readSettings);
const log = pino({ name: NAME, level: config.TESSERA_LOG_LEVEL });
const service = new ChipletService({
  name: NAME,
  role: 'visibility',
  config,
  secret,
  log,
  threadUrl: new URL('./chiplet-thread.ts', import.meta.url),
});
const { traces, heartbeatMs, heartbeatSilentLimit } = service;

const crosslink = new CrosslinkServer({
  traces,
  heartbeatMs,
  heartbeatSilentLimit,
  onLinkClosed: (peer, reason) => log.info({ peer, reason }, 'worker left the crosslink'),
  onAcknowledged: (frameId, passIndex, workerCount) =>
    log.debug(
      { ...traces.of(frameId), frameId, passIndex, workerCount },
      'all workers have the visibility stream',
    ),
});
const endpoint = new CrosslinkEndpoint({ config, secret, tls, crosslink });
const problem = await endpoint.listen();
if (problem !== null) exitAtStart(NAME, problem);

const simulated = service.startChiplet(0, crosslink);
/** Simulated chiplet. Releases frames on the workers too. */
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

const coordinator = await service.connectToCoordinator({
  crosslinkUrl: endpoint.url,
  chipletOf: () => chiplet,
  onCrosslinkAddress: () => {}, // It is this process's own address.
});
coordinator.setReady(true);
service.stopOnRequest(coordinator, DRAIN_WITHIN_MS, () => {
  endpoint.closeLinks();
  service.closeChiplet(simulated);
  endpoint.close();
});
