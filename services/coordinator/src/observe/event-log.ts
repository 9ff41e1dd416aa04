/**
 * What happens in the service, for whoever listens: frames, bins, chiplets, the queue, studies. The last events are
 * kept, so that a listener that was cut off goes on where it was.
 */

export const EVENT_TOPICS = ['frame', 'bin', 'chiplet', 'queue', 'study'] as const;
export type EventTopic = (typeof EVENT_TOPICS)[number];

export interface ServiceEvent {
  /** Ascends; unique over the lives of the process. */
  readonly number: number;
  readonly topic: EventTopic;
  /** Identity of the frame, chiplet or study; empty for the queue. */
  readonly subject: string;
  readonly body: unknown;
}

export class EventLog {
  readonly #capacity: number;
  readonly #firstNumber: number;
  #events: ServiceEvent[] = [];
  #nextNumber: number;
  readonly #listeners = new Set<(event: ServiceEvent) => void>();

  /**
   * @param capacity Events that are kept at least.
   * @param firstNumber Larger than any number that an earlier process gave: its clock, say.
   */
  constructor(capacity: number, firstNumber: number) {
    this.#capacity = capacity;
    this.#firstNumber = firstNumber;
    this.#nextNumber = firstNumber;
  }

  /** Number of the last event that was published. */
  get lastNumber(): number {
    return this.#nextNumber - 1;
  }

  publish(topic: EventTopic, subject: string, body: unknown): void {
    const event = { number: this.#nextNumber++, topic, subject, body };
    this.#events.push(event);
    // Cut seldom and much: cutting moves all that stays.
    if (this.#events.length >= 2 * this.#capacity) {
      this.#events = this.#events.slice(-this.#capacity);
    }
    for (const listener of this.#listeners) listener(event);
  }

  /** Events after this number, or `null` when some of them are not kept any more or never were. */
  since(number: number): readonly ServiceEvent[] | null {
    if (number > this.lastNumber || number < this.#firstNumber - 1) return null;
    const oldest = this.#events[0]?.number ?? this.#nextNumber;
    return number < oldest - 1 ? null : this.#events.slice(number + 1 - oldest);
  }

  /** Calls `listener` for each event from now on; the result ends that. */
  subscribe(listener: (event: ServiceEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
