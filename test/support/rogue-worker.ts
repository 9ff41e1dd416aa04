/** Faulty workers on real sockets: they do not answer, or change their results. */

import { type BinResult, type Chiplet, type ChipletId, RenderError } from '@tessera/frame';
import { createLocalChiplet } from '@tessera/gpu';
import { CoordinatorLink, CrosslinkClient, ReconnectingLink, ResourceStore } from '@tessera/wire';
import type { TestService } from './service-harness.ts';

const HEARTBEAT_MS = 1000;
const SILENT_LIMIT = 30;

/** A faulty worker. */
export interface RogueWorker {
  /** Returns the number of bins that the worker was asked for. */
  readonly asked: () => number;
  readonly stop: () => void;
}

/** Service that the worker joins. It knows the secret, like a worker with a hardware fault. */
type JoinedService = Pick<TestService, 'url' | 'service'>;

/** Connects a worker that answers pings but no bins. */
export function connectSilentWorker(joined: JoinedService, instance: string): RogueWorker {
  let asked = 0;
  const { link } = connect(joined, instance, (id) => ({
    id,
    computeVisibility: refuseVisibility,
    renderBin: () => {
      asked++;
      return new Promise(() => {});
    },
    releaseFrame: () => {},
  }));
  link.setReady(true);
  return { asked: () => asked, stop: () => link.stop('the test is over') };
}

/**
 * Connects a worker in this process that renders normally and may change its results.
 *
 * @param tamper Returns the result to send, given the true one and the number of bins rendered
 *   before.
 */
export function connectTamperingWorker(
  joined: JoinedService,
  instance: string,
  tamper: (result: BinResult, index: number) => BinResult,
): RogueWorker {
  let asked = 0;
  let crosslinkLink: ReconnectingLink | null = null;
  const resources = new ResourceStore(2 ** 28);
  const chiplet = createLocalChiplet({ id: 1 });
  const rogue = (id: ChipletId): Chiplet => ({
    id,
    computeVisibility: refuseVisibility,
    renderBin: async (request) => {
      const index = asked++;
      return tamper(await chiplet.renderBin(request), index);
    },
    releaseFrame: (frameId) => chiplet.releaseFrame(frameId),
  });
  let crosslink: CrosslinkClient | null = null;
  const { link } = connect(joined, instance, rogue, resources, (url, chipletId) => {
    crosslinkLink?.stop('the crosslink moved');
    crosslinkLink = null;
    if (url === null) return;
    crosslink ??= new CrosslinkClient({
      chipletId,
      resources,
      sink: chiplet,
      onJoined: (isJoined) => link.setReady(isJoined),
    });
    const client = crosslink;
    crosslinkLink = new ReconnectingLink({
      url,
      receiver: 'crosslink-client',
      secret: joined.service.chipletSecret,
      attach: (connection) => {
        connection.startHeartbeat(HEARTBEAT_MS, SILENT_LIMIT);
        client.attach(connection);
      },
      onDown: () => {},
    });
  });
  return {
    asked: () => asked,
    stop: () => {
      link.stop('the test is over');
      crosslinkLink?.stop('the test is over');
    },
  };
}

function connect(
  { url, service }: JoinedService,
  instance: string,
  makeChiplet: (id: ChipletId) => Chiplet,
  resources = new ResourceStore(1e6),
  onCrosslink: (url: string | null, id: ChipletId) => void = () => {},
): { readonly link: CoordinatorLink } {
  let chiplet: Chiplet | null = null;
  const link = new CoordinatorLink({
    url: `${url.replace('http', 'ws')}/chiplets`,
    secret: service.chipletSecret,
    role: 'worker',
    instance,
    crosslinkUrl: null,
    resources,
    heartbeatMs: HEARTBEAT_MS,
    heartbeatSilentLimit: SILENT_LIMIT,
    chipletOf: (id) => {
      chiplet ??= makeChiplet(id);
      return chiplet;
    },
    onCrosslinkAddress: (url) => onCrosslink(url, chiplet!.id),
    onUp: () => {},
    onDown: () => {},
    onBug: () => {},
  });
  return { link };
}

function refuseVisibility(): Promise<never> {
  return Promise.reject(new RenderError('INTERNAL', 'workers do not compute visibility'));
}
