/**
 * Keeps a WebSocket link open. Reconnects with back-off after a failed attempt or a closed
 * connection.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Endpoint } from '../messages/messages.ts';
import type { Connection } from './connection.ts';
import { connectWebSocket } from './websocket-connection.ts';

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 2000;
const CONNECT_WITHIN_MS = 5000;

/** Options of a {@link ReconnectingLink}. */
export interface ReconnectingLinkOptions {
  readonly url: string;
  readonly receiver: Endpoint;
  /** Secret sent to the other end; `null` for none. */
  readonly secret?: string | null | undefined;
  /** Called with each new connection. `markHealthy` resets the back-off. */
  readonly attach: (connection: Connection, markHealthy: () => void) => void;
  /** Called after every failed attempt and every closed connection. */
  readonly onDown: (reason: string) => void;
}

/** A WebSocket link that reconnects until it is stopped. */
export class ReconnectingLink {
  readonly #options: ReconnectingLinkOptions;
  readonly #stopped = new AbortController();
  #connection: Connection | null = null;

  constructor(options: ReconnectingLinkOptions) {
    this.#options = options;
    // Only a listener with a bug makes this reject.
    this.#run().catch((error) => options.onDown(`${options.url}: reconnecting stopped: ${error}`));
  }

  /** Closes the connection and stops reconnecting. */
  stop(reason: string): void {
    this.#stopped.abort();
    this.#connection?.close(reason);
  }

  async #run(): Promise<void> {
    const { url, receiver, secret, attach, onDown } = this.#options;
    let delayMs = FIRST_DELAY_MS;
    while (!this.#isStopped()) {
      try {
        this.#connection = await connectWebSocket(url, receiver, CONNECT_WITHIN_MS, secret);
      } catch (error) {
        if (this.#isStopped()) return;
        onDown(`${url}: ${(error as Error).message}`);
        this.#connection = null;
      }
      if (this.#connection !== null) {
        if (this.#isStopped()) {
          this.#connection.close('stopped');
          return;
        }
        try {
          attach(this.#connection, () => {
            delayMs = FIRST_DELAY_MS;
          });
        } catch (error) {
          this.#connection.close(`attaching failed: ${error}`);
        }
        const reason = await this.#connection.closed;
        this.#connection = null;
        if (!this.#isStopped()) onDown(`${url}: ${reason}`);
      }
      await this.#pause(delayMs);
      delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
    }
  }

  #isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  async #pause(ms: number): Promise<void> {
    try {
      await sleep(ms, undefined, { signal: this.#stopped.signal });
    } catch (error) {
      if (!this.#isStopped()) throw error;
    }
  }
}
