/** Marks of blocks of 4×4 pixels that compress, in the records of a bin. */

import { BLOCK, MAX_BIN_BLOCKS, type RecordRing } from '@tessera/chip/records';
import type { RectPx } from '@tessera/frame';

/** Width and height of a block in pixels. */
export const BLOCK_PX = 4;
/** Number of pixels of a block. */
export const BLOCK_PIXELS = BLOCK_PX * BLOCK_PX;

/**
 * Returns a mask of the lines of a block that compress. The block's first pixel has offsets `left`
 * and `top` in the bin.
 */
export type CompactLines = (left: number, top: number) => number;

/** Sets bits of BLOCK.position in the records from `first` on, from bit `shift` on. */
export function markBlocks(
  blocks: RecordRing,
  first: number,
  shift: number,
  { x, y, width, height }: RectPx,
  compactLines: CompactLines,
): void {
  for (let number = first; number < blocks.end; number++) {
    const at = blocks.at(number);
    if (blocks.words[at + BLOCK.draw]! < 0) continue;
    const position = blocks.words[at + BLOCK.position]!;
    const row = Math.floor(position / MAX_BIN_BLOCKS);
    const left = BLOCK_PX * ((position - x / BLOCK_PX) & (MAX_BIN_BLOCKS - 1));
    const top = BLOCK_PX * ((row - y / BLOCK_PX) & (MAX_BIN_BLOCKS - 1));
    // A block across the edge of the bin has pixels without contents.
    if (left + BLOCK_PX > width || top + BLOCK_PX > height) continue;
    blocks.words[at + BLOCK.position] = position | (compactLines(left, top) << shift);
  }
}

/**
 * Returns the index of a pixel of the bin in the vectors of its quads, of four pixels each.
 *
 * @param sample Index of the sample, below `sampleCount`.
 */
export function sampleIndexOf(
  x: number,
  y: number,
  sample: number,
  quadsPerRow: number,
  sampleCount: number,
): number {
  const quad = (y >> 1) * quadsPerRow + (x >> 1);
  return 4 * (quad * sampleCount + sample) + (x & 1) + 2 * (y & 1);
}
