/**
 * Warp packing: collects the quads of blocks into fragment warps, one block per cycle while no warp
 * is full. A warp closes when it is full or at a mark (another draw, the end of a list). It then
 * goes to the interpolator. Its number goes to the output merger, which takes warps in this order.
 */
import type { i32 } from '../portable/number-types.ts';
import { QUAD_LANES } from '../records/block-masks.ts';
import {
  BLOCK,
  COLOR_COMPACT_SHIFT,
  MARK_BATCH,
  MARK_END,
  MAX_BIN_BLOCKS,
  POSITION_BITS,
} from '../records/record-layout.ts';
import type { RunRecords } from '../records/run-records.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';
import { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, stalled, starved } from '../sim/schedule.ts';
import type { ProgramBlocksInUse } from './program-blocks-in-use.ts';
import { QUAD_COMPACT_SHIFT, WARP, type WarpTable } from './warp-table.ts';

/** Value in place of a warp's number at the end of the run. */
export const END_OF_WARPS = -1;

/** Module of warp packing. */
export class WarpPackingModule extends Module {
  /** Number of the first block that the module still needs. */
  blocksDone: i32 = 0;
  /** Number of warps closed in the run. */
  warpCount: i32 = 0;
  private readonly records: RunRecords;
  private readonly warps: WarpTable;
  private readonly programBlocks: ProgramBlocksInUse;
  private readonly input: Queue;
  private readonly toInterpolator: Queue;
  private readonly order: Queue;
  private readonly warpQuads: i32;
  private warpSize: i32 = 0;
  private draw: i32 = 0;
  /** Number of the current primitive batch. */
  private batch: i32 = 0;
  /** Current block: the mask of its quads that wait, its position and its lines that compress. */
  private waiting: i32 = 0;
  private position: i32 = 0;
  private compact: i32 = 0;
  private mustClose: boolean = false;
  private isEnding: boolean = false;

  constructor(
    id: i32,
    name: string,
    schedule: Schedule,
    spec: TimingSpec,
    records: RunRecords,
    warps: WarpTable,
    programBlocks: ProgramBlocksInUse,
    input: Queue,
    toInterpolator: Queue,
    order: Queue,
  ) {
    super({ id, name, schedule, inputs: [input], outputs: [toInterpolator, order] });
    this.records = records;
    this.warps = warps;
    this.programBlocks = programBlocks;
    this.input = input;
    this.toInterpolator = toInterpolator;
    this.order = order;
    this.warpQuads = spec.warpThreads >> 2;
  }

  reset(): void {
    this.blocksDone = 0;
    this.warpCount = 0;
    this.warpSize = 0;
    this.batch = 0;
    this.waiting = 0;
    this.mustClose = false;
    this.isEnding = false;
  }

  clock(cycle: i32): i32 {
    const isIdle = this.waiting === 0 && !this.mustClose && !this.isEnding;
    if (isIdle) {
      if (!this.input.canPop(cycle)) {
        this.states[this.id] = starved(WAIT.input);
        return this.input.nextReady();
      }
      this.take(this.input.pop(cycle), cycle);
    }
    if (!this.mustClose) this.fill();
    if (this.mustClose) {
      if (!this.toInterpolator.canPush() || !this.order.canPush()) {
        this.states[this.id] = stalled(WAIT.output);
        return NEVER;
      }
      this.close(cycle);
    } else if (this.isEnding) {
      if (!this.order.canPush()) {
        this.states[this.id] = stalled(WAIT.output);
        return NEVER;
      }
      this.order.push(END_OF_WARPS, cycle, cycle + 1);
      this.isEnding = false;
    }
    this.states[this.id] = BUSY;
    return cycle + 1;
  }

  private take(block: i32, cycle: i32): void {
    const words = this.records.blocks.words;
    const at = this.records.blocks.at(block);
    this.blocksDone = block + 1;
    const draw = words[at + BLOCK.draw]!;
    if (draw < 0) {
      this.mustClose = this.warpSize > 0;
      this.isEnding = draw === MARK_END;
      if (draw === MARK_BATCH) {
        this.batch++;
        this.programBlocks.notePacked(this.warpCount + (this.mustClose ? 1 : 0), cycle);
      }
      return;
    }
    const mask = words[at + BLOCK.masks]! >>> 16;
    this.draw = draw;
    const position = words[at + BLOCK.position]!;
    this.position = position & ((1 << POSITION_BITS) - 1);
    this.compact = (position >>> COLOR_COMPACT_SHIFT) << QUAD_COMPACT_SHIFT;
    for (let quad = 0; quad < 4; quad++) {
      if ((mask & QUAD_LANES[quad]!) !== 0) this.waiting |= 1 << quad;
    }
  }

  /** Moves waiting quads into the open warp until it is full. */
  private fill(): void {
    const words = this.warps.words;
    const at = this.warps.at(this.warpCount);
    const x = (this.position & (MAX_BIN_BLOCKS - 1)) << 1;
    const y = (this.position >> 11) << 1;
    if (this.warpSize === 0) words[at + WARP.batch] = this.batch;
    for (let quad = 0; quad < 4 && this.waiting !== 0; quad++) {
      if ((this.waiting & (1 << quad)) === 0) continue;
      const place = x + (quad & 1) + (y + (quad >> 1)) * (2 * MAX_BIN_BLOCKS);
      words[at + WARP.quads + this.warpSize] = place | this.compact;
      this.waiting &= ~(1 << quad);
      this.warpSize++;
      if (this.warpSize === this.warpQuads) {
        this.mustClose = true;
        return;
      }
    }
  }

  private close(cycle: i32): void {
    const words = this.warps.words;
    const at = this.warps.at(this.warpCount);
    words[at + WARP.draw] = this.draw;
    words[at + WARP.size] = this.warpSize;
    // The warp that had this entry is done, and so are all earlier ones.
    const fragmentTraces = this.records.fragmentTraces;
    const fragmentTraceWords = this.records.fragmentTraceWords;
    if (this.warpCount >= this.warps.capacity) fragmentTraceWords.start = words[at + WARP.trace]!;
    words[at + WARP.trace] = fragmentTraces.words[fragmentTraces.at(fragmentTraces.start++)]!;
    this.toInterpolator.push(this.warpCount, cycle, cycle + 1);
    this.order.push(this.warpCount, cycle, cycle + 1);
    this.warpCount++;
    this.warpSize = 0;
    this.mustClose = false;
  }
}
