/** Masks of blocks of 4×4 samples, bit 4 row + column. Quad q of a block is column q & 1, row q >> 1. */
import type { i32 } from '../portable/number-types.ts';

/** Lanes of quad `quad`: bits 0 (upper left), 1, 4 and 5 of the mask, moved. */
export const QUAD_LANES: readonly i32[] = [0x0033, 0x00cc, 0x3300, 0xcc00];

/** Quads with a sample in the low 16 bits of `mask`. */
export function countQuads(mask: i32): i32 {
  let count = 0;
  if ((mask & 0x0033) !== 0) count++;
  if ((mask & 0x00cc) !== 0) count++;
  if ((mask & 0x3300) !== 0) count++;
  if ((mask & 0xcc00) !== 0) count++;
  return count;
}

/** Bits of a mask of 16. */
export function countBits(mask: i32): i32 {
  let bits = mask - ((mask >> 1) & 0x5555);
  bits = (bits & 0x3333) + ((bits >> 2) & 0x3333);
  bits = (bits + (bits >> 4)) & 0x0f0f;
  return (bits + (bits >> 8)) & 0x1f;
}
