/**
 * Early depth: takes a block per cycle. Hierarchical depth drops blocks that lie behind everything stored in
 * their place; what it cannot decide is tested quad by quad.
 */
import type { ChipletSpec } from '../chiplet-spec.ts';
import { type BinLog, BLOCK, DRAW, DRAW_WORDS, HIERARCHICAL_KILL } from '../sim/bin-log.ts';
import type { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, STALLED, STARVED } from '../sim/schedule.ts';
import { countQuads } from './block-masks.ts';

export class EarlyDepthModule implements Module {
  readonly name = 'raster.earlyDepth';
  readonly id: number;
  readonly inputs: readonly Queue[];
  readonly outputs: readonly Queue[];
  /** Of the run. */
  blocksHierarchicalKilled = 0;
  private readonly states: Int32Array;
  private readonly log: BinLog;
  private readonly input: Queue;
  private readonly output: Queue;
  private readonly quadsPerCycle: number;
  private busyUntil = 0;

  constructor(
    id: number,
    schedule: Schedule,
    spec: ChipletSpec,
    log: BinLog,
    input: Queue,
    output: Queue,
  ) {
    this.id = id;
    this.states = schedule.states;
    this.log = log;
    this.input = input;
    this.output = output;
    this.inputs = [input];
    this.outputs = [output];
    this.quadsPerCycle = spec.depthQuadsPerCycle;
  }

  reset(): void {
    this.blocksHierarchicalKilled = 0;
    this.busyUntil = 0;
  }

  clock(cycle: number): number {
    if (cycle < this.busyUntil) {
      this.states[this.id] = BUSY;
      return this.busyUntil;
    }
    if (!this.input.canPop(cycle)) {
      this.states[this.id] = STARVED;
      return this.input.nextReady(NEVER);
    }
    const { words } = this.log.blocks;
    const at = this.log.blocks.at(this.input.front());
    const draw = words[at + BLOCK.draw]!;
    const masks = words[at + BLOCK.masks]!;
    const isMark = draw < 0;
    const goesOn = isMark || masks >>> 16 !== 0;
    if (goesOn && !this.output.canPush()) {
      this.states[this.id] = STALLED;
      return NEVER;
    }
    const isKilled = !isMark && (words[at + BLOCK.position]! & HIERARCHICAL_KILL) !== 0;
    let cycles = 1;
    if (isKilled) this.blocksHierarchicalKilled++;
    else if (!isMark && this.log.draws[draw * DRAW_WORDS + DRAW.isEarlyDepth] === 1) {
      cycles = Math.ceil(countQuads(masks) / this.quadsPerCycle);
    }
    const block = this.input.pop(cycle);
    this.busyUntil = cycle + cycles;
    if (goesOn) this.output.push(block, cycle, this.busyUntil);
    this.states[this.id] = BUSY;
    return this.busyUntil;
  }
}
