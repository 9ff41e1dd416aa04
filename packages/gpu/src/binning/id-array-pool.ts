/**
 * Arrays of primitive ids for the lists of coarse bins, reused by later passes. V8's garbage
 * collector also counts memory outside of the heap, and a pass of many primitives would allocate
 * megabytes of it.
 */

/** Maximum number of words kept for reuse. */
const KEPT_WORDS = 2 ** 21;

/** Pool of arrays of primitive ids. */
export class IdArrayPool {
  /** Free arrays by the logarithm of their length. */
  readonly #free: Uint32Array<ArrayBuffer>[][] = [];
  #freeWords = 0;

  /** Returns an array of `length` words, a power of two, with undefined content. */
  take(length: number): Uint32Array<ArrayBuffer> {
    const found = this.#free[31 - Math.clz32(length)]?.pop();
    if (found === undefined) return new Uint32Array(length);
    this.#freeWords -= length;
    return found;
  }

  /** Accepts an array for reuse. The caller must not use it afterwards. */
  giveBack(array: Uint32Array<ArrayBuffer>): void {
    if (this.#freeWords + array.length > KEPT_WORDS) return;
    const log2 = 31 - Math.clz32(array.length);
    this.#free[log2] ??= [];
    this.#free[log2].push(array);
    this.#freeWords += array.length;
  }
}
