/** Distribution of lines over parts that work side by side: channels, or slices of a cache. */

import { divide, log2 } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { LINE_BYTES } from '../records/memory-line.ts';

/** Interleaving of lines in pieces of some consecutive ones. */
export class Interleave {
  private readonly pieceLog2: i32;
  private readonly partsLog2: i32;
  private readonly mask: i32;

  /**
   * @param bytes Size of a piece in bytes, a power of two and at least one line.
   * @param parts Number of parts, a power of two.
   */
  constructor(bytes: i32, parts: i32) {
    this.pieceLog2 = log2(divide(bytes, LINE_BYTES));
    this.partsLog2 = log2(parts);
    this.mask = parts - 1;
  }

  /**
   * Returns the part of a line. Higher address bits contribute, so that the lines of a stride do
   * not all fall in one part.
   */
  partOf(line: i32): i32 {
    const piece = line >>> this.pieceLog2;
    return (piece ^ (piece >>> 5) ^ (piece >>> 11)) & this.mask;
  }

  /** Returns the number of a line among those of its part. */
  placeOf(line: i32): i32 {
    const inPiece = line & ((1 << this.pieceLog2) - 1);
    return ((line >>> (this.pieceLog2 + this.partsLog2)) << this.pieceLog2) | inPiece;
  }
}
