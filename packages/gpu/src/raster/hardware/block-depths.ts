/**
 * Depths of a primitive in a block of 4×4 pixels, from its plane, for the hierarchical depth of the
 * simulated chip. They have 16 bits.
 *
 * The bound of what a block leaves is one step above the plane, and a further one for the depth
 * that is compared, because stored depth is rounded.
 */

import { FAR_LIMIT } from '@tessera/chip/records';
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
import { sampleReachSubpixels } from '../../records/sample-positions.ts';

/** Distance between the outermost samples of a block, in pixels. */
export const SPAN_PX = 3;
/** Number of steps of a stored depth in one of hierarchical depth. */
export const DEPTH_STEPS = 256;
/** BLOCK.depths of a block that is never dropped and leaves no bound. */
export const NO_DEPTHS = (FAR_LIMIT << 16) | 0;

/**
 * Use of a draw. `test`: its early depth test is `less` or `less-equal` and writes. `test-only`:
 * such a test that does not write. `raise`: stored depth may increase. `keep`: stored depth may not
 * increase.
 */
export type HierarchicalDepthUse = 'test' | 'test-only' | 'keep' | 'raise';

/** Returns the bound in hierarchical depth of a stored depth. */
export function boundOf(depth: number): number {
  return Math.min(FAR_LIMIT, Math.floor((depth + 1) / DEPTH_STEPS));
}

/** Depths of the blocks of raster records. */
export class BlockDepths {
  readonly #memory: ChipletMemory;
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
  }

  /**
   * Starts a bin.
   *
   * @param sampleCount Samples per pixel.
   */
  begin(sampleCount: number): void {
    this.#reachPx = sampleReachSubpixels(sampleCount) / 256;
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
   * Returns the word BLOCK.depths of a block.
   *
   * @param isWhole Whether all its samples are covered.
   */
  wordOf(x: number, y: number, isWhole: boolean): number {
    if (this.#use !== 'test' && this.#use !== 'test-only') return NO_DEPTHS;
    const z = this.#c + this.#dx * (x - this.#originX) + this.#dy * (y - this.#originY);
    // Conversions and comparisons of NaN give 0 and false, so such a block is neither dropped nor
    // used for the bound.
    const nearest = Math.min(z + this.#down, DEPTH_24_MAX);
    const near = Math.trunc(Math.max(nearest / DEPTH_STEPS, 0)) || 0;
    const highest = z + this.#up + 1;
    const leavesBound = isWhole && this.#use === 'test' && highest < DEPTH_24_MAX;
    const far = leavesBound ? Math.trunc(Math.max((highest + 1) / DEPTH_STEPS, 0)) : FAR_LIMIT;
    return near | (far << 16);
  }
}
