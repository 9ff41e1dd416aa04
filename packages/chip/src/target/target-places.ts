/**
 * Addresses of a run's target in memory. A block is 4×4 pixels. The image region holds color first,
 * then depth with stencil; the blocks of a fine bin are consecutive. With several samples per
 * pixel, a block takes as many consecutive lines. Color takes a line for every 32 bits of a sample.
 */

import { divide, divideUp, log2 } from '../portable/integers.ts';
import type { f64, i32 } from '../portable/number-types.ts';
import { MAX_BIN_BLOCKS, POSITION_BITS } from '../records/record-layout.ts';
import { RunPlan } from '../records/run-plan.generated.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { StreamGate } from './stream-gate.ts';
import { StreamSegments } from './stream-segments.ts';
import type { TargetCache } from './target-cache.ts';

/** Bits of a line's number within its target. The bits above are the number of the target. */
const LINE_BITS = 24;

/** Returns the number of the target of a line's key. */
export function targetOf(key: i32): i32 {
  return key >>> LINE_BITS;
}

/** Returns the number of a line within its target. */
export function lineOf(key: i32): i32 {
  return key & ((1 << LINE_BITS) - 1);
}

/** Plan of a bin and the lines of its target's blocks. */
export class TargetPlaces {
  readonly plan: RunPlan = new RunPlan();
  /** Number of the bin's target. */
  target: i32 = 0;
  /** Bytes that leave with the bin, and bytes of a visibility stream that leaves before it. */
  outputBytes: f64 = 0;
  streamBytes: f64 = 0;
  /**
   * First line of memory that the pixels of the bin are stored in, and their number; 0 if the
   * pixels leave the chiplet. Pages of interleaved pixels are in the memories in turn.
   */
  storedLine: i32 = 0;
  storedLines: i32 = 0;
  isInterleaved: boolean = false;
  /** Segments of streamed visibility so far, in their order. */
  readonly segments: StreamSegments = new StreamSegments();
  /** Primitives that may be read of a bin whose visibility is streamed. */
  readonly gate: StreamGate = new StreamGate();
  /** Number of the bin's last primitive batch; −1 until the end of the bin was read. */
  lastBatch: i32 = -1;
  /** Whether the caches were prepared for the bin. */
  isOpen: boolean = false;
  /** Cycle in which all primitives were binned, and the one in which the bin had left. */
  binnedAt: i32 = 0;
  leftAt: i32 = 0;
  /**
   * Number of lines of the target's blocks, including those beyond the edge in the last fine bins.
   */
  blockCount: i32 = 0;
  /** Number of lines that a clear without fast clear has written, and of those of color. */
  clearedLines: i32 = 0;
  clearColorLines: i32 = 0;
  private clearLines: i32 = 0;
  private readonly binBlocksLog2: i32;
  private readonly hasFastClear: boolean;
  private readonly hasBatchMemory: boolean;
  private readonly batchBuffers: i32;
  private readonly targets: i32;
  private binsPerRow: i32 = 0;
  private firstX: i32 = 0;
  private firstY: i32 = 0;

  constructor(spec: TimingSpec) {
    this.binBlocksLog2 = log2(spec.fineBinPx) - 2;
    this.hasFastClear = spec.hasFastClear;
    this.hasBatchMemory = spec.hasBatchMemory;
    this.batchBuffers = spec.batchBuffers;
    this.targets = spec.binTargets;
  }

  /** Prepares the bin of `plan`. */
  begin(target: i32): void {
    const plan = this.plan;
    const shift = this.binBlocksLog2;
    this.target = target;
    this.outputBytes = 0;
    this.streamBytes = 0;
    this.storedLine = 0;
    this.storedLines = 0;
    this.isInterleaved = false;
    this.segments.reset();
    this.gate.reset();
    this.lastBatch = -1;
    this.isOpen = false;
    this.binnedAt = 0;
    this.leftAt = 0;
    this.firstX = plan.x >> 2;
    this.firstY = plan.y >> 2;
    this.binsPerRow = this.binsOf(plan.width);
    const bins = this.binsPerRow * this.binsOf(plan.height);
    this.blockCount = (bins << (2 * shift)) * plan.sampleCount;
    this.clearedLines = 0;
    this.clearColorLines = this.hasFastClear || plan.isColorLoaded ? 0 : this.colorCount;
    this.clearLines =
      this.clearColorLines + (this.hasFastClear || plan.isDepthLoaded ? 0 : this.blockCount);
  }

