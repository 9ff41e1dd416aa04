/**
 * Events of the service: frames, bins, chiplets, the queue, studies. The latest events are kept, so
 * that a listener that was disconnected can continue where it stopped.
 */

export const EVENT_TOPICS = ['frame', 'bin', 'chiplet', 'queue', 'study'] as const;
/** Topic of an event. */
export type EventTopic = (typeof EVENT_TOPICS)[number];

/** Event of the service. */
export interface ServiceEvent {
  /** Ascending number, unique across restarts of the process. */
  readonly number: number;
  readonly topic: EventTopic;
  /** Id of the frame, chiplet or study; empty for the queue. */
  readonly subject: string;
  readonly body: unknown;
}

/** Publishes events and keeps the latest ones. */
export class EventLog {
  readonly #capacity: number;
  readonly #firstNumber: number;
  #events: ServiceEvent[] = [];
  #nextNumber: number;
  readonly #listeners = new Set<(event: ServiceEvent) => void>();

  /**
   * @param capacity Minimum number of events that are kept.
   * @param firstNumber Number larger than any of an earlier process, for example derived from the
   *   clock.
   */
  constructor(capacity: number, firstNumber: number) {
    this.#capacity = capacity;
    this.#firstNumber = firstNumber;
    this.#nextNumber = firstNumber;
  }

  /** Number of the latest event. */
  get lastNumber(): number {
    return this.#nextNumber - 1;
  }

  publish(topic: EventTopic, subject: string, body: unknown): void {
    const event = { number: this.#nextNumber++, topic, subject, body };
    this.#events.push(event);
    // Discards events rarely and in bulk, because it moves all events that stay.
    if (this.#events.length >= 2 * this.#capacity) {
      this.#events = this.#events.slice(-this.#capacity);
    }
    for (const listener of this.#listeners) listener(event);
  }

  /** Returns the events after a number, or null if some of them are not kept or never existed. */
  since(number: number): readonly ServiceEvent[] | null {
    if (number > this.lastNumber || number < this.#firstNumber - 1) return null;
    const oldest = this.#events[0]?.number ?? this.#nextNumber;
    return number < oldest - 1 ? null : this.#events.slice(number + 1 - oldest);
  }

  /** Calls `listener` for each new event. Returns a function that unsubscribes. */
  subscribe(listener: (event: ServiceEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
