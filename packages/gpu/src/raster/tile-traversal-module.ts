/**
 * Tile traversal in time: seven pipelined levels, each takes one tile per cycle, the last one all 2×2 tiles of
 * a block; level 7 hands on one block of 4×4 pixels per cycle. A primitive occupies the unit as long as its
 * slowest level needs (see seven-level-traversal.ts, which counts); its blocks come at the end of that.
 *
 * Deviation: the levels share one clock here, so tiles of two primitives do not overtake each other's levels.
 */
import type { ChipletSpec } from '../chiplet-spec.ts';
import { type BinLog, ENTRY } from '../sim/bin-log.ts';
import type { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, STALLED, STARVED } from '../sim/schedule.ts';
import { LEVEL_COUNT } from './seven-level-traversal.ts';

export class TileTraversalModule implements Module {
  readonly name = 'raster.tileTraversal';
  readonly id: number;
  readonly inputs: readonly Queue[];
  readonly outputs: readonly Queue[];
  /** Entries before this one are done with. */
  entriesDone = 0;
  private readonly states: Int32Array;
  private readonly log: BinLog;
  private readonly input: Queue;
  private readonly output: Queue;
  private readonly latencyCycles: number;
  private isWalking = false;
  private block = 0;
  private blocksLeft = 0;
  private emitAt = 0;
  private freeAt = 0;

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
    this.latencyCycles = traversalLatency(spec);
  }

  reset(): void {
    this.entriesDone = 0;
    this.isWalking = false;
    this.blocksLeft = 0;
  }

  clock(cycle: number): number {
    if (this.isWalking && this.blocksLeft === 0 && cycle >= this.freeAt) this.isWalking = false;
    if (!this.isWalking) {
      if (!this.input.canPop(cycle)) {
        this.states[this.id] = STARVED;
        return this.input.nextReady();
      }
      this.take(this.input.pop(cycle), cycle);
    }
    if (this.blocksLeft > 0 && cycle >= this.emitAt) {
      if (!this.output.canPush()) {
        this.states[this.id] = STALLED;
        return NEVER;
      }
      this.output.push(this.block++, cycle, cycle + this.latencyCycles);
      this.blocksLeft--;
      this.emitAt = cycle + 1;
    }
    this.states[this.id] = BUSY;
    const wake = this.blocksLeft > 0 ? this.emitAt : this.freeAt;
    return wake > cycle ? wake : cycle + 1;
  }

  private take(entry: number, cycle: number): void {
    const { entries } = this.log;
    const at = entries.at(entry);
    const steps = entries.words[at + ENTRY.steps]!;
    this.block = entries.words[at + ENTRY.firstBlock]!;
    this.blocksLeft = entries.words[at + ENTRY.blockCount]!;
    this.freeAt = cycle + (steps > this.blocksLeft ? steps : this.blocksLeft);
    this.emitAt = this.freeAt - this.blocksLeft;
    this.entriesDone = entry + 1;
    this.isWalking = true;
  }
}

/** Cycles from a primitive's entry to its first block, beyond the steps that it needs. */
export function traversalLatency(spec: ChipletSpec): number {
  return LEVEL_COUNT * spec.traversalLevelCycles;
}
