/**
 * Lossless compression of blocks of 4×4 depths and stencils to a quarter of a line of memory, by
 * differential differential pulse code modulation. Source: the survey in Hasselgren and
 * Akenine-Möller, Efficient Depth Buffer Compression, Graphics Hardware 2006. The sizes are chosen.
 *
 * The code of a block is the depth of its first sample (24 bits), the differences to the next one
 * in the row and in the column (25 bits each), 13 differences of differences (2 bits each) and one
 * stencil (8 bits): 108 of 128 bits. Depths of one plane always compress, because rounding changes
 * a difference of differences by less than 2.
 */

import { COMPACT_SHIFT, type RecordRing } from '@tessera/chip/records';
import type { RectPx } from '@tessera/frame';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { BLOCK_PIXELS, BLOCK_PX, markBlocks, sampleIndexOf } from './compression-marks.ts';

/** Number of bits of BLOCK.position for the lines of a block. */
const MAX_LINES = 4;

/**
 * Returns whether a block compresses.
 *
 * @param depths 16 stored depths of 24 bits, row by row.
 * @param stencils 16 stored stencils, in the same order.
 */
export function isCompressible(depths: Int32Array, stencils: Int32Array): boolean {
  for (let i = 1; i < BLOCK_PIXELS; i++) if (stencils[i] !== stencils[0]) return false;
  for (let row = 0; row < BLOCK_PX; row++) {
    const at = BLOCK_PX * row;
    // Along each row.
    for (let i = at; i < at + 2; i++) {
      if (!isSmall(depths[i]! - 2 * depths[i + 1]! + depths[i + 2]!)) return false;
    }
    // Along the first column, and between the first differences of neighboring rows.
    if (row < 2 && !isSmall(depths[at]! - 2 * depths[at + 4]! + depths[at + 8]!)) return false;
    if (row === BLOCK_PX - 1) continue;
    const change = depths[at + 5]! - depths[at + 4]! - depths[at + 1]! + depths[at]!;
    if (!isSmall(change)) return false;
  }
  return true;
}

/** Whether a difference of differences is −1, 0 or 1. */
function isSmall(value: number): boolean {
  return value >= -1 && value <= 1;
}

/** Marks the blocks of a bin that compress, from the contents of the target. */
export class DepthCompression {
  readonly #memory: ChipletMemory;
  readonly #depths = new Int32Array(BLOCK_PIXELS);
  readonly #stencils = new Int32Array(BLOCK_PIXELS);
  #rect: RectPx = { x: 0, y: 0, width: 0, height: 0 };
  #sampleCount = 1;

  constructor(memory: ChipletMemory) {
    this.#memory = memory;
  }

  /** Starts a bin. Nothing of it compresses if a block takes more than four lines. */
  begin(rect: RectPx, sampleCount: number): void {
    this.#rect = rect;
    this.#sampleCount = sampleCount;
  }

  /** Sets the bits of BLOCK.position from COMPACT_SHIFT on in the records from `first` on. */
  mark(blocks: RecordRing, first: number): void {
    if (this.#sampleCount > MAX_LINES) return;
    markBlocks(blocks, first, COMPACT_SHIFT, this.#rect, (left, top) => this.#samplesOf(left, top));
  }

  /** Returns a mask of the samples of a block that compress. */
  #samplesOf(left: number, top: number): number {
    let samples = 0;
    for (let sample = 0; sample < this.#sampleCount; sample++) {
      this.#load(left, top, sample);
      if (isCompressible(this.#depths, this.#stencils)) samples |= 1 << sample;
    }
    return samples;
  }

  #load(left: number, top: number, sample: number): void {
    const { i32, binDepthPtr, binStencilPtr } = this.#memory;
    const quadsPerRow = Math.ceil(this.#rect.width / 2);
    for (let i = 0; i < BLOCK_PIXELS; i++) {
      const [x, y] = [left + (i & 3), top + (i >> 2)];
      const word = sampleIndexOf(x, y, sample, quadsPerRow, this.#sampleCount);
      this.#depths[i] = i32[(binDepthPtr >> 2) + word]!;
      this.#stencils[i] = i32[(binStencilPtr >> 2) + word]!;
    }
  }
}
