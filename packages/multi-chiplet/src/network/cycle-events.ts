/**
 * Events by cycle: a wheel of slots for the next cycles, and a binary heap for later ones. Slots
 * keep their arrays, so an event of the near future allocates nothing.
 */

/** Number of cycles that have a slot; a power of two. */
const SLOT_COUNT = 1024;
const SLOT_MASK = SLOT_COUNT - 1;
const WORD_COUNT = SLOT_COUNT / 32;
const NEVER = Number.POSITIVE_INFINITY;

/** Events of a cycle, in the order in which they were added. */
export interface EventSlot<Subject> {
  count: number;
  readonly kinds: number[];
  readonly subjects: Subject[];
}

/** Event that is too late for the wheel. */
interface FarEvent<Subject> {
  readonly cycle: number;
  /** Position in the order in which events were added. */
  readonly number: number;
  readonly kind: number;
  readonly subject: Subject;
}

/** Events with a kind and a subject. */
export class CycleEvents<Subject> {
  readonly #slots: readonly EventSlot<Subject>[] = Array.from({ length: SLOT_COUNT }, () => ({
    count: 0,
    kinds: [],
    subjects: [],
  }));
  /** A bit for each slot that has events. */
  readonly #words = new Uint32Array(WORD_COUNT);
  readonly #far: FarEvent<Subject>[] = [];
  #farNumber = 0;
  /** First cycle of the wheel. No event is before it. */
  #base = 0;
  #nextCycle = NEVER;

  /** Next cycle with events; infinite if there is none. */
  get nextCycle(): number {
    return this.#nextCycle;
  }

  /** Adds an event in a cycle after those that were taken. */
  add(cycle: number, kind: number, subject: Subject): void {
    if (cycle - this.#base < SLOT_COUNT) this.#addToSlot(cycle, kind, subject);
    else this.#addFar({ cycle, number: this.#farNumber++, kind, subject });
    if (cycle < this.#nextCycle) this.#nextCycle = cycle;
  }

  /**
   * Returns the events of the next cycle. The caller handles them and then calls {@link drop}. In
   * between it adds events of later cycles alone.
   */
  take(): EventSlot<Subject> {
    this.moveTo(this.#nextCycle);
    return this.#slots[this.#base & SLOT_MASK]!;
  }

  /** Removes the events that were taken. */
  drop(): void {
    const slot = this.#base & SLOT_MASK;
    this.#slots[slot]!.count = 0;
    this.#words[slot >> 5]! &= ~(1 << (slot & 31));
    this.#nextCycle = this.#findNext();
  }

  /** Moves the wheel to a cycle before which there are no events. */
  moveTo(cycle: number): void {
    if (cycle <= this.#base || cycle === NEVER) return;
    this.#base = cycle;
    for (let first = this.#far[0]; first !== undefined; first = this.#far[0]) {
      if (first.cycle - cycle >= SLOT_COUNT) return;
      this.#addToSlot(first.cycle, first.kind, first.subject);
      this.#removeFar();
    }
  }

  #addToSlot(cycle: number, kind: number, subject: Subject): void {
    const index = cycle & SLOT_MASK;
    const slot = this.#slots[index]!;
    if (slot.count === 0) this.#words[index >> 5]! |= 1 << (index & 31);
    slot.kinds[slot.count] = kind;
    slot.subjects[slot.count++] = subject;
  }

  /** Returns the next cycle with events. */
  #findNext(): number {
    const first = this.#base & SLOT_MASK;
    const words = this.#words;
    let word = first >> 5;
    let bits = words[word]! & (-1 << (first & 31));
    // The word of the first slot is looked at twice: its low bits are the last slots of the wheel.
    for (let looked = 0; looked <= WORD_COUNT; looked++) {
      if (bits !== 0) {
        const slot = (word << 5) | (31 - Math.clz32(bits & -bits));
        return this.#base + ((slot - first) & SLOT_MASK);
      }
      word = (word + 1) % WORD_COUNT;
      bits = words[word]!;
    }
    return this.#far[0]?.cycle ?? NEVER;
  }

  #addFar(event: FarEvent<Subject>): void {
    const far = this.#far;
    let at = far.length;
    far.push(event);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (isBefore(far[parent]!, event)) break;
      far[at] = far[parent]!;
      at = parent;
    }
    far[at] = event;
  }

  /** Removes the earliest of the far events. */
  #removeFar(): void {
    const far = this.#far;
    const event = far.pop()!;
    const { length } = far;
    if (length === 0) return;
    let at = 0;
    for (let child = 1; child < length; child = 2 * at + 1) {
      if (child + 1 < length && isBefore(far[child + 1]!, far[child]!)) child++;
      if (isBefore(event, far[child]!)) break;
      far[at] = far[child]!;
      at = child;
    }
    far[at] = event;
  }
}

function isBefore(a: FarEvent<unknown>, b: FarEvent<unknown>): boolean {
  return a.cycle === b.cycle ? a.number < b.number : a.cycle < b.cycle;
}
