/**
 * Lossless compression of blocks of 4×4 colors of 32 bits to a quarter of a line of memory, by a
 * base and narrow offsets. Source of the principle: Pekhimenko et al., Base-Delta-Immediate
 * Compression, PACT 2012. The sizes are chosen.
 *
 * The code of a block has the least value of each channel (8 bits), the width of its offsets (3
 * bits) and the 16 offsets. The widths of all channels add up to at most 5: 32 + 12 + 80 = 124 of
 * 128 bits. A block of one color always compresses.
 */

import { COLOR_COMPACT_SHIFT, type RecordRing } from '@tessera/chip/records';
import type { RectPx } from '@tessera/frame';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { storageBytes, type TargetLayout } from '../../output/target/target-layout.ts';
import { BLOCK_PIXELS, markBlocks, sampleIndexOf } from './compression-marks.ts';

/** Upper bound on the sum of the widths of the channels' offsets, in bits. */
const MAX_OFFSET_BITS = 5;
/** Number of bits of BLOCK.position for the lines of a block. */
const MAX_LINES = 4;
const PLAIN_QUAD_BYTES = 16;

/**
 * Returns whether a block compresses.
 *
 * @param colors 16 colors with four channels of 8 bits.
 */
export function isColorCompressible(colors: Int32Array): boolean {
  let offsetBits = 0;
  for (let shift = 0; shift < 32; shift += 8) {
    let least = 255;
    let greatest = 0;
    for (let i = 0; i < BLOCK_PIXELS; i++) {
      const value = (colors[i]! >>> shift) & 255;
      if (value < least) least = value;
      if (value > greatest) greatest = value;
    }
    offsetBits += 32 - Math.clz32(greatest - least);
  }
  return offsetBits <= MAX_OFFSET_BITS;
}

/** Marks the blocks of a bin whose colors compress, from the contents of the targets. */
export class ColorCompression {
  readonly #memory: ChipletMemory;
  readonly #colors = new Int32Array(BLOCK_PIXELS);
  #rect: RectPx = { x: 0, y: 0, width: 0, height: 0 };
  #targetCount = 0;
  #sampleCount = 1;

  constructor(memory: ChipletMemory) {
    this.#memory = memory;
  }

  /**
   * Starts a bin. Nothing of it compresses if a target has other channels than those of 8 bits, or
   * if a block takes more than four lines.
   */
  begin(rect: RectPx, { targets, sampleCount }: TargetLayout): void {
    const present = targets.filter((target) => target !== null);
    const isPlain = present.every(({ storage }) => storageBytes(storage) === PLAIN_QUAD_BYTES);
    const isMarked = isPlain && present.length * sampleCount <= MAX_LINES;
    this.#rect = rect;
    this.#sampleCount = sampleCount;
    this.#targetCount = isMarked ? present.length : 0;
  }

  /** Sets the bits of BLOCK.position from COLOR_COMPACT_SHIFT on in the records from `first` on. */
  mark(blocks: RecordRing, first: number): void {
    if (this.#targetCount === 0) return;
    const compactLines = (left: number, top: number): number => this.#linesOf(left, top);
    markBlocks(blocks, first, COLOR_COMPACT_SHIFT, this.#rect, compactLines);
  }

  /** Returns a mask of the lines of a block that compress, ordered by sample, then by target. */
  #linesOf(left: number, top: number): number {
    let lines = 0;
    for (let line = 0; line < this.#sampleCount * this.#targetCount; line++) {
      this.#load(left, top, line);
      if (isColorCompressible(this.#colors)) lines |= 1 << line;
    }
    return lines;
  }

  #load(left: number, top: number, line: number): void {
    const { i32, binColorPtr } = this.#memory;
    const quadsPerRow = Math.ceil(this.#rect.width / 2);
    const linesPerQuad = this.#sampleCount * this.#targetCount;
    for (let i = 0; i < BLOCK_PIXELS; i++) {
      const [x, y] = [left + (i & 3), top + (i >> 2)];
      const word = sampleIndexOf(x, y, line, quadsPerRow, linesPerQuad);
      this.#colors[i] = i32[(binColorPtr >> 2) + word]!;
    }
  }
}
