/**
 * Events in simulated time: a binary heap by cycle. Events of one cycle leave it in the order of
 * their ranks, and events of one rank in the order in which they entered.
 */
export class EventQueue {
  readonly #heap: Event[] = [];
  #nextNumber = 0;

  /** Cycle of the next event; `undefined` if there is none. */
  get nextCycle(): number | undefined {
    return this.#heap[0]?.cycle;
  }

  add(cycle: number, apply: () => void, rank = 0): void {
    const heap = this.#heap;
    const event = { cycle, rank, number: this.#nextNumber++, apply };
    let at = heap.length;
    heap.push(event);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(event, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = event;
  }

  /**
   * Removes and executes the next event.
   *
   * @throws {Error} If there is none.
   */
  applyNext(): void {
    const heap = this.#heap;
    const first = heap[0];
    if (first === undefined) throw new Error('event queue: no event is left');
    const last = heap.pop()!;
    if (heap.length > 0) this.#sink(last);
    first.apply();
  }

  /** Puts an event into the place of the first one, and sinks it to its own. */
  #sink(event: Event): void {
    const heap = this.#heap;
    const { length } = heap;
    let at = 0;
    for (let child = 1; child < length; child = 2 * at + 1) {
      if (child + 1 < length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, event)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = event;
  }
}

interface Event {
  readonly cycle: number;
  readonly rank: number;
  readonly number: number;
  readonly apply: () => void;
}

function isBefore(x: Event, y: Event): boolean {
  if (x.cycle !== y.cycle) return x.cycle < y.cycle;
  return x.rank === y.rank ? x.number < y.number : x.rank < y.rank;
}
