/** Numbers that a seed determines: mulberry32. */

export interface SeededRandom {
  /** From 0 to below 1. */
  next(): number;
  /** A number from `low` to below `high`. */
  between(low: number, high: number): number;
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
}

export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    pick: (list) => list[Math.floor(next() * list.length)]!,
  };
}
