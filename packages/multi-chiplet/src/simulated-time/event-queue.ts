/**
 * Events in simulated time: a binary heap by cycle. Events of one cycle leave it in the order of
 * their ranks, and events of one rank in the order in which they entered.
 */
export class EventQueue {
  readonly #heap: {
    readonly cycle: number;
    readonly rank: number;
    readonly number: number;
    readonly apply: () => void;
  }[] = [];
  #nextNumber = 0;

  /** Cycle of the next event; `undefined` if there is none. */
  get nextCycle(): number | undefined {
    return this.#heap[0]?.cycle;
  }

  add(cycle: number, apply: () => void, rank = 0): void {
    const heap = this.#heap;
    heap.push({ cycle, rank, number: this.#nextNumber++, apply });
    let at = heap.length - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) break;
      this.#swap(at, parent);
      at = parent;
    }
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
    if (heap.length > 0) {
      heap[0] = last;
      this.#sink();
    }
    first.apply();
  }

  #sink(): void {
    const { length } = this.#heap;
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < length && this.#isBefore(child, least)) least = child;
      }
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [x, y] = [this.#heap[a]!, this.#heap[b]!];
    if (x.cycle !== y.cycle) return x.cycle < y.cycle;
    return x.rank === y.rank ? x.number < y.number : x.rank < y.rank;
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap;
    [heap[a], heap[b]] = [heap[b]!, heap[a]!];
  }
}
