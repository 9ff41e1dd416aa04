/** Pseudo-random numbers that a seed determines. They need no cryptographic quality. */

/**
 * Returns a generator of numbers from 0 (inclusive) to 1 (exclusive): a Weyl sequence through the
 * 32-bit finalizer of MurmurHash3.
 */
export function makeRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    return mix(state) / 2 ** 32;
  };
}

/** Returns a 32-bit hash of a text and a seed (FNV-1a, then the finalizer of MurmurHash3). */
export function hashText(text: string, seed: number): number {
  let hash = mix(seed ^ 0x811c9dc5) | 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mix(hash);
}

function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
