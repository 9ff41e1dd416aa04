/**
 * Masks of blocks of 4×4 samples. The sample in row r and column c has bit `4 r + c`. Quad q of a
 * block is in quad column q & 1 and quad row q >> 1.
 */
import type { i32 } from '../portable/number-types.ts';

/**
 * Mask of each quad's samples in a block. Quad 0 has bits 0 (upper left), 1, 4 and 5. The masks of
 * the others are shifted copies.
 */
export const QUAD_LANES: readonly i32[] = [0x0033, 0x00cc, 0x3300, 0xcc00];

/** Returns the number of quads with a sample in the low 16 bits of `mask`. */
export function countQuads(mask: i32): i32 {
  let count = 0;
  if ((mask & 0x0033) !== 0) count++;
  if ((mask & 0x00cc) !== 0) count++;
  if ((mask & 0x3300) !== 0) count++;
  if ((mask & 0xcc00) !== 0) count++;
  return count;
}

/** Returns the number of bits that are set in a 16-bit mask. */
export function countBits(mask: i32): i32 {
  let bits = mask - ((mask >> 1) & 0x5555);
  bits = (bits & 0x3333) + ((bits >> 2) & 0x3333);
  bits = (bits + (bits >> 4)) & 0x0f0f;
  return (bits + (bits >> 8)) & 0x1f;
}
