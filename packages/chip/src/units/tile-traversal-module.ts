/**
 * Tile traversal in time: seven pipelined levels, each of which takes one tile per cycle. The last
 * level takes all 2×2 tiles of a block, and passes on one block of 4×4 pixels per cycle. A
 * primitive occupies the unit for the steps of its slowest level, which seven-level-traversal.ts of
 * gpu counts. Its blocks leave at the end of that time. Hierarchical depth tests several of them
 * per cycle and drops those that are hidden.
 *
 * Deviation: the levels share one clock, so tiles of two primitives are never in different levels
 * at once.
 */

import type { i32 } from '../portable/number-types.ts';
import { BLOCK, ENTRY, MARK_END } from '../records/record-layout.ts';
import type { RunRecords } from '../records/run-records.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { LEVEL_COUNT } from '../records/traversal-levels.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';
import { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, stalled, starved } from '../sim/schedule.ts';
import type { BinList } from '../target/bin-list.ts';
import type { HierarchicalDepth } from '../target/hierarchical-depth.ts';
import type { TargetPlaces } from '../target/target-places.ts';

/** Module of tile traversal. */
export class TileTraversalModule extends Module {
  /** Number of the first entry that the module still needs. */
  entriesDone: i32 = 0;
  private readonly records: RunRecords;
  private readonly input: Queue;
  private readonly output: Queue;
  private readonly latencyCycles: i32;
  private isWalking: boolean = false;
  private block: i32 = 0;
  private blocksLeft: i32 = 0;
  private emitAt: i32 = 0;
  private freeAt: i32 = 0;
  /** Number of blocks in the run that hierarchical depth dropped. */
  blocksDropped: i32 = 0;
  private readonly bins: BinList;
  /** Number of the bin that the module is at. */
  private bin: i32 = 0;
  private readonly hierarchicalDepth: HierarchicalDepth;
  private readonly testsPerCycle: i32;
  /** Whether the last block is the end of its bin. */
  private endsBin: boolean = false;

  constructor(
    id: i32,
    name: string,
    schedule: Schedule,
    spec: TimingSpec,
    records: RunRecords,
    input: Queue,
    output: Queue,
    bins: BinList,
    hierarchicalDepth: HierarchicalDepth,
  ) {
    super({ id, name, schedule, inputs: [input], outputs: [output] });
    this.records = records;
    this.input = input;
    this.output = output;
    this.latencyCycles = traversalLatency(spec);
    this.bins = bins;
    this.hierarchicalDepth = hierarchicalDepth;
    this.testsPerCycle = spec.hierarchicalDepthBlocksPerCycle;
  }

  reset(): void {
    this.bin = 0;
    this.entriesDone = 0;
    this.isWalking = false;
    this.blocksLeft = 0;
    this.blocksDropped = 0;
    this.endsBin = false;
  }

  /** Places of the bin that the module is at. */
  private get places(): TargetPlaces {
    return this.bins.at(this.bin);
  }

  clock(cycle: i32): i32 {
    if (this.isWalking && this.blocksLeft === 0 && cycle >= this.freeAt) this.isWalking = false;
    if (!this.isWalking) {
      if (!this.input.canPop(cycle)) {
        this.states[this.id] = starved(WAIT.input);
        return this.input.nextReady();
      }
      if (!this.bins.hasTarget(this.bin, this.id)) {
        this.states[this.id] = stalled(WAIT.target);
        return NEVER;
      }
      this.take(this.input.pop(cycle), cycle);
    }
    if (this.blocksLeft > 0 && cycle >= this.emitAt) {
      if (!this.output.canPush()) {
        this.states[this.id] = stalled(WAIT.output);
        return NEVER;
      }
      if (this.findVisible(cycle)) {
        this.output.push(this.block++, cycle, cycle + this.latencyCycles);
        this.blocksLeft--;
        if (this.endsBin) this.bin++;
        this.endsBin = false;
      }
      this.emitAt = cycle + 1;
    }
    this.states[this.id] = BUSY;
    const wake = this.blocksLeft > 0 ? this.emitAt : this.freeAt;
    return wake > cycle ? wake : cycle + 1;
  }

  /**
   * Drops hidden blocks up to the next one that is not. Returns whether there is such a block among
   * those that are tested in a cycle.
   */
  private findVisible(cycle: i32): boolean {
    const blocks = this.records.blocks;
    for (let test = 0; test < this.testsPerCycle && this.blocksLeft > 0; test++) {
      const words = blocks.words;
      const at = blocks.at(this.block);
      const draw = words[at + BLOCK.draw]!;
      if (draw < 0) {
        this.endsBin = draw === MARK_END;
        return true;
      }
      const position = words[at + BLOCK.position]!;
      const place = this.places.keyOf(this.places.blockAt(position));
      if (!this.hierarchicalDepth.drops(place, position, words[at + BLOCK.depths]!, cycle)) {
        return true;
      }
      if (words[at + BLOCK.masks]! >>> 16 !== 0) {
        throw new Error(`hierarchical depth: block ${this.block} is visible but dropped`);
      }
      this.blocksDropped++;
      this.block++;
      this.blocksLeft--;
    }
    return false;
  }

  private take(entry: i32, cycle: i32): void {
    const entries = this.records.entries;
    const at = entries.at(entry);
    const steps = entries.words[at + ENTRY.steps]!;
    this.block = entries.words[at + ENTRY.firstBlock]!;
    this.blocksLeft = entries.words[at + ENTRY.blockCount]!;
    // Blocks that are dropped save time, unless another level than the last one is the slowest.
    const isBoundByBlocks = steps <= this.blocksLeft;
    this.freeAt = isBoundByBlocks ? cycle + 1 : cycle + steps;
    this.emitAt = isBoundByBlocks ? cycle : this.freeAt - this.blocksLeft;
    this.entriesDone = entry + 1;
    this.isWalking = true;
  }
}

/**
 * Returns the number of cycles from a primitive's entry to its first block, beyond the steps that
 * the primitive takes.
 */
export function traversalLatency(spec: TimingSpec): i32 {
  return LEVEL_COUNT * spec.traversalLevelCycles;
}
