/**
 * Expression: a function that returns the random numbers of a seed, from 0 to 1 without 1
 * (mulberry32). Pages have them in place of `Math.random` in a browser and in Tessera.
 */
(seed) => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
};
