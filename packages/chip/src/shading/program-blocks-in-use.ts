/**
 * Program blocks that primitive batches in the pipeline still load from. Each stage has a ring of
 * blocks (HMGPU, Application of Electronic Technique, no. 5, 2013: two for each, used in turn for
 * storing and loading). A program is stored into its block when all batches that use the block's
 * last program are done: shaded and binned for the vertex stage, written by the output merger for
 * the pixel stage.
 */

import { lesser } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import type { Schedule } from '../sim/schedule.ts';

/** Batches whose last warps are known, a power of two above the batches in flight. */
const PACKED_BATCHES = 256;
const UNUSED = -1;
const NOBODY = -1;

/** Progress of batches, and last batch of each block by stage. */
export class ProgramBlocksInUse {
  private readonly schedule: Schedule;
  private readonly blockCount: i32;
  /** Last batch that uses each block. */
  private readonly vertexUses: Int32Array;
  private readonly fragmentUses: Int32Array;
  /** Number of batches that were binned. */
  private binned: i32 = 0;
  /** Number of batches whose quads are in warps, and of warps at the end of each. */
  private packed: i32 = 0;
  private readonly packedWarps: Int32Array = new Int32Array(PACKED_BATCHES);
  /** Number of fragment warps that were written. */
  private written: i32 = 0;
  /** Module that waits for a block. */
  private waiting: i32 = NOBODY;

  constructor(spec: TimingSpec, schedule: Schedule) {
    this.schedule = schedule;
    this.blockCount = spec.programBlocks;
    this.vertexUses = new Int32Array(spec.programBlocks);
    this.fragmentUses = new Int32Array(spec.programBlocks);
    this.reset();
  }

  reset(): void {
    this.vertexUses.fill(UNUSED);
    this.fragmentUses.fill(UNUSED);
    this.binned = 0;
    this.packed = 0;
    this.written = 0;
    this.waiting = NOBODY;
  }

  /** Records that a batch uses the blocks of two programs, by their numbers. */
  use(vertexProgram: i32, fragmentProgram: i32, batch: i32): void {
    this.vertexUses[vertexProgram % this.blockCount] = batch;
    this.fragmentUses[fragmentProgram % this.blockCount] = batch;
  }

  /** Returns whether no batch loads from the block of a vertex program that is stored next. */
  isVertexBlockFree(program: i32): boolean {
    return this.vertexUses[program % this.blockCount]! < this.binned;
  }

  /** Returns whether no batch loads from the block of a fragment program that is stored next. */
  isFragmentBlockFree(program: i32): boolean {
    const batch = this.fragmentUses[program % this.blockCount]!;
    if (batch === UNUSED) return true;
    if (batch >= this.packed) return false;
    // Batches end in order. Of those that are too old, the oldest known one is at least as late.
    const known = lesser(this.packed - batch, PACKED_BATCHES);
    return this.written >= this.packedWarps[(this.packed - known) & (PACKED_BATCHES - 1)]!;
  }

  /** Wakes a module after the next progress of a batch. */
  await(module: i32): void {
    this.waiting = module;
  }

  /** Records that the next batch was binned. */
  noteBinned(cycle: i32): void {
    this.binned++;
    this.wake(cycle);
  }

  /** Records that the next batch ends with fragment warp `warps` − 1. */
  notePacked(warps: i32, cycle: i32): void {
    this.packedWarps[this.packed++ & (PACKED_BATCHES - 1)] = warps;
    this.wake(cycle);
  }

  /** Records that the output merger has written the next warp. */
  noteWritten(cycle: i32): void {
    this.written++;
    this.wake(cycle);
  }

  private wake(cycle: i32): void {
    if (this.waiting === NOBODY) return;
    this.schedule.wake(this.waiting, cycle);
    this.waiting = NOBODY;
  }
}
