/**
 * Hierarchical depth: an upper bound of the stored depth for each block of 4×4 samples, maintained
 * from the planes of primitives that cover the whole block. A block behind its bound fails the
 * tests `less` and `less-equal` at every sample and needs no test.
 *
 * Bounds stay one step above the plane, because stored depth is rounded.
 */

import type { RectPx } from '@tessera/frame';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { DEPTH_24_MAX } from '../../records/depth-24.ts';
import {
  DEPTH_C,
  DEPTH_DX,
  DEPTH_DY,
  ORIGIN_X,
  ORIGIN_Y,
  RECORD_F64,
  RECORD_I32,
} from '../../records/raster-record.ts';
import { SAMPLE_REACH_SUBPIXELS } from '../../records/sample-positions.ts';

/** Distance between the outermost samples of a block, in pixels. */
export const SPAN_PX = 3;

/**
 * Use of a draw. `test`: its early depth test is `less` or `less-equal` and writes. `test-only`:
 * such a test that does not write. `raise`: stored depth may increase. `keep`: stored depth may not
 * increase.
 */
export type HierarchicalDepthUse = 'test' | 'test-only' | 'keep' | 'raise';

/** Depth bounds of the blocks of a coarse bin. */
export class HierarchicalDepth {
  readonly #memory: ChipletMemory;
  /** Bounds by block of the bin, in the chiplet's memory, because a kernel also updates them. */
  readonly #bounds: Float64Array;
  /**
   * Left column of the coarse bin. The next fields are its top row and the number of blocks in a
   * row.
   */
  binX = 0;
  binY = 0;
  blocksPerRow = 0;
  #use: HierarchicalDepthUse = 'keep';
  /** Largest distance of a sample from the center of its pixel. */
  #reachPx = 0;
  #originX = 0;
  #originY = 0;
  #c = 0.5;
  #dx = 0.5;
  #dy = 0.5;
  /** Smallest change of depth inside a block; `up` is the largest. */
  #down = 0.5;
  #up = 0.5;

  constructor(memory: ChipletMemory) {
    this.#memory = memory;
    const { memory: bytes, depthBoundsPtr, binQuadCapacity } = memory;
    this.#bounds = new Float64Array(bytes.buffer, depthBoundsPtr, binQuadCapacity);
  }

  /**
   * Starts a bin.
   *
   * @param clearDepth Stored depth of the clear.
   * @param isMultisampled Whether pixels have several samples.
   */
  begin({ x, y, width, height }: RectPx, clearDepth: number, isMultisampled = false): void {
    this.#reachPx = isMultisampled ? SAMPLE_REACH_SUBPIXELS / 256 : 0;
    this.binX = x;
    this.binY = y;
    this.blocksPerRow = Math.ceil(width / 4);
    const count = this.blocksPerRow * Math.ceil(height / 4);
    this.#bounds.fill(clearDepth, 0, count);
  }

  /** Selects the raster record of the following blocks. */
  beginRecord(record: number, use: HierarchicalDepthUse): void {
    const { i32, f64, rasterRecordsPtr } = this.#memory;
    this.#use = use;
    if (use !== 'test' && use !== 'test-only') return;
    const at = (rasterRecordsPtr >> 2) + record * RECORD_I32;
    const atF64 = (rasterRecordsPtr >> 3) + record * RECORD_F64;
    this.#originX = i32[at + ORIGIN_X]!;
    this.#originY = i32[at + ORIGIN_Y]!;
    this.#c = f64[atF64 + DEPTH_C]!;
    this.#dx = f64[atF64 + DEPTH_DX]!;
    this.#dy = f64[atF64 + DEPTH_DY]!;
    const reach = this.#reachPx * (Math.abs(this.#dx) + Math.abs(this.#dy));
    this.#down = SPAN_PX * (Math.min(this.#dx, 0) + Math.min(this.#dy, 0)) - reach;
    this.#up = SPAN_PX * (Math.max(this.#dx, 0) + Math.max(this.#dy, 0)) + reach;
  }

  /**
   * Returns whether the block is dropped, and updates its bound.
   *
   * @param isWhole Whether all its samples are covered.
   */
  testBlock(x: number, y: number, isWhole: boolean): boolean {
    if (this.#use === 'keep') return false;
    const at = ((y - this.binY) >> 2) * this.blocksPerRow + ((x - this.binX) >> 2);
    if (this.#use === 'raise') {
      this.#bounds[at] = DEPTH_24_MAX;
      return false;
    }
    const bound = this.#bounds[at]!;
    const z = this.#c + this.#dx * (x - this.#originX) + this.#dy * (y - this.#originY);
    // Comparisons with NaN are false, so such a block is neither dropped nor used for the bound.
    if (Math.min(z + this.#down, DEPTH_24_MAX) >= bound + 1) return true;
    if (this.#use === 'test-only') return false;
    const highest = z + this.#up + 1;
    if (isWhole && highest < bound) this.#bounds[at] = Math.max(highest, 0);
    return false;
  }
}
