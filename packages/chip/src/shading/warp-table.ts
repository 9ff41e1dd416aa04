/** The warps in flight, by sequence number in a ring. Vertex and fragment warps are numbered apart. */

import { ceilPowerOfTwo } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';

export const WARP = {
  draw: 0,
  /** Quads of a fragment warp, vertices of a vertex warp. */
  size: 1,
  /** Number of the first word of its trace. */
  trace: 2,
  /** Positions of the quads, x / 2 + 4096 (y / 2). */
  quads: 3,
} as const;
export const MAX_WARP_QUADS = 8;
export const WARP_WORDS = 3 + MAX_WARP_QUADS;

export class WarpTable {
  readonly words: Int32Array;
  /** Warps that it has places for. */
  readonly capacity: i32;
  private readonly mask: i32;

  /** @param inFlight Warps that may be in flight at once. */
  constructor(inFlight: i32) {
    const capacity = ceilPowerOfTwo(inFlight + 1);
    this.words = new Int32Array(WARP_WORDS * capacity);
    this.capacity = capacity;
    this.mask = capacity - 1;
  }

  /** Index of the first word of warp `sequence`. */
  at(sequence: i32): i32 {
    return (sequence & this.mask) * WARP_WORDS;
  }
}

/** A warp as a token: its kind in bit 0, 1 for fragments. */
export function vertexWarpToken(sequence: i32): i32 {
  return sequence << 1;
}

export function fragmentWarpToken(sequence: i32): i32 {
  return (sequence << 1) | 1;
}
