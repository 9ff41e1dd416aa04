/** Keeps a worker connected to the crosslink at the address that the coordinator announces. */
import type { ChipletId } from '@tessera/frame';
import {
  type BroadcastSink,
  CrosslinkClient,
  type FrameTraces,
  ReconnectingLink,
  type ResourceStore,
} from '@tessera/wire';
import type { Logger } from 'pino';

/** Services and settings of a {@link CrosslinkMembership}. */
export interface CrosslinkMembershipOptions {
  readonly chipletId: ChipletId;
  /** Secret presented to the crosslink; null for none. */
  readonly secret: string | null;
  readonly chiplet: BroadcastSink;
  readonly resources: ResourceStore;
  readonly traces: FrameTraces;
  readonly log: Logger;
  readonly heartbeatMs: number;
  readonly heartbeatSilentLimit: number;
  readonly onJoined: (isJoined: boolean) => void;
}

/** Connection of a worker to the crosslink. */
export class CrosslinkMembership {
  readonly #options: CrosslinkMembershipOptions;
  readonly #client: CrosslinkClient;
  #url: string | null = null;
  #link: ReconnectingLink | null = null;
  #markHealthy: () => void = () => {};

  constructor(options: CrosslinkMembershipOptions) {
    const { chipletId, traces, resources, chiplet, log, onJoined } = options;
    this.#options = options;
    this.#client = new CrosslinkClient({
      chipletId,
      resources,
      traces,
      sink: chiplet,
      onJoined: (isJoined, reason) => {
        log.info({ isJoined, reason }, 'crosslink');
        if (isJoined) this.#markHealthy();
        onJoined(isJoined);
      },
    });
  }

  /**
   * Connects to an address and reconnects when the connection is lost. Null disconnects until the
   * next address.
   */
  connectTo(url: string | null): void {
    if (url === this.#url) return;
    this.#url = url;
    this.#link?.stop('the address of the crosslink changed');
    this.#link = null;
    if (url === null) return;
    const { heartbeatMs, heartbeatSilentLimit, log, secret } = this.#options;
    this.#link = new ReconnectingLink({
      url,
      secret,
      receiver: 'crosslink-client',
      attach: (connection, markHealthy) => {
        this.#markHealthy = markHealthy;
        connection.startHeartbeat(heartbeatMs, heartbeatSilentLimit);
        this.#client.attach(connection);
      },
      onDown: (reason) => log.warn({ reason }, 'lost the link to the crosslink'),
    });
  }

  /** Disconnects and does not reconnect. */
  leave(reason: string): void {
    this.#link?.stop(reason);
    this.#link = null;
    this.#client.close(reason);
  }
}
