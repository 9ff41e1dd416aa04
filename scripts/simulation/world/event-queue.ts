/** Queue of future events, ordered by time and, at the same time, by their creation. */

/** Event of a simulated world. */
export interface QueuedEvent {
  readonly atMs: number;
  readonly order: number;
}

/** Binary heap of events. */
export class EventQueue<E extends QueuedEvent> {
  readonly #heap: E[] = [];

  get size(): number {
    return this.#heap.length;
  }

  /** Whether an event fulfills a condition. */
  some(isWanted: (event: E) => boolean): boolean {
    return this.#heap.some(isWanted);
  }

  push(event: E): void {
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(event, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = event;
  }

  /** Removes and returns the earliest event. */
  pop(): E | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(a: QueuedEvent, b: QueuedEvent): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
