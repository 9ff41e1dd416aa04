/**
 * One end of a link between two processes: messages in order, checked on arrival. What carries the
 * bytes is a {@link Transport}: a WebSocket, or memory when both ends are in one process.
 *
 * A message that breaks the form closes the connection with the reason; nothing after it is delivered.
 */
import { decodeMessage, type EncodedMessage, encodeInChunks } from '../codec/codec.ts';
import type { Endpoint, Message } from '../messages/messages.ts';
import { MalformedError } from '../validation/field-checks.ts';

/** Bytes handed to the transport and not written yet above which `drained` waits. */
const BACK_PRESSURE_BYTES = 16 * 2 ** 20;
/** Above this the other end is taken for one that reads no more. Twice the largest message, since one may be on its way. */
const MAX_UNSENT_BYTES = 2 ** 30;

/** How the reason begins when nothing came from the other end for too long. */
const SILENT = 'silent';

/** Whether a connection was closed since its other end gave no sign of life. */
export function isSilence(reason: string): boolean {
  return reason.startsWith(`${SILENT} `);
}

export interface Transport {
  /** Sends one message; calls `onSent` when the bytes left this process or never will. */
  send(encoded: EncodedMessage, onSent: () => void): void;
  /** Closes; `reason` reaches the other end where the transport can carry it. */
  close(reason: string): void;
  /** Bytes that have arrived, whole messages or not: a large message is a sign of life while it arrives. */
  receivedBytes?(): number;
}

/** What the owner of a connection is told. */
export interface ConnectionListener {
  onMessage(message: Message): void;
  /** Called once, whichever end closed. No message follows. */
  onClose(reason: string): void;
}

export class Connection {
  /** Address of the other end, for people. */
  readonly peer: string;
  /** Resolves with the reason once the connection is closed. */
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

  /** @param receiver Which end this is; decides what messages it may be sent. */
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

  /** Names who is told from now on. Messages that came before the first listener are delivered to it. */
  listen(listener: ConnectionListener): void {
    this.#listener = listener;
    const early = this.#early;
    this.#early = [];
    for (const message of early) this.#listener.onMessage(message);
    if (this.#closedFor !== null) listener.onClose(this.#closedFor);
  }

  /** Sends a message. On a closed connection nothing happens: its listener was told. */
  send(message: Message): void {
    if (this.isOpen()) this.sendEncoded(encodeInChunks(message));
  }

  /** As `send`, for chunks of `encodeInChunks` that go to several connections. */
  sendEncoded(encoded: EncodedMessage): void {
    if (!this.isOpen()) return;
    if (this.#unsentBytes > MAX_UNSENT_BYTES) {
      this.close(`${this.#unsentBytes} bytes wait: the other end reads too slowly`);
      return;
    }
    this.#unsentBytes += encoded.length;
    this.#transport.send(encoded, () => {
      this.#unsentBytes -= encoded.length;
      this.#wakeDrainWaiters();
    });
  }

  /** Resolves when at most `maxUnsentBytes` wait to be written, or the connection closes. */
  async drained(maxUnsentBytes: number = BACK_PRESSURE_BYTES): Promise<void> {
    if (!this.isOpen() || this.#unsentBytes <= maxUnsentBytes) return;
    await new Promise<void>((wake) => this.#drainWaiters.push({ maxUnsentBytes, wake }));
  }

  /**
   * Pings every `intervalMs` and closes when nothing at all came for `silentLimit` intervals.
   * Intervals are counted, so a time in which this process itself was busy does not count against the peer.
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

  /** For the transport: bytes of one message arrived. */
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

  /** For the transport: the other end closed or the link broke. */
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
