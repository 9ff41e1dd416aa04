/**
 * A stream of events to one client (server-sent events, WHATWG HTML section 9.2). Events have ids, so that a client
 * that was cut off goes on with `Last-Event-ID`. A client that reads too slowly is cut off and may come back.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/** A comment this often keeps proxies from closing a silent stream. */
const KEEP_ALIVE_MS = 15_000;
/** Bytes that may wait for a slow client. */
const MAX_WAITING_BYTES = 4 * 2 ** 20;
/** When a client that was cut off should come back. */
const RETRY_MS = 1000;

export interface SentEvent {
  readonly id: number;
  /** Its name for `addEventListener`. */
  readonly name: string;
  readonly body: unknown;
}

export class EventStream {
  readonly #response: ServerResponse;
  readonly #keepAlive: NodeJS.Timeout;
  #isOpen = true;

  /**
   * Begins the answer.
   *
   * @param onEnd Called once, when the stream has ended, whoever ended it.
   */
  constructor(reply: FastifyReply, onEnd: () => void) {
    reply.hijack();
    this.#response = reply.raw;
    this.#response.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    this.#response.write(`retry: ${RETRY_MS}\n\n`);
    this.#keepAlive = setInterval(() => this.#write(': still here\n\n'), KEEP_ALIVE_MS);
    this.#response.once('close', () => {
      this.#isOpen = false;
      clearInterval(this.#keepAlive);
      onEnd();
    });
  }

  send(event: SentEvent): void {
    this.#write(textOf(event));
  }

  /** Sends several events at once, which were written before: see {@link textOf}. */
  sendTexts(texts: readonly string[]): void {
    this.#write(texts.join(''));
  }

  /** Whether events can still be sent. */
  get isOpen(): boolean {
    return this.#isOpen && !this.#response.destroyed;
  }

  /** Resolves when the client has taken most of what was sent, or has left. */
  async drained(): Promise<void> {
    if (!this.isOpen || !this.#response.writableNeedDrain) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#response.once('drain', resolve).once('close', resolve);
    await promise;
    this.#response.off('drain', resolve).off('close', resolve);
  }

  /** Ends the answer. */
  end(): void {
    if (this.#isOpen) this.#response.end();
  }

  #write(text: string): void {
    if (!this.#isOpen || this.#response.destroyed) return;
    this.#response.write(text);
    if (this.#response.writableLength > MAX_WAITING_BYTES) this.#response.destroy();
  }
}

/** An event as it is sent. */
export function textOf({ id, name, body }: SentEvent): string {
  // JSON has no line ends, which would end the field.
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(body)}\n\n`;
}

/** The number in `Last-Event-ID`; `null` without one, or for one that is not ours. */
export function lastEventNumber(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string' || !/^\d{1,16}$/.test(header)) return null;
  return Number(header);
}
