/**
 * Early depth: takes one block per cycle, which is tested quad by quad against depth in the depth
 * cache, and tells hierarchical depth what it leaves. While blocks wait for depth from memory,
 * later blocks are already looked up. Blocks leave in order. With several samples per pixel, a quad
 * is tested once per sample, and its block has as many lines.
 */

import type { ClientPort } from '../memory/client-port.ts';
import { divideUp, greater } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { countQuads } from '../records/block-masks.ts';
import { BLOCK, COMPACT_SHIFT, DRAW, DRAW_WORDS, MARK_END } from '../records/record-layout.ts';
import type { RunRecords } from '../records/run-records.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';
import { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, stalled, starved } from '../sim/schedule.ts';
import type { BinList } from '../target/bin-list.ts';
import type { HierarchicalDepth } from '../target/hierarchical-depth.ts';
import { FETCH, type TargetCache, WRITE_BACK } from '../target/target-cache.ts';
import type { TargetPlaces } from '../target/target-places.ts';

const NO_TICKET = -1;

/** Module of the early depth test. */
export class EarlyDepthModule extends Module {
  private readonly records: RunRecords;
  private readonly input: Queue;
  private readonly output: Queue;
  private readonly quadsPerCycle: i32;
  private readonly port: ClientPort;
  private readonly cache: TargetCache;
  private readonly bins: BinList;
  /** Number of the bin that the module is at. */
  private bin: i32 = 0;
  private readonly hierarchicalDepth: HierarchicalDepth;
  /**
   * Ring of waiting blocks: the block (−1 if it ends here), the cycle in which its test ends, and
   * the ticket of its depth.
   */
  private readonly blocks: Int32Array;
  private readonly ready: Int32Array;
  private readonly tickets: Int32Array;
  private head: i32 = 0;
  private waitingCount: i32 = 0;
  private lastSent: i32 = -1;
  private busyUntil: i32 = 0;

  constructor(
    id: i32,
    name: string,
    schedule: Schedule,
    spec: TimingSpec,
    records: RunRecords,
    input: Queue,
    output: Queue,
    port: ClientPort,
    depthCache: TargetCache,
    bins: BinList,
    hierarchicalDepth: HierarchicalDepth,
  ) {
    super({ id, name, schedule, inputs: [input], outputs: [output] });
    this.records = records;
    this.input = input;
    this.output = output;
    this.quadsPerCycle = spec.depthQuadsPerCycle;
    this.port = port;
    this.cache = depthCache;
    this.bins = bins;
    this.hierarchicalDepth = hierarchicalDepth;
    this.blocks = new Int32Array(spec.queueEntries);
    this.ready = new Int32Array(spec.queueEntries);
    this.tickets = new Int32Array(spec.queueEntries);
  }

  reset(): void {
    this.bin = 0;
    this.busyUntil = 0;
    this.head = 0;
    this.waitingCount = 0;
    this.lastSent = -1;
  }

  /** Places of the bin that the module is at. */
  private get places(): TargetPlaces {
    return this.bins.at(this.bin);
  }

  clock(cycle: i32): i32 {
    this.sendBlock(cycle);
    const wake = this.takeBlock(cycle);
    if (this.waitingCount === 0 || !this.output.canPush()) return wake;
    const next = greater(this.port.doneCycle(this.tickets[this.head]!), this.ready[this.head]!);
    if (next <= cycle) return cycle + 1;
    return next < wake ? next : wake;
  }

  /** Passes on the oldest block whose depth has arrived. */
  private sendBlock(cycle: i32): void {
    if (this.waitingCount === 0 || this.ready[this.head]! > cycle) return;
    const ticket = this.tickets[this.head]!;
    if (!this.port.isDone(ticket, cycle) || !this.output.canPush()) return;
    const block = this.blocks[this.head]!;
    this.port.close(ticket);
    this.head = this.head + 1 === this.blocks.length ? 0 : this.head + 1;
    this.waitingCount--;
    if (block < 0) return;
    this.output.push(block, cycle, cycle + 1);
    this.lastSent = cycle;
  }

