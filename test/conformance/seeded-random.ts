/** Random numbers that a seed repeats, for scenes of tests (mulberry32). */

export interface SeededRandom {
  /** From `min`, inclusive, to `max`, exclusive. */
  float(min: number, max: number): number;
  /** An integer from `min` to `max`, both inclusive. */
  integer(min: number, max: number): number;
  /** One of the list's members. */
  pick<T>(list: readonly T[]): T;
}

export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    float: (min, max) => min + next() * (max - min),
    integer,
    pick: (list) => list[integer(0, list.length - 1)]!,
  };
}
