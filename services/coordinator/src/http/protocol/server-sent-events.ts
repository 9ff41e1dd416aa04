/**
 * Stream of events to one client (server-sent events, WHATWG HTML section 9.2). Events have ids, so
 * a client that was disconnected continues with `Last-Event-ID`. A client that reads too slowly is
 * disconnected and may reconnect.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/** Interval of comments that keep proxies from closing a silent stream. */
const KEEP_ALIVE_MS = 15_000;
/** Upper bound on bytes that wait for a slow client. */
const MAX_WAITING_BYTES = 4 * 2 ** 20;
/** Time after which a disconnected client should reconnect. */
const RETRY_MS = 1000;

/** Event as clients receive it. */
export interface SentEvent {
  readonly id: number;
  /** Name of the event for `addEventListener`. */
  readonly name: string;
  readonly body: unknown;
}

/** Open stream of events. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #keepAlive: NodeJS.Timeout;
  #isOpen = true;

  /**
   * Starts the answer.
   *
   * @param onEnd Called once when the stream has ended for any reason.
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

  /** Sends several events whose text exists already; see {@link textOf}. */
  sendTexts(texts: readonly string[]): void {
    this.#write(texts.join(''));
  }

  /** Whether events can be sent. */
  get isOpen(): boolean {
    return this.#isOpen && !this.#response.destroyed;
  }

  /** Resolves when the client has received most of the sent bytes, or has disconnected. */
  async drained(): Promise<void> {
    if (!this.isOpen || !this.#response.writableNeedDrain) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#response.once('drain', resolve).once('close', resolve);
    await promise;
    this.#response.off('drain', resolve).off('close', resolve);
  }

  /** Ends the stream. */
  end(): void {
    if (this.#isOpen) this.#response.end();
  }

  #write(text: string): void {
    if (!this.#isOpen || this.#response.destroyed) return;
    this.#response.write(text);
    if (this.#response.writableLength > MAX_WAITING_BYTES) this.#response.destroy();
  }
}

/** Returns the text of an event. */
export function textOf({ id, name, body }: SentEvent): string {
  // JSON has no line breaks, which would end the field.
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(body)}\n\n`;
}

/** Returns the number in `Last-Event-ID`, or null if there is none or it is not a number. */
export function lastEventNumber(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string' || !/^\d{1,16}$/.test(header)) return null;
  return Number(header);
}
