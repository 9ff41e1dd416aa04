/**
 * Addresses of a run's target in memory. A block is 4×4 pixels. The image region holds color first,
 * then depth with stencil; the blocks of a fine bin are consecutive. With several samples per
 * pixel, a block takes as many consecutive lines.
 */

import { divideUp, log2 } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { POSITION_BITS } from '../records/record-layout.ts';
import { RunPlan } from '../records/run-plan.generated.ts';
import type { TargetCache } from './target-cache.ts';

/** Plan of a run and the lines of its target's blocks. */
export class TargetPlaces {
  readonly plan: RunPlan = new RunPlan();
  /**
   * Number of lines of the target's blocks, including those beyond the edge in the last fine bins.
   */
  blockCount: i32 = 0;
  private readonly binBlocksLog2: i32;
  private binsPerRow: i32 = 0;
  private firstX: i32 = 0;
  private firstY: i32 = 0;

  /** @param fineBinPx Edge of a fine bin in pixels, a power of two. */
  constructor(fineBinPx: i32) {
    this.binBlocksLog2 = log2(fineBinPx) - 2;
  }

  /** Starts the run of `plan` with cold caches. */
  begin(color: TargetCache, depth: TargetCache): void {
    const plan = this.plan;
    const shift = this.binBlocksLog2;
    this.firstX = plan.x >> 2;
    this.firstY = plan.y >> 2;
    this.binsPerRow = this.binsOf(plan.width);
    const bins = this.binsPerRow * this.binsOf(plan.height);
    this.blockCount = (bins << (2 * shift)) * plan.sampleCount;
    color.begin(this.blockCount, plan.isColorLoaded);
    depth.begin(this.blockCount, plan.isDepthLoaded);
  }

  /** Returns the number of a block's first line. Column and row count blocks of the target. */
  blockOf(blockX: i32, blockY: i32): i32 {
    const x = blockX - this.firstX;
    const y = blockY - this.firstY;
    const shift = this.binBlocksLog2;
    const mask = (1 << shift) - 1;
    const bin = (y >> shift) * this.binsPerRow + (x >> shift);
    const block = (bin << (2 * shift)) + ((y & mask) << shift) + (x & mask);
    return block * this.plan.sampleCount;
  }

  /** Returns the number of the first line of the block at BLOCK.position. */
  blockAt(position: i32): i32 {
    return this.blockOf(position & 2047, (position & ((1 << POSITION_BITS) - 1)) >> 11);
  }

  /** Returns the first line of the fine bin that contains a block. */
  firstOfBin(block: i32): i32 {
    const lines = this.plan.sampleCount << (2 * this.binBlocksLog2);
    return block - (block % lines);
  }

  /** Returns the line of a block's color. */
  colorLine(block: i32): i32 {
    return this.plan.imageLine + block;
  }

  /** Returns the line of a block's depth and stencil. */
  depthLine(block: i32): i32 {
    return this.plan.imageLine + this.blockCount + block;
  }

  /** Returns the number of fine bins that `px` pixels span. */
  private binsOf(px: i32): i32 {
    return (divideUp(px, 4) + (1 << this.binBlocksLog2) - 1) >> this.binBlocksLog2;
  }
}
