/**
 * One end of a link between two processes, which delivers validated messages in order. The bytes
 * travel over a {@link Transport}: a WebSocket, or memory if both ends are in one process.
 *
 * A malformed message closes the connection with the reason. Nothing after it is delivered.
 */
import { decodeMessage, type EncodedMessage, encodeInChunks } from '../codec/codec.ts';
import type { Endpoint, Message } from '../messages/messages.ts';
import { MalformedError } from '../validation/field-checks.ts';

/** Number of unsent bytes above which `drained` waits. */
const BACK_PRESSURE_BYTES = 16 * 2 ** 20;
/**
 * Number of unsent bytes above which the other end is considered stuck. Twice the largest message,
 * because one may be in transit.
 */
const MAX_UNSENT_BYTES = 2 ** 30;

/** Start of the close reason when nothing arrived from the other end for too long. */
const SILENT = 'silent';

/** Returns whether a connection was closed because its other end gave no sign of life. */
export function isSilence(reason: string): boolean {
  return reason.startsWith(`${SILENT} `);
}

/** Carrier of a connection's bytes. */
export interface Transport {
  /** Sends one message. Calls `onSent` when the bytes have left this process or never will. */
  send(encoded: EncodedMessage, onSent: () => void): void;
  /** Closes the transport. `reason` reaches the other end if the transport can carry it. */
  close(reason: string): void;
  /**
   * Returns the number of bytes received, incomplete messages included: a large message is a sign
   * of life while it arrives.
   */
  receivedBytes?(): number;
}

/** Callbacks for the owner of a connection. */
export interface ConnectionListener {
  onMessage(message: Message): void;
  /** Called once, whichever end closed. No message follows. */
  onClose(reason: string): void;
}

/** One end of a link between two processes. */
export class Connection {
  /** Address of the other end, for logs. */
  readonly peer: string;
  /** Resolves with the reason when the connection is closed. */
  readonly closed: Promise<string>;
  readonly #transport: Transport;
  readonly #receiver: Endpoint;
  #listener: ConnectionListener | null = null;
  #early: Message[] = [];
  #closedFor: string | null = null;
  #unsentBytes = 0;
  #drainWaiters: { readonly maxUnsentBytes: number; readonly wake: () => void }[] = [];
  #resolveClosed: (reason: string) => void = () => {};
  #silentTicks = 0;
  #receivedBytesAtTick = 0;
  #heartbeat: NodeJS.Timeout | null = null;
  #pingSequence = 0;

  /** @param receiver This end of the link, which determines the messages it accepts. */
  constructor(transport: Transport, receiver: Endpoint, peer: string) {
    this.#transport = transport;
    this.#receiver = receiver;
    this.peer = peer;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  isOpen(): boolean {
    return this.#closedFor === null;
  }

  /** Sets the listener. Messages that arrived before the first listener are delivered to it. */
  listen(listener: ConnectionListener): void {
    this.#listener = listener;
    const early = this.#early;
    this.#early = [];
    for (const message of early) this.#listener.onMessage(message);
    if (this.#closedFor !== null) listener.onClose(this.#closedFor);
  }

  /** Sends a message. Does nothing on a closed connection, whose listener has been notified. */
  send(message: Message): void {
    if (this.isOpen()) this.sendEncoded(encodeInChunks(message));
  }

  /** Sends a message encoded with `encodeInChunks`, which may go to several connections. */
  sendEncoded(encoded: EncodedMessage): void {
    if (!this.isOpen()) return;
    if (this.#unsentBytes > MAX_UNSENT_BYTES) {
      this.close(`${this.#unsentBytes} bytes are unsent: the other end reads too slowly`);
      return;
    }
    this.#unsentBytes += encoded.length;
    this.#transport.send(encoded, () => {
      this.#unsentBytes -= encoded.length;
      this.#wakeDrainWaiters();
    });
  }

  /** Resolves when at most `maxUnsentBytes` are unsent or the connection closes. */
  async drained(maxUnsentBytes: number = BACK_PRESSURE_BYTES): Promise<void> {
    if (!this.isOpen() || this.#unsentBytes <= maxUnsentBytes) return;
    await new Promise<void>((wake) => this.#drainWaiters.push({ maxUnsentBytes, wake }));
  }

  /**
   * Pings every `intervalMs` and closes the connection when nothing arrived for `silentLimit`
   * intervals. It counts intervals instead of time, so a delay of this process does not count
   * against the peer.
   */
  startHeartbeat(intervalMs: number, silentLimit: number): void {
    if (!this.isOpen() || this.#heartbeat !== null) return;
    this.#heartbeat = setInterval(() => {
      const receivedBytes = this.#transport.receivedBytes?.() ?? 0;
      if (receivedBytes !== this.#receivedBytesAtTick) this.#silentTicks = 0;
      this.#receivedBytesAtTick = receivedBytes;
      this.#silentTicks++;
      if (this.#silentTicks > silentLimit) {
        this.close(`${SILENT} for ${silentLimit * intervalMs} ms`);
      } else {
        this.send({ type: 'ping', sequence: this.#pingSequence++ });
      }
    }, intervalMs);
    this.#heartbeat.unref();
  }

  close(reason: string): void {
    if (!this.isOpen()) return;
    this.#transport.close(reason);
    this.transportClosed(reason);
  }

  /** Decodes and delivers one message. Called by the transport. */
  receiveBytes(encoded: Uint8Array): void {
    if (!this.isOpen()) return;
    this.#silentTicks = 0;
    let message: Message;
    try {
      message = decodeMessage(encoded, this.#receiver);
    } catch (error) {
      if (!(error instanceof MalformedError)) throw error;
      this.close(`malformed message: ${error.message}`);
      return;
    }
    if (message.type === 'ping') this.send({ type: 'pong', sequence: message.sequence });
    else if (message.type === 'pong') return;
    else if (this.#listener === null) this.#early.push(message);
    else this.#listener.onMessage(message);
  }

  /**
   * Marks the connection as closed. Called by the transport when the other end closed or the link
   * broke.
   */
  transportClosed(reason: string): void {
    if (!this.isOpen()) return;
    this.#closedFor = reason;
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
    this.#wakeDrainWaiters();
    this.#listener?.onClose(reason);
    this.#resolveClosed(reason);
  }

  #wakeDrainWaiters(): void {
    this.#drainWaiters = this.#drainWaiters.filter(({ maxUnsentBytes, wake }) => {
      const isWaiting = this.isOpen() && this.#unsentBytes > maxUnsentBytes;
      if (!isWaiting) wake();
      return isWaiting;
    });
  }
}
