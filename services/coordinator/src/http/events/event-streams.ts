/** Open streams of server-sent events, and the state of the service that they begin with. */
import { RenderError } from '@tessera/frame';
import type { FastifyReply } from 'fastify';
import type { ChipletRegistry } from '../../chiplets/chiplet-registry.ts';
import type { Config } from '../../config/config.ts';
import type { FrameQueue } from '../../frames/frame-queue.ts';
import type { FrameStore } from '../../frames/frame-store.ts';
import type { EventLog, ServiceEvent } from '../../observe/event-log.ts';
import type { StudyStore } from '../../studies/study-store.ts';
import { frameStatus } from '../frames/frame-status.ts';
import { EventStream, textOf } from '../protocol/server-sent-events.ts';

/** Services whose events are streamed. */
export interface EventStreamsOptions {
  readonly events: EventLog;
  readonly queue: FrameQueue;
  readonly store: FrameStore;
  readonly registry: ChipletRegistry;
  readonly studies: StudyStore;
  readonly config: Config;
}

/** Number of frames in a snapshot. */
const RECENT_FRAMES = 20;

/** Streams of events that are open. */
export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #open = new Set<EventStream>();
  readonly #unsubscribeByStream = new Map<EventStream, () => void>();
  #lastSnapshot = { number: -1, text: '' };

  constructor(options: EventStreamsOptions) {
    this.#options = options;
  }

  /** Events of the service. */
  get log(): EventLog {
    return this.#options.events;
  }

  /** @throws {RenderError} TOO_MANY_STREAMS. */
  open(reply: FastifyReply): EventStream {
    const limit = this.#options.config.TESSERA_MAX_STREAMS;
    if (this.#open.size >= limit) {
      throw new RenderError(
        'TOO_MANY_STREAMS',
        `${this.#open.size} event streams are open; at most ${limit}`,
      );
    }
    const stream = new EventStream(reply, () => {
      this.#open.delete(stream);
      this.#unsubscribeByStream.get(stream)?.();
      this.#unsubscribeByStream.delete(stream);
    });
    this.#open.add(stream);
    return stream;
  }

  /** Passes new events to `listener` until the stream ends. */
  follow(stream: EventStream, listener: (event: ServiceEvent) => void): void {
    this.#unsubscribeByStream.set(stream, this.log.subscribe(listener));
  }

  endAll(): void {
    for (const stream of this.#open) stream.end();
  }

  /**
   * Returns the state of the service as an event. Clients that connect before the next event share
   * its text.
   */
  snapshot(): string {
    const { store, queue, registry } = this.#options;
    const number = this.log.lastNumber;
    if (this.#lastSnapshot.number !== number) {
      const frames = [...store.list({ limit: RECENT_FRAMES }).frames].map(frameStatus);
      const body = { queue: queue.load, chiplets: registry.list(), frames };
      this.#lastSnapshot = { number, text: textOf({ id: number, name: 'snapshot', body }) };
    }
    return this.#lastSnapshot.text;
  }
}
