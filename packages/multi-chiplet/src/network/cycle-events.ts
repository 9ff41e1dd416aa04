/** Events by cycle: a bucket for each cycle that has events, and a binary heap of these cycles. */
export class CycleEvents<Event> {
  readonly #cycles: number[] = [];
  readonly #eventsByCycle = new Map<number, Event[]>();

  /** Next cycle with events; infinite if there is none. */
  get nextCycle(): number {
    return this.#cycles[0] ?? Number.POSITIVE_INFINITY;
  }

  add(cycle: number, event: Event): void {
    const events = this.#eventsByCycle.get(cycle);
    if (events !== undefined) {
      events.push(event);
      return;
    }
    this.#eventsByCycle.set(cycle, [event]);
    this.#rise(cycle);
  }

  /**
   * Removes the events of the next cycle and returns them in the order in which they were added.
   */
  takeNext(): readonly Event[] {
    const cycle = this.nextCycle;
    const events = this.#eventsByCycle.get(cycle);
    if (events === undefined) throw new Error('network: no event is left');
    this.#eventsByCycle.delete(cycle);
    const last = this.#cycles.pop()!;
    if (this.#cycles.length > 0) this.#sink(last);
    return events;
  }

  #rise(cycle: number): void {
    const cycles = this.#cycles;
    let at = cycles.length;
    cycles.push(cycle);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (cycles[parent]! <= cycle) break;
      cycles[at] = cycles[parent]!;
      at = parent;
    }
    cycles[at] = cycle;
  }

  #sink(cycle: number): void {
    const cycles = this.#cycles;
    const { length } = cycles;
    let at = 0;
    for (let child = 1; child < length; child = 2 * at + 1) {
      if (child + 1 < length && cycles[child + 1]! < cycles[child]!) child++;
      if (cycles[child]! >= cycle) break;
      cycles[at] = cycles[child]!;
      at = child;
    }
    cycles[at] = cycle;
  }
}
