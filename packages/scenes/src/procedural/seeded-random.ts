/** Random numbers that depend only on a seed and are the same on every machine. */

/** Sequence of random numbers. Every call of a method takes the next number. */
export interface SeededRandom {
  /** Returns a number from 0 to below 1. */
  next(): number;
  /** Returns a number from `low` to below `high`. */
  between(low: number, high: number): number;
  /** Returns an integer from `min` to `max`, both inclusive. */
  integer(min: number, max: number): number;
  /** Returns one of the members of a list, which must not be empty. */
  pick<T>(list: readonly T[]): T;
}

/**
 * Starts the sequence of a seed: mulberry32 (Tommy Ettinger, 2017), 32 bits of state.
 *
 * @example seededRandom(7).integer(1, 6)
 */
export function seededRandom(seed: number): SeededRandom {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return randomFrom(next);
}

/** Returns a sequence of the numbers that `next` returns, each from 0 to below 1. */
export function randomFrom(next: () => number): SeededRandom {
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick: (list) => list[Math.floor(next() * list.length)]!,
  };
}
