/**
 * Hierarchical depth: for each block of 4×4 samples an upper bound of what is stored there, kept from the
 * planes of primitives that cover the whole block. A block that lies behind its bound fails the test `less`
 * or `less-equal` at every sample and need not be tested.
 *
 * Bounds stay one step above the plane, since stored depth is rounded.
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

/** Between the outermost samples of a block. */
export const SPAN_PX = 3;

/**
 * `test`: early depth test `less` or `less-equal` that writes; `test-only`: one that does not write; `raise`:
 * stored depth may grow; `keep`: it may not.
 */
export type HierarchicalDepthUse = 'test' | 'test-only' | 'keep' | 'raise';

export class HierarchicalDepth {
  readonly #memory: ChipletMemory;
  /** By block of the bin, in the chiplet's memory: a kernel takes part. */
  readonly #bounds: Float64Array;
  /** Of the coarse bin: left column, top row, blocks in a row. */
  binX = 0;
  binY = 0;
  blocksPerRow = 0;
  #use: HierarchicalDepthUse = 'keep';
  /** How far from the centre of its pixel a sample is at most. */
  #reachPx = 0;
  #originX = 0;
  #originY = 0;
  #c = 0.5;
  #dx = 0.5;
  #dy = 0.5;
  /** Least and greatest change of depth inside a block. */
  #down = 0.5;
  #up = 0.5;

  constructor(memory: ChipletMemory) {
    this.#memory = memory;
    const { memory: bytes, depthBoundsPtr, binQuadCapacity } = memory;
    this.#bounds = new Float64Array(bytes.buffer, depthBoundsPtr, binQuadCapacity);
  }

  /** Starts a bin. @param clearDepth As stored. @param isMultisampled Whether pixels have several samples. */
  begin({ x, y, width, height }: RectPx, clearDepth: number, isMultisampled = false): void {
    this.#reachPx = isMultisampled ? SAMPLE_REACH_SUBPIXELS / 256 : 0;
    this.binX = x;
    this.binY = y;
    this.blocksPerRow = Math.ceil(width / 4);
    const count = this.blocksPerRow * Math.ceil(height / 4);
    this.#bounds.fill(clearDepth, 0, count);
  }

  /** The blocks that follow belong to this raster record. */
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

  /** Whether the block is dropped; takes its depth into the bound. @param isWhole Whether all its samples are covered. */
  testBlock(x: number, y: number, isWhole: boolean): boolean {
    if (this.#use === 'keep') return false;
    const at = ((y - this.binY) >> 2) * this.blocksPerRow + ((x - this.binX) >> 2);
    if (this.#use === 'raise') {
      this.#bounds[at] = DEPTH_24_MAX;
      return false;
    }
    const bound = this.#bounds[at]!;
    const z = this.#c + this.#dx * (x - this.#originX) + this.#dy * (y - this.#originY);
    // Comparisons with NaN are false: such a block is neither dropped nor taken into the bound.
    if (Math.min(z + this.#down, DEPTH_24_MAX) >= bound + 1) return true;
    if (this.#use === 'test-only') return false;
    const highest = z + this.#up + 1;
    if (isWhole && highest < bound) this.#bounds[at] = Math.max(highest, 0);
    return false;
  }
}
