/**
 * Where the pixels of a run's target lie: blocks of 4×4 in the image region, those of a fine bin together, colour
 * first, then depth with stencil. With several samples a pixel, a block is as many lines, one after another. And which of the target the run finds there and leaves.
 */
import type { RectPx } from '@tessera/frame';
import type { TargetCache } from './target-cache.ts';

/** What of a run's traffic is known before it starts. Addresses count in lines. */
export interface RunPlan {
  /** The bin in its target; of no size for a visibility phase that renders none. */
  readonly rect: RectPx;
  /** Of a pixel. */
  readonly sampleCount: number;
  readonly isColorLoaded: boolean;
  readonly isDepthLoaded: boolean;
  /** Whether depth and stencil leave with the bin. */
  readonly isDepthStored: boolean;
  /** First line of the image region. */
  readonly imageLine: number;
  /** The visibility stream that is read; of no bytes where none is. */
  readonly streamLine: number;
  readonly streamBytes: number;
  readonly streamPrimitives: number;
}

/** Of a run without target and stream. */
export const EMPTY_RUN: RunPlan = {
  rect: { x: 0, y: 0, width: 0, height: 0 },
  sampleCount: 1,
  isColorLoaded: false,
  isDepthLoaded: false,
  isDepthStored: false,
  imageLine: 0,
  streamLine: 0,
  streamBytes: 0,
  streamPrimitives: 0,
};

export class TargetPlaces {
  plan: RunPlan = EMPTY_RUN;
  /** Lines of the target's blocks, those beyond its edge in the last fine bins included. */
  blockCount = 0;
  private readonly binBlocksLog2: number;
  private binsPerRow = 0;
  private firstX = 0;
  private firstY = 0;

  /** @param fineBinPx Edge of a fine bin, a power of two. */
  constructor(fineBinPx: number) {
    this.binBlocksLog2 = 29 - Math.clz32(fineBinPx);
  }

  /** Starts a run, with cold caches. */
  begin(plan: RunPlan, color: TargetCache, depth: TargetCache): void {
    this.plan = plan;
    const { x, y, width, height } = plan.rect;
    const shift = this.binBlocksLog2;
    const binsOf = (px: number) => (Math.ceil(px / 4) + (1 << shift) - 1) >> shift;
    this.firstX = x >> 2;
    this.firstY = y >> 2;
    this.binsPerRow = binsOf(width);
    this.blockCount = ((this.binsPerRow * binsOf(height)) << (2 * shift)) * plan.sampleCount;
    color.begin(this.blockCount, plan.isColorLoaded);
    depth.begin(this.blockCount, plan.isDepthLoaded);
  }

  /** Number of the first line of the block in column `blockX` and row `blockY` of the target, counted in blocks. */
  blockOf(blockX: number, blockY: number): number {
    const x = blockX - this.firstX;
    const y = blockY - this.firstY;
    const shift = this.binBlocksLog2;
    const mask = (1 << shift) - 1;
    const bin = (y >> shift) * this.binsPerRow + (x >> shift);
    const block = (bin << (2 * shift)) + ((y & mask) << shift) + (x & mask);
    return block * this.plan.sampleCount;
  }

  /** Line of a block's colour. */
  colorLine(block: number): number {
    return this.plan.imageLine + block;
  }

  /** Line of a block's depth and stencil. */
  depthLine(block: number): number {
    return this.plan.imageLine + this.blockCount + block;
  }
}
