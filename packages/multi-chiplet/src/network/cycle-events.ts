/**
 * Events by cycle: a wheel of lists for the next cycles, and a binary heap for later ones. Entries
 * of lists are reused, so an event of the near future allocates nothing.
 */

/** Number of cycles that have a list; a power of two. */
const SLOT_COUNT = 256;
const SLOT_MASK = SLOT_COUNT - 1;
const WORD_COUNT = SLOT_COUNT / 32;
const NEVER = Number.POSITIVE_INFINITY;
const NONE = -1;

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
  /** First and last entry by slot. */
  readonly #firsts = new Int32Array(SLOT_COUNT).fill(NONE);
  readonly #lasts = new Int32Array(SLOT_COUNT);
  /** A bit for each slot that has events. */
  readonly #words = new Int32Array(WORD_COUNT);
  /** Entries: kind, subject, and the next entry of the slot, or of the free ones. */
  readonly #kinds: number[] = [];
  readonly #subjects: Subject[] = [];
  readonly #nexts: number[] = [];
  #free = NONE;
  readonly #far: FarEvent<Subject>[] = [];
  #farNumber = 0;
  /** First cycle of the wheel. No event is before it. */
  #base = 0;
  #nextCycle = NEVER;
  /** Kind of the event that was taken. */
  kind = 0;

  /** Next cycle with events; infinite if there is none. */
  get nextCycle(): number {
    return this.#nextCycle;
  }

  /** Adds an event, in a cycle after those of events that were taken. */
  add(cycle: number, kind: number, subject: Subject): void {
    if (cycle - this.#base < SLOT_COUNT) this.#addToSlot(cycle, kind, subject);
    else this.#addFar({ cycle, number: this.#farNumber++, kind, subject });
    if (cycle < this.#nextCycle) this.#nextCycle = cycle;
  }

  /**
   * Removes an event of a cycle, in the order in which they were added.
   *
   * @param cycle Next cycle with events, or one whose events were all taken just now.
   * @returns Subject of the event, whose kind is in {@link kind}; undefined if none is left.
   */
  take(cycle: number): Subject | undefined {
    if (cycle > this.#base) this.moveTo(cycle);
    const slot = cycle & SLOT_MASK;
    const entry = this.#firsts[slot]!;
    if (entry === NONE) {
      this.#nextCycle = this.#findNext();
      return undefined;
    }
    const next = this.#nexts[entry]!;
    this.#firsts[slot] = next;
    if (next === NONE) this.#words[slot >> 5]! &= ~(1 << (slot & 31));
    this.#nexts[entry] = this.#free;
    this.#free = entry;
    this.kind = this.#kinds[entry]!;
    return this.#subjects[entry]!;
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
    let entry = this.#free;
    if (entry === NONE) {
      entry = this.#kinds.length;
      this.#kinds.push(kind);
      this.#subjects.push(subject);
      this.#nexts.push(NONE);
    } else {
      this.#free = this.#nexts[entry]!;
      this.#kinds[entry] = kind;
      this.#subjects[entry] = subject;
      this.#nexts[entry] = NONE;
    }
    const slot = cycle & SLOT_MASK;
    if (this.#firsts[slot] === NONE) {
      this.#firsts[slot] = entry;
      this.#words[slot >> 5]! |= 1 << (slot & 31);
    } else {
      this.#nexts[this.#lasts[slot]!] = entry;
    }
    this.#lasts[slot] = entry;
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
