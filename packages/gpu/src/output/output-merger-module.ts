/**
 * Output merger: takes fragment warps in the order in which they were packed, so that fragments reach a pixel
 * in submission order, and writes so many quads a cycle; longer where it reads the target too.
 */
import type { ChipletSpec } from '../chiplet-spec.ts';
import { END_OF_WARPS } from '../shading/warp-packing-module.ts';
import { WARP, type WarpTable } from '../shading/warp-table.ts';
import { type BinLog, DRAW, DRAW_WORDS } from '../sim/bin-log.ts';
import type { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, STALLED, STARVED } from '../sim/schedule.ts';

/** Warps that may be done out of order: more than the largest window. */
const DONE_SLOTS = 8192;

export class OutputMergerModule implements Module {
  readonly name = 'output.outputMerger';
  readonly id: number;
  readonly inputs: readonly Queue[];
  readonly outputs: readonly Queue[];
  private readonly states: Int32Array;
  private readonly log: BinLog;
  private readonly warps: WarpTable;
  private readonly order: Queue;
  private readonly doneWarps: readonly Queue[];
  private readonly output: Queue;
  private readonly quadsPerCycle: number;
  private readonly readCycles: number;
  private readonly isDone = new Uint8Array(DONE_SLOTS);
  private busyUntil = 0;

  constructor(
    id: number,
    schedule: Schedule,
    spec: ChipletSpec,
    log: BinLog,
    warps: WarpTable,
    order: Queue,
    doneWarps: readonly Queue[],
    output: Queue,
  ) {
    this.id = id;
    this.states = schedule.states;
    this.log = log;
    this.warps = warps;
    this.order = order;
    this.doneWarps = doneWarps;
    this.output = output;
    this.inputs = [order, ...doneWarps];
    this.outputs = [output];
    this.quadsPerCycle = spec.outputQuadsPerCycle;
    this.readCycles = spec.outputReadCycles;
  }

  reset(): void {
    this.isDone.fill(0);
    this.busyUntil = 0;
  }

  clock(cycle: number): number {
    let wake = NEVER;
    for (let core = 0; core < this.doneWarps.length; core++) {
      const done = this.doneWarps[core]!;
      if (done.canPop(cycle)) this.isDone[done.pop(cycle) & (DONE_SLOTS - 1)] = 1;
      const ready = done.nextReady(NEVER);
      if (ready < wake) wake = ready <= cycle ? cycle + 1 : ready;
    }
    if (cycle < this.busyUntil) {
      this.states[this.id] = BUSY;
      return this.busyUntil < wake ? this.busyUntil : wake;
    }
    if (!this.order.canPop(cycle)) {
      this.states[this.id] = STARVED;
      const ready = this.order.nextReady(NEVER);
      return ready < wake ? ready : wake;
    }
    const warp = this.order.front();
    if (warp === END_OF_WARPS) {
      if (!this.output.canPush()) {
        this.states[this.id] = STALLED;
        return wake;
      }
      this.output.push(this.order.pop(cycle), cycle, cycle + 1);
      this.states[this.id] = BUSY;
      return cycle + 1;
    }
    if (this.isDone[warp & (DONE_SLOTS - 1)] === 0) {
      this.states[this.id] = STARVED;
      return wake;
    }
    this.isDone[warp & (DONE_SLOTS - 1)] = 0;
    this.order.pop(cycle);
    this.busyUntil = cycle + this.cyclesOf(warp);
    this.states[this.id] = BUSY;
    return this.busyUntil < wake ? this.busyUntil : wake;
  }

  private cyclesOf(warp: number): number {
    const at = this.warps.at(warp);
    const draw = this.warps.words[at + WARP.draw]! * DRAW_WORDS;
    const writes = Math.ceil(this.warps.words[at + WARP.size]! / this.quadsPerCycle);
    return this.log.draws[draw + DRAW.readsTarget] === 1 ? writes * (1 + this.readCycles) : writes;
  }
}
