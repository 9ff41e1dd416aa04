/** Noise that depends only on position and seed, and is the same on every machine. */

/** Returns a number in 0…1 that depends only on a grid point and a seed. */
export function hashGridPoint(x: number, y: number, seed: number): number {
  let hash = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
}

/** Returns smooth noise in 0…1 with features of size 1. */
export function valueNoise(x: number, y: number, seed: number): number {
  const cellX = Math.floor(x);
  const cellY = Math.floor(y);
  const u = fade(x - cellX);
  const v = fade(y - cellY);
  const top = mix(hashGridPoint(cellX, cellY, seed), hashGridPoint(cellX + 1, cellY, seed), u);
  const bottom = mix(
    hashGridPoint(cellX, cellY + 1, seed),
    hashGridPoint(cellX + 1, cellY + 1, seed),
    u,
  );
  return mix(top, bottom, v);
}

/**
 * Returns the sum of `octaves` noises, each at half the size and half the height of the previous
 * one; 0…1.
 */
export function fractalNoise(x: number, y: number, seed: number, octaves: number): number {
  let sum = 0;
  let height = 0.5;
  let scale = 1;
  for (let octave = 0; octave < octaves; octave++) {
    sum += height * valueNoise(x * scale, y * scale, seed + octave);
    height /= 2;
    scale *= 2;
  }
  return sum;
}

function fade(t: number): number {
  return t * t * t * (t * (t * 6 - 15) + 10);
}

function mix(a: number, b: number, t: number): number {
  return a + (b - a) * t;
}
