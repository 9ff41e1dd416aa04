/**
 * Warp packing: gathers the quads of blocks into fragment warps, a block per cycle as long as no warp is full.
 * A warp is closed when it is full or at a mark (another draw, the end of a list). It then goes to the
 * interpolator, and its number to the output merger, which takes warps in this order.
 */
import type { ChipletSpec } from '../chiplet-spec.ts';
import { QUAD_LANES } from '../raster/block-masks.ts';
import { type BinLog, BLOCK, MARK_END, POSITION_BITS } from '../sim/bin-log.ts';
import type { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, STALLED, STARVED } from '../sim/schedule.ts';
import { WARP, type WarpTable } from './warp-table.ts';

/** Takes the place of a warp's number: the run ends. */
export const END_OF_WARPS = -1;

export class WarpPackingModule implements Module {
  readonly name = 'shading.warpPacking';
  readonly id: number;
  readonly inputs: readonly Queue[];
  readonly outputs: readonly Queue[];
  /** Blocks before this one are done with. */
  blocksDone = 0;
  /** Warps closed in the run. */
  warpCount = 0;
  private readonly states: Int32Array;
  private readonly log: BinLog;
  private readonly warps: WarpTable;
  private readonly input: Queue;
  private readonly toInterpolator: Queue;
  private readonly order: Queue;
  private readonly warpQuads: number;
  private warpSize = 0;
  private draw = 0;
  /** The block in hand: its quads that wait, as bits; its position. */
  private waiting = 0;
  private position = 0;
  private mustClose = false;
  private isEnding = false;

  constructor(
    id: number,
    schedule: Schedule,
    spec: ChipletSpec,
    log: BinLog,
    warps: WarpTable,
    input: Queue,
    toInterpolator: Queue,
    order: Queue,
  ) {
    this.id = id;
    this.states = schedule.states;
    this.log = log;
    this.warps = warps;
    this.input = input;
    this.toInterpolator = toInterpolator;
    this.order = order;
    this.inputs = [input];
    this.outputs = [toInterpolator, order];
    this.warpQuads = spec.warpThreads / 4;
  }

  reset(): void {
    this.blocksDone = 0;
    this.warpCount = 0;
    this.warpSize = 0;
    this.waiting = 0;
    this.mustClose = false;
    this.isEnding = false;
  }

  clock(cycle: number): number {
    const isIdle = this.waiting === 0 && !this.mustClose && !this.isEnding;
    if (isIdle) {
      if (!this.input.canPop(cycle)) {
        this.states[this.id] = STARVED;
        return this.input.nextReady();
      }
      this.take(this.input.pop(cycle));
    }
    if (!this.mustClose) this.fill();
    if (this.mustClose) {
      if (!this.toInterpolator.canPush() || !this.order.canPush()) {
        this.states[this.id] = STALLED;
        return NEVER;
      }
      this.close(cycle);
    } else if (this.isEnding) {
      if (!this.order.canPush()) {
        this.states[this.id] = STALLED;
        return NEVER;
      }
      this.order.push(END_OF_WARPS, cycle, cycle + 1);
      this.isEnding = false;
    }
    this.states[this.id] = BUSY;
    return cycle + 1;
  }

  private take(block: number): void {
    const { words } = this.log.blocks;
    const at = this.log.blocks.at(block);
    this.blocksDone = block + 1;
    const draw = words[at + BLOCK.draw]!;
    if (draw < 0) {
      this.mustClose = this.warpSize > 0;
      this.isEnding = draw === MARK_END;
      return;
    }
    const mask = words[at + BLOCK.masks]! >>> 16;
    this.draw = draw;
    this.position = words[at + BLOCK.position]! & ((1 << POSITION_BITS) - 1);
    for (let quad = 0; quad < 4; quad++) {
      if ((mask & QUAD_LANES[quad]!) !== 0) this.waiting |= 1 << quad;
    }
  }

  /** Moves waiting quads into the open warp until it is full. */
  private fill(): void {
    const { words } = this.warps;
    const at = this.warps.at(this.warpCount);
    const x = (this.position & 2047) << 1;
    const y = (this.position >> 11) << 1;
    for (let quad = 0; quad < 4 && this.waiting !== 0; quad++) {
      if ((this.waiting & (1 << quad)) === 0) continue;
      words[at + WARP.quads + this.warpSize] = x + (quad & 1) + (y + (quad >> 1)) * 4096;
      this.waiting &= ~(1 << quad);
      this.warpSize++;
      if (this.warpSize === this.warpQuads) {
        this.mustClose = true;
        return;
      }
    }
  }

  private close(cycle: number): void {
    const { words } = this.warps;
    const at = this.warps.at(this.warpCount);
    words[at + WARP.draw] = this.draw;
    words[at + WARP.size] = this.warpSize;
    // The warp that had the place is long done, and so are those before it.
    const { fragmentTraces, fragmentTraceWords } = this.log;
    if (this.warpCount >= this.warps.capacity) fragmentTraceWords.start = words[at + WARP.trace]!;
    words[at + WARP.trace] = fragmentTraces.words[fragmentTraces.at(fragmentTraces.start++)]!;
    this.toInterpolator.push(this.warpCount, cycle, cycle + 1);
    this.order.push(this.warpCount, cycle, cycle + 1);
    this.warpCount++;
    this.warpSize = 0;
    this.mustClose = false;
  }
}
