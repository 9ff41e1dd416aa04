/**
 * A chiplet service's link to the coordinator: registers, serves the local chiplet under the number it
 * is given, and registers again whenever the link was lost.
 */
import type { Chiplet, ChipletId, SpecSummary } from '@tessera/frame';
import type { Connection } from '../connection/connection.ts';
import { ReconnectingLink } from '../connection/reconnecting-link.ts';
import type { FrameTraces } from '../messages/frame-traces.ts';
import { type ChipletRole, type Message, PROTOCOL_VERSION } from '../messages/messages.ts';
import type { ResourceStore } from '../resources/resource-store.ts';
import { ChipletServer, type ChipletServerOptions, type FinishedWork } from './chiplet-server.ts';

/** Longer than from the end of a pass to the visibility phase of the next. */
const BETWEEN_PASSES_MS = 250;

export interface CoordinatorLinkOptions {
  /** `ws://host:port/chiplets`. */
  readonly url: string;
  /** Shown to the coordinator; `null` for none. */
  readonly secret?: string | null | undefined;
  readonly role: ChipletRole;
  /** What frames are simulated on that ask for nothing else. */
  readonly spec: SpecSummary;
  /** All that a frame may ask for by name. */
  readonly presets: readonly SpecSummary[];
  readonly instance: string;
  /** Where workers reach this chiplet's crosslink; null for a worker. */
  readonly crosslinkUrl: string | null;
  readonly resources: ResourceStore;
  readonly heartbeatMs: number;
  readonly heartbeatSilentLimit: number;
  /** Gives the chiplet of this number: the same one when a number comes again. */
  readonly chipletOf: (chipletId: ChipletId) => Chiplet;
  /** The coordinator said where the crosslink is, or that there is none at the moment. */
  readonly onCrosslinkAddress: (crosslinkUrl: string | null) => void;
  readonly onUp: (chipletId: ChipletId) => void;
  readonly onDown: (reason: string) => void;
  readonly onBug: ChipletServerOptions['onBug'];
  /** Of the frames that are worked at; filled from the coordinator's messages. */
  readonly traces?: FrameTraces;
  readonly onWork?: (work: FinishedWork) => void;
}

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

  /** Whether the coordinator may give this chiplet bins; said again after each registration. */
  setReady(isReady: boolean): void {
    if (this.#isReady === isReady || this.#isDraining) return;
    this.#isReady = isReady;
    this.#sendReady();
  }

  /**
   * Asks for no more work, and resolves when what it has is answered. The visibility chiplet, which frames need to their end,
   * is drained when all that were begun are over.
   */
  async drain(): Promise<void> {
    this.setReady(false);
    this.#isDraining = true;
    const server = this.#server;
    await (this.#options.role === 'visibility'
      ? server?.whenReleased(BETWEEN_PASSES_MS)
      : server?.whenIdle());
  }

  /** Leaves for good. */
  stop(reason: string): void {
    this.#link.stop(reason);
  }

  #register(connection: Connection, markHealthy: () => void): void {
    const { role, spec, presets, instance, crosslinkUrl, heartbeatMs, heartbeatSilentLimit } =
      this.#options;
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
      spec,
      presets,
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
      connection.close(`malformed message: ${message.type} is out of order`);
    }
  }

  #sendReady(): void {
    this.#connection?.send({ type: 'ready', isReady: this.#isReady });
  }
}
