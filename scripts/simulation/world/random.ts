/** Seeded random numbers: the only source of chance in a simulated world. */

/** Generator of random numbers (mulberry32, Tommy Ettinger 2017, public domain algorithm). */
export class Random {
  #state: number;

  /** @param seed Any number; two generators with the same seed return the same numbers. */
  constructor(seed: number) {
    this.#state = Math.imul(seed | 0, 0x9e3779b1) ^ 0x5bd1e995;
  }

  /** Returns an integer from 0 to 2³² − 1. */
  bits(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** Returns a number from 0 inclusive to 1 exclusive. */
  fraction(): number {
    return this.bits() / 2 ** 32;
  }

  /** Returns an integer from 0 to `end` − 1. */
  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  /** Returns true with a probability. */
  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** Returns one element. */
  pick<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)];
    if (picked === undefined) throw new RangeError('the list is empty');
    return picked;
  }

  /** Fills bytes. */
  fill<T extends ArrayBufferView>(view: T): T {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.bits();
    return view;
  }

  /** Returns a generator whose numbers do not depend on later calls of this one. */
  fork(): Random {
    return new Random(this.bits());
  }
}
