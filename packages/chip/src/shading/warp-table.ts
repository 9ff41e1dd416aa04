/**
 * Warps in flight, in a ring by sequence number. Vertex and fragment warps are numbered separately.
 */

import { ceilPowerOfTwo } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';

/** Words of a warp. */
export const WARP = {
  draw: 0,
  /** Number of quads of a fragment warp, or of vertices of a vertex warp. */
  size: 1,
  /** Number of the first word of the warp's trace. */
  trace: 2,
  /** Number of the primitive batch of a fragment warp. */
  batch: 3,
  /**
   * Positions of the quads, x / 2 + 4096 (y / 2). From QUAD_COMPACT_SHIFT on, a bit for each line
   * of color of the quad's block that compresses.
   */
  quads: 4,
} as const;
/** First of the four bits of a quad's position that say which lines of color compress. */
export const QUAD_COMPACT_SHIFT = 24;
/** Upper bound on the quads of a warp. */
export const MAX_WARP_QUADS = 8;
/** Number of words per warp. */
export const WARP_WORDS = 4 + MAX_WARP_QUADS;

/** Table of the warps of one type. */
export class WarpTable {
  readonly words: Int32Array;
  /** Number of warps that the table holds. */
  readonly capacity: i32;
  private readonly mask: i32;

  /** @param inFlight Upper bound on the number of warps in flight. */
  constructor(inFlight: i32) {
    const capacity = ceilPowerOfTwo(inFlight + 1);
    this.words = new Int32Array(WARP_WORDS * capacity);
    this.capacity = capacity;
    this.mask = capacity - 1;
  }

  /** Returns the index of the first word of warp `sequence`. */
  at(sequence: i32): i32 {
    return (sequence & this.mask) * WARP_WORDS;
  }
}

/** Returns the token of a vertex warp: its number with bit 0 clear. */
export function vertexWarpToken(sequence: i32): i32 {
  return sequence << 1;
}

/** Returns the token of a fragment warp: its number with bit 0 set. */
export function fragmentWarpToken(sequence: i32): i32 {
  return (sequence << 1) | 1;
}
