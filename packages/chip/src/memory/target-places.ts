/**
 * Where the pixels of a run's target lie: blocks of 4×4 in the image region, those of a fine bin together, colour
 * first, then depth with stencil. With several samples a pixel, a block is as many lines, one after another. And which of the target the run finds there and leaves.
 */

import { divideUp, log2 } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { RunPlan } from '../records/run-plan.generated.ts';
import type { TargetCache } from './target-cache.ts';

export class TargetPlaces {
  readonly plan: RunPlan = new RunPlan();
  /** Lines of the target's blocks, those beyond its edge in the last fine bins included. */
  blockCount: i32 = 0;
  private readonly binBlocksLog2: i32;
  private binsPerRow: i32 = 0;
  private firstX: i32 = 0;
  private firstY: i32 = 0;

  /** @param fineBinPx Edge of a fine bin, a power of two. */
  constructor(fineBinPx: i32) {
    this.binBlocksLog2 = log2(fineBinPx) - 2;
  }

  /** Starts the run of `plan`, with cold caches. */
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

  /** Number of the first line of the block in column `blockX` and row `blockY` of the target, counted in blocks. */
  blockOf(blockX: i32, blockY: i32): i32 {
    const x = blockX - this.firstX;
    const y = blockY - this.firstY;
    const shift = this.binBlocksLog2;
    const mask = (1 << shift) - 1;
    const bin = (y >> shift) * this.binsPerRow + (x >> shift);
    const block = (bin << (2 * shift)) + ((y & mask) << shift) + (x & mask);
    return block * this.plan.sampleCount;
  }

  /** Line of a block's colour. */
  colorLine(block: i32): i32 {
    return this.plan.imageLine + block;
  }

  /** Line of a block's depth and stencil. */
  depthLine(block: i32): i32 {
    return this.plan.imageLine + this.blockCount + block;
  }

  /** Fine bins that so many pixels go across. */
  private binsOf(px: i32): i32 {
    return (divideUp(px, 4) + (1 << this.binBlocksLog2) - 1) >> this.binBlocksLog2;
  }
}
