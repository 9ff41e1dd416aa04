/** Pseudorandom integers for tests of the network. */

/** Returns a generator of integers from 0 up to a bound, which it does not reach (mulberry32). */
export function makeDraw(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % bound;
  };
}