  private takeBlock(cycle: i32): i32 {
    if (cycle < this.busyUntil) {
      this.states[this.id] = BUSY;
      return this.busyUntil;
    }
    if (!this.input.canPop(cycle)) {
      this.port.endBurst(cycle);
      this.states[this.id] = starved(WAIT.input);
      return this.input.nextReady();
    }
    if (!this.places.isCleared) {
      this.states[this.id] = stalled(WAIT.target);
      return cycle + 1;
    }
    // Blocks keep their order: behind a block that waits for its depth, all others wait.
    const sampleCount = this.places.plan.sampleCount;
    const isFull = this.waitingCount === this.blocks.length;
    if (isFull || !this.port.hasRoom(2 * sampleCount, cycle)) {
      this.port.endBurst(cycle);
      this.states[this.id] = stalled(
        isFull ? this.port.waitToPassOn(this.tickets[this.head]!, cycle) : WAIT.requests,
      );
      return NEVER;
    }
    const words = this.records.blocks.words;
    const at = this.records.blocks.at(this.input.front());
    const draw = words[at + BLOCK.draw]!;
    const masks = words[at + BLOCK.masks]!;
    const isMark = draw < 0;
    const passesOn = isMark || masks >>> 16 !== 0;
    if (passesOn && this.waitingCount === 0 && !this.output.canPush()) {
      this.states[this.id] = stalled(WAIT.output);
      return NEVER;
    }
    const position = words[at + BLOCK.position]!;
    let cycles = 1;
    let ticket = NO_TICKET;
    if (!isMark) {
      const place = this.places.keyOf(this.places.blockAt(position));
      if (this.records.drawWords[draw * DRAW_WORDS + DRAW.isEarlyDepth] === 1) {
        cycles = divideUp(countQuads(masks) * sampleCount, this.quadsPerCycle);
        const writes = masks >>> 16 !== 0 && this.writesDepth(draw);
        ticket = this.readDepth(place, position >>> COMPACT_SHIFT, writes, cycle);
      }
      const depths = words[at + BLOCK.depths]!;
      this.hierarchicalDepth.noteTest(place, position, depths, cycle, cycle + cycles);
    }
    const block = this.input.pop(cycle);
    if (draw === MARK_END) this.bin++;
    this.busyUntil = cycle + cycles;
    this.states[this.id] = BUSY;
    const waits = this.waitingCount > 0 || ticket !== NO_TICKET;
    if (waits || (passesOn && this.lastSent === cycle)) {
      if (ticket !== NO_TICKET || passesOn) {
        const tail = (this.head + this.waitingCount++) % this.blocks.length;
        this.blocks[tail] = passesOn ? block : -1;
        this.ready[tail] = this.busyUntil;
        this.tickets[tail] = ticket === NO_TICKET ? this.port.open(cycle) : ticket;
      }
    } else if (passesOn) this.output.push(block, cycle, this.busyUntil);
    return this.busyUntil;
  }

  private writesDepth(draw: i32): boolean {
    return this.records.drawWords[draw * DRAW_WORDS + DRAW.writesDepth] === 1;
  }

  /**
   * Looks up a block in the depth cache. Returns the ticket of its read, or NO_TICKET if memory is
   * not read.
   *
   * @param compact Bit for each line that compresses after the draw, from bit 0 on.
   */
  private readDepth(block: i32, compact: i32, writes: boolean, cycle: i32): i32 {
    let ticket = NO_TICKET;
    for (let i = 0; i < this.places.plan.sampleCount; i++) {
      const line = block + i;
      const asks = this.cache.access(line, writes, ((compact >>> i) & 1) === 1);
      if (asks === 0) continue;
      if ((asks & WRITE_BACK) !== 0) {
        this.port.write(this.bins.depthLineOf(this.cache.evicted), cycle);
      }
      if ((asks & FETCH) === 0) continue;
      if (ticket === NO_TICKET) ticket = this.port.open(cycle);
      this.port.read(ticket, this.bins.depthLineOf(this.cache.placeOf(line)), cycle);
    }
    if (ticket !== NO_TICKET) this.port.endBurst(cycle);
    return ticket;
  }
}
