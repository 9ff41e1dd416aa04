/** Set of register numbers as a bit set. */
export class RegisterSet {
  readonly #words: Uint32Array;

  constructor(registerCount: number, words = new Uint32Array((registerCount + 31) >> 5)) {
    this.#words = words;
  }

  has(register: number): boolean {
    return (this.#words[register >> 5]! & (1 << (register & 31))) !== 0;
  }

  add(register: number): void {
    this.#words[register >> 5]! |= 1 << (register & 31);
  }

  remove(register: number): void {
    this.#words[register >> 5]! &= ~(1 << (register & 31));
  }

  /** Adds the members of `other`; returns whether the set changed. */
  addAll(other: RegisterSet): boolean {
    let isChanged = false;
    for (const [position, word] of other.#words.entries()) {
      const before = this.#words[position]!;
      const after = (before | word) >>> 0;
      isChanged ||= after !== before;
      this.#words[position] = after;
    }
    return isChanged;
  }

  clone(): RegisterSet {
    return new RegisterSet(0, this.#words.slice());
  }

  /** Returns a new set with the members of both. */
  union(other: RegisterSet): RegisterSet {
    const result = this.clone();
    result.addAll(other);
    return result;
  }

  /** Returns the members in ascending order. */
  members(): number[] {
    const members: number[] = [];
    for (const [position, word] of this.#words.entries()) {
      for (let rest = word; rest !== 0; rest &= rest - 1) {
        members.push(position * 32 + 31 - Math.clz32(rest & -rest));
      }
    }
    return members;
  }
}