  /** Takes the target, which no other bin uses any more. Nothing of it is in a cache. */
  open(color: TargetCache, depth: TargetCache): void {
    const plan = this.plan;
    this.isOpen = true;
    color.begin(this.target, this.colorCount, plan.isColorLoaded || !this.hasFastClear);
    depth.begin(this.target, this.blockCount, plan.isDepthLoaded || !this.hasFastClear);
  }

  /** Returns the key of a line of the target in a cache. */
  keyOf(line: i32): i32 {
    return (this.target << LINE_BITS) | line;
  }

  /**
   * Returns the number of a block's first line. Column and row count blocks of the target. Only
   * their values modulo MAX_BIN_BLOCKS matter.
   */
  blockOf(blockX: i32, blockY: i32): i32 {
    const x = (blockX - this.firstX) & (MAX_BIN_BLOCKS - 1);
    const y = (blockY - this.firstY) & (MAX_BIN_BLOCKS - 1);
    const shift = this.binBlocksLog2;
    const mask = (1 << shift) - 1;
    const bin = (y >> shift) * this.binsPerRow + (x >> shift);
    const block = (bin << (2 * shift)) + ((y & mask) << shift) + (x & mask);
    return block * this.plan.sampleCount;
  }

  /** Returns the number of the first line of the block at BLOCK.position. */
  blockAt(position: i32): i32 {
    return this.blockOf(position, position >>> (POSITION_BITS >> 1));
  }

  /** Returns the first line of the fine bin that contains a block. */
  firstOfBin(block: i32): i32 {
    const lines = this.plan.sampleCount << (2 * this.binBlocksLog2);
    return block - (block % lines);
  }

  /** Returns whether no line of the target remains to be cleared in memory. */
  get isCleared(): boolean {
    return this.clearedLines === this.clearLines;
  }

  /** Number of lines of the target's color. */
  get colorCount(): i32 {
    return this.blockCount * this.plan.colorLines;
  }

  /** Address of the target's first line. */
  private get firstLine(): i32 {
    return this.plan.imageLine + this.target * divide(this.plan.imageLines, this.targets);
  }

  /** Returns the address of a line of color, which are `colorLines` for each line of depth. */
  colorLine(line: i32): i32 {
    return this.firstLine + line;
  }

  /** Returns the line of a block's depth and stencil. */
  depthLine(block: i32): i32 {
    return this.firstLine + this.colorCount + block;
  }

  /** Returns whether the records and lists of primitive batches are in memory. */
  keepsBatches(): boolean {
    return this.hasBatchMemory && this.plan.batchLines > 0;
  }

  /** Whether the run is a visibility phase within which a bin is rendered. */
  get hasEarlyBin(): boolean {
    return this.plan.earlyLine > 0;
  }

  /** Whether the module that bins primitives is still within the phase. */
  get isInPhase(): boolean {
    return this.hasEarlyBin && this.binnedAt === 0;
  }

  /** Returns whether the records of a bin within the phase are in memory. */
  keepsEarlyRecords(): boolean {
    return this.hasBatchMemory && this.hasEarlyBin;
  }

  /** Returns the address of the first record of a batch. Batches take the buffers in turn. */
  recordLine(batch: i32): i32 {
    return this.plan.batchLine + (batch % this.batchBuffers) * this.plan.batchLines;
  }

  /** Returns the address of the first line of a batch's lists. */
  listLine(batch: i32): i32 {
    return this.recordLine(batch) + this.plan.batchListLines;
  }

  /** Returns the number of fine bins that `px` pixels span. */
  private binsOf(px: i32): i32 {
    return (divideUp(px, 4) + (1 << this.binBlocksLog2) - 1) >> this.binBlocksLog2;
  }
}
