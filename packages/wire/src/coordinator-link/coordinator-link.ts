/**
 * A chiplet service's link to the coordinator. It registers, serves the local chiplet under the
 * number it receives, and registers again whenever the link is lost.
 */
import type { Chiplet, ChipletId } from '@tessera/frame';
import type { Connection } from '../connection/connection.ts';
import { ReconnectingLink } from '../connection/reconnecting-link.ts';
import type { FrameTraces } from '../messages/frame-traces.ts';
import { type ChipletRole, type Message, PROTOCOL_VERSION } from '../messages/messages.ts';
import type { ResourceStore } from '../resources/resource-store.ts';
import { ChipletServer, type ChipletServerOptions, type FinishedWork } from './chiplet-server.ts';

/**
 * Time longer than the pause between the end of a pass and the visibility phase of the next one.
 */
const BETWEEN_PASSES_MS = 250;

/** Options of a {@link CoordinatorLink}. */
export interface CoordinatorLinkOptions {
  /** Address of the coordinator, `ws://host:port/chiplets`. */
  readonly url: string;
  /** Secret sent to the coordinator; `null` for none. */
  readonly secret?: string | null | undefined;
  readonly role: ChipletRole;
  readonly instance: string;
  /** Address of this chiplet's crosslink for workers; `null` for a worker. */
  readonly crosslinkUrl: string | null;
  readonly resources: ResourceStore;
  readonly heartbeatMs: number;
  readonly heartbeatSilentLimit: number;
  /** Returns the chiplet with this number. Must return the same chiplet for the same number. */
  readonly chipletOf: (chipletId: ChipletId) => Chiplet;
  /** Called with the address of the crosslink, or `null` while there is none. */
  readonly onCrosslinkAddress: (crosslinkUrl: string | null) => void;
  readonly onUp: (chipletId: ChipletId) => void;
  readonly onDown: (reason: string) => void;
  readonly onBug: ChipletServerOptions['onBug'];
  /** Trace ids of the frames in progress, recorded from the coordinator's messages. */
  readonly traces?: FrameTraces;
  readonly onWork?: (work: FinishedWork) => void;
}

/** Keeps a local chiplet registered with the coordinator. */
export class CoordinatorLink {
  readonly #options: CoordinatorLinkOptions;
  readonly #link: ReconnectingLink;
  #connection: Connection | null = null;
  #server: ChipletServer | null = null;
  #isReady = false;
  #isDraining = false;

  constructor(options: CoordinatorLinkOptions) {
    this.#options = options;
    this.#link = new ReconnectingLink({
      url: options.url,
      secret: options.secret,
      receiver: 'chiplet',
      attach: (connection, markHealthy) => this.#register(connection, markHealthy),
      onDown: options.onDown,
    });
  }

  /**
   * Reports whether the coordinator may send bins to this chiplet. Reported again after each
   * registration.
   */
  setReady(isReady: boolean): void {
    if (this.#isReady === isReady || this.#isDraining) return;
    this.#isReady = isReady;
    this.#sendReady();
  }

  /**
   * Declines further work and resolves when all requests are answered. On the visibility chiplet it
   * also waits for all frames in progress, which need that chiplet until they finish.
   */
  async drain(): Promise<void> {
    this.setReady(false);
    this.#isDraining = true;
    const server = this.#server;
    await (this.#options.role === 'visibility'
      ? server?.whenReleased(BETWEEN_PASSES_MS)
      : server?.whenIdle());
  }

  /** Closes the link and does not reconnect. */
  stop(reason: string): void {
    this.#link.stop(reason);
  }

  #register(connection: Connection, markHealthy: () => void): void {
    const { role, instance, crosslinkUrl, heartbeatMs, heartbeatSilentLimit } = this.#options;
    connection.startHeartbeat(heartbeatMs, heartbeatSilentLimit);
    connection.listen({
      onMessage: (message) => this.#receive(connection, message, markHealthy),
      onClose: () => {
        this.#server?.connectionClosed();
        this.#server = null;
        this.#connection = null;
      },
    });
    const protocolVersion = PROTOCOL_VERSION;
    connection.send({
      type: 'hello',
      protocolVersion,
      role,
      crosslinkUrl,
      instance,
    });
  }

  #receive(connection: Connection, message: Message, markHealthy: () => void): void {
    if (message.type === 'welcome' && this.#server === null) {
      const { resources, onBug, onWork, traces } = this.#options;
      const chiplet = this.#options.chipletOf(message.chipletId);
      this.#server = new ChipletServer({ connection, chiplet, resources, onBug, onWork, traces });
      this.#connection = connection;
      markHealthy();
      this.#options.onUp(message.chipletId);
      this.#options.onCrosslinkAddress(message.crosslinkUrl);
      this.#sendReady();
    } else if (message.type === 'crosslinkAddress' && this.#server !== null) {
      this.#options.onCrosslinkAddress(message.crosslinkUrl);
    } else if (this.#server?.receive(message) !== true) {
      connection.close(`malformed message: unexpected ${message.type}`);
    }
  }

  #sendReady(): void {
    this.#connection?.send({ type: 'ready', isReady: this.#isReady });
  }
}
