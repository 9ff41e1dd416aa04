/**
 * Arrays of primitive ids that the lists of coarse bins grow in, used again by later passes: memory outside of the heap counts for V8's
 * collector, and a pass of many primitives would make megabytes of it.
 */

/** Words that are kept at most. */
const KEPT_WORDS = 2 ** 21;

export class IdArrayPool {
  /** By the logarithm of their length. */
  readonly #free: Uint32Array<ArrayBuffer>[][] = [];
  #freeWords = 0;

  /** An array of `length` words, a power of two, whose content is undefined. */
  take(length: number): Uint32Array<ArrayBuffer> {
    const found = this.#free[31 - Math.clz32(length)]?.pop();
    if (found === undefined) return new Uint32Array(length);
    this.#freeWords -= length;
    return found;
  }

  /** Takes back an array that nobody looks at any more. */
  giveBack(array: Uint32Array<ArrayBuffer>): void {
    if (this.#freeWords + array.length > KEPT_WORDS) return;
    const log2 = 31 - Math.clz32(array.length);
    this.#free[log2] ??= [];
    this.#free[log2].push(array);
    this.#freeWords += array.length;
  }
}
