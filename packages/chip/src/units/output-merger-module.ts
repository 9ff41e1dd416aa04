/**
 * Output merger: takes fragment warps in the order in which they were packed, so that fragments
 * reach a pixel in submission order. It writes a number of quads per cycle. It takes longer if it
 * also reads the target.
 *
 * Color is in the color cache, and depth and stencil of late tests are in the depth cache, both in
 * blocks of 4×4 pixels. A warp's blocks are looked up when its turn comes. Warps wait in order for
 * blocks from memory. The bus takes final blocks from the caches, or from memory if they were
 * evicted. With several samples per pixel, a quad is written once per sample, and its block has as
 * many lines. A quad of color is written once for every 32 bits of a pixel. Without fast clear, the
 * target is written to memory first.
 */

import type { ClientPort } from '../memory/client-port.ts';
import { divideUp, greater, lesser } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { DRAW, DRAW_WORDS } from '../records/record-layout.ts';
import type { RunRecords } from '../records/run-records.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';
import type { ProgramBlocksInUse } from '../shading/program-blocks-in-use.ts';
import { END_OF_WARPS } from '../shading/warp-packing-module.ts';
import { QUAD_COMPACT_SHIFT, WARP, type WarpTable } from '../shading/warp-table.ts';
import { Module } from '../sim/module.ts';
import { joinQueues, type Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, STALLED, stalled, starved, stateOf } from '../sim/schedule.ts';
import type { BinList } from '../target/bin-list.ts';
import { FETCH, type TargetCache, WRITE_BACK } from '../target/target-cache.ts';
import type { TargetPlaces } from '../target/target-places.ts';

/** Upper bound on the warps that finish out of order, larger than the largest window. */
const DONE_SLOTS = 8192;
/** Upper bound on the requests of an access: a read and a write. */
const REQUESTS_PER_LINE = 2;
const NO_QUAD = -1;

/** Options of a target: its cache, the port of the cache and the bins, which place lines. */
interface MergerTargetOptions {
  readonly cache: TargetCache;
  readonly port: ClientPort;
  readonly bins: BinList;
  readonly isDepth: boolean;
}

/** Cache of a target with the port for its misses. */
class MergerTarget {
  readonly cache: TargetCache;
  readonly port: ClientPort;
  private readonly bins: BinList;
  private readonly isDepth: boolean;

  constructor(options: MergerTargetOptions) {
    this.cache = options.cache;
    this.port = options.port;
    this.bins = options.bins;
    this.isDepth = options.isDepth;
  }

  /** Returns whether the port has room for the requests of a line. */
  hasRoom(cycle: i32): boolean {
    return this.port.hasRoom(REQUESTS_PER_LINE, cycle);
  }

  /** Looks up a line by its key and sends the requests that it needs. */
  access(block: i32, isWrite: boolean, isCompact: boolean, ticket: i32, cycle: i32): void {
    const asks = this.cache.access(block, isWrite, isCompact);
    if ((asks & WRITE_BACK) !== 0) this.port.write(this.lineOf(this.cache.evicted), cycle);
    if ((asks & FETCH) !== 0) {
      this.port.read(ticket, this.lineOf(this.cache.placeOf(block)), cycle);
    }
  }

  private lineOf(block: i32): i32 {
    return this.isDepth ? this.bins.depthLineOf(block) : this.bins.colorLineOf(block);
  }
}

/** Module of the output merger. */
export class OutputMergerModule extends Module {
  private readonly records: RunRecords;
  private readonly warps: WarpTable;
  private readonly order: Queue;
  private readonly doneWarps: readonly Queue[];
  private readonly output: Queue;
  private readonly programBlocks: ProgramBlocksInUse;
  private readonly bins: BinList;
  /** Number of the bin that the module is at. */
  private bin: i32 = 0;
  private readonly color: MergerTarget;
  private readonly depth: MergerTarget;
  private readonly quadsPerCycle: i32;
  private readonly readCycles: i32;
  private readonly isDone: Uint8Array = new Uint8Array(DONE_SLOTS);
  /**
   * Ring of the warps that were looked up: their cycles, batches, first blocks and the tickets of
   * their blocks.
   */
  private readonly cycles: Int32Array;
  private readonly batches: Int32Array;
  private readonly firstBlocks: Int32Array;
  private readonly colorTickets: Int32Array;
  private readonly depthTickets: Int32Array;
  private head: i32 = 0;
  private waitingCount: i32 = 0;
  /** Next quad of the warp that is being looked up; NO_QUAD if there is none. */
  private nextQuad: i32 = NO_QUAD;
  private lastBlock: i32 = -1;
  /** Next line of the block that is being looked up. */
  private nextLine: i32 = 0;
  private busyUntil: i32 = 0;
  /** Number of blocks that the bus knows to be final. */
  private announced: i32 = 0;

  constructor(
    id: i32,
    name: string,
    schedule: Schedule,
    spec: TimingSpec,
    records: RunRecords,
    warps: WarpTable,
    order: Queue,
    doneWarps: readonly Queue[],
    output: Queue,
    programBlocks: ProgramBlocksInUse,
    bins: BinList,
    colorCache: TargetCache,
    colorPort: ClientPort,
    depthCache: TargetCache,
    depthPort: ClientPort,
  ) {
    super({ id, name, schedule, inputs: joinQueues(order, doneWarps), outputs: [output] });
    this.records = records;
    this.warps = warps;
    this.order = order;
    this.doneWarps = doneWarps;
    this.output = output;
    this.programBlocks = programBlocks;
    this.bins = bins;
    this.color = new MergerTarget({ cache: colorCache, port: colorPort, bins, isDepth: false });
    this.depth = new MergerTarget({ cache: depthCache, port: depthPort, bins, isDepth: true });
    this.cycles = new Int32Array(spec.outputMergerWarps);
    this.batches = new Int32Array(spec.outputMergerWarps);
    this.firstBlocks = new Int32Array(spec.outputMergerWarps);
    this.colorTickets = new Int32Array(spec.outputMergerWarps);
    this.depthTickets = new Int32Array(spec.outputMergerWarps);
    this.quadsPerCycle = spec.outputQuadsPerCycle;
    this.readCycles = spec.outputReadCycles;
  }

  reset(): void {
    this.bin = 0;
    this.isDone.fill(0);
    this.head = 0;
    this.waitingCount = 0;
    this.nextQuad = NO_QUAD;
    this.lastBlock = -1;
    this.nextLine = 0;
    this.busyUntil = 0;
    this.announced = 0;
  }

  /** Places of the bin that the module is at. */
  private get places(): TargetPlaces {
    return this.bins.at(this.bin);
  }

  clock(cycle: i32): i32 {
    if (this.mustClear()) return this.clear(cycle);
    // 1. Warps that have been shaded.
    let wake = NEVER;
    for (let core = 0; core < this.doneWarps.length; core++) {
      const done = this.doneWarps[core]!;
      if (done.canPop(cycle)) this.isDone[done.pop(cycle) & (DONE_SLOTS - 1)] = 1;
      const ready = done.nextReady();
      if (ready < wake) wake = ready <= cycle ? cycle + 1 : ready;
    }

    // 2. The next warp's blocks are looked up, one warp per cycle.
    let state = starved(WAIT.input);
    if (this.order.canPop(cycle) && this.order.front() !== END_OF_WARPS) {
      if (this.waitingCount === this.cycles.length) state = stalled(WAIT.l2);
      else if (this.isDone[this.order.front() & (DONE_SLOTS - 1)] === 1) {
        if (!this.lookUpWarp(this.order.front(), cycle)) state = stalled(WAIT.requests);
        else if (this.color.port.hasOpenBurst || this.depth.port.hasOpenBurst) wake = cycle + 1;
        else if (this.order.nextReady() < NEVER) {
          wake = lesser(wake, greater(cycle + 1, this.order.nextReady()));
        }
      } else state = starved(WAIT.shading);
    } else {
      this.color.port.endBurst(cycle);
      this.depth.port.endBurst(cycle);
      const ready = this.order.nextReady();
      if (ready > cycle && ready < wake) wake = ready;
    }

    // 3. The oldest warp is written when its blocks have arrived.
    if (cycle >= this.busyUntil && this.waitingCount > 0) {
      const colorTicket = this.colorTickets[this.head]!;
      const depthTicket = this.depthTickets[this.head]!;
      const isThere =
        this.color.port.isDone(colorTicket, cycle) && this.depth.port.isDone(depthTicket, cycle);
      if (isThere) {
        this.color.port.close(colorTicket);
        this.depth.port.close(depthTicket);
        this.busyUntil = cycle + this.cycles[this.head]!;
        this.announceFinal(cycle);
        this.programBlocks.noteWritten(cycle);
        this.head = (this.head + 1) % this.cycles.length;
        if (this.waitingCount-- === this.cycles.length) wake = lesser(wake, cycle + 1);
      }
    }
    if (cycle < this.busyUntil) {
      this.states[this.id] = BUSY;
      return this.busyUntil < wake ? this.busyUntil : wake;
    }
    if (this.waitingCount > 0) {
      // The oldest warp waits for memory, whatever the next one waits for.
      const wait = this.headWait();
      this.states[this.id] = stateOf(state) === STALLED ? stalled(wait) : starved(wait);
      return lesser(wake, this.headDone(cycle));
    }
    if (this.order.canPop(cycle) && this.order.front() === END_OF_WARPS) return this.end(cycle);
    this.states[this.id] = state;
    return wake;
  }

  /** Whether lines of the bin's target remain to be cleared. */
  private mustClear(): boolean {
    if (this.bin === this.bins.count) return false;
    return this.bins.hasTarget(this.bin, this.id) && !this.places.isCleared;
  }

  /** Returns which memory the blocks of the oldest warp come from that arrive last. */
  private headWait(): i32 {
    const color = this.color.port.doneCycle(this.colorTickets[this.head]!);
    const depth = this.depth.port.doneCycle(this.depthTickets[this.head]!);
    return color >= depth
      ? this.color.port.waitOf(this.colorTickets[this.head]!)
      : this.depth.port.waitOf(this.depthTickets[this.head]!);
  }

  private headDone(cycle: i32): i32 {
    const color = this.color.port.doneCycle(this.colorTickets[this.head]!);
    const depth = this.depth.port.doneCycle(this.depthTickets[this.head]!);
    const done = color > depth ? color : depth;
    return done > cycle ? done : cycle + 1;
  }

  /**
   * Looks up the blocks of a warp. Returns false if memory takes no more requests in this cycle.
   */
  private lookUpWarp(warp: i32, cycle: i32): boolean {
    const words = this.warps.words;
    const at = this.warps.at(warp);
    const size = words[at + WARP.size]!;
    const sampleCount = this.places.plan.sampleCount;
    const colorLines = this.places.plan.colorLines;
    const draws = this.records.drawWords;
    const draw = words[at + WARP.draw]! * DRAW_WORDS;
    const writesColor = draws[draw + DRAW.writesColor] === 1;
    const isLate = draws[draw + DRAW.isLateDepth] === 1;
    const writesDepth = draws[draw + DRAW.writesDepth] === 1;
    const tail = (this.head + this.waitingCount) % this.cycles.length;
    if (this.nextQuad === NO_QUAD) {
      this.nextQuad = 0;
      this.lastBlock = -1;
      this.colorTickets[tail] = this.color.port.open(cycle);
      this.depthTickets[tail] = this.depth.port.open(cycle);
      this.batches[tail] = words[at + WARP.batch]!;
    }
    for (; this.nextQuad < size; this.nextQuad++) {
      const position = words[at + WARP.quads + this.nextQuad]!;
      const block = this.places.blockOf(position >>> 1, position >>> 13);
      const compact = position >>> QUAD_COMPACT_SHIFT;
      if (this.nextQuad === 0) this.firstBlocks[tail] = block;
      if (block === this.lastBlock) continue;
      for (; this.nextLine < colorLines * sampleCount; this.nextLine++) {
        const usesDepth = isLate && this.nextLine < sampleCount;
        if (writesColor && !this.color.hasRoom(cycle)) return false;
        if (usesDepth && !this.depth.hasRoom(cycle)) return false;
        if (writesColor) {
          const line = this.places.keyOf(block * colorLines + this.nextLine);
          const isCompact = ((compact >>> this.nextLine) & 1) === 1;
          this.color.access(line, true, isCompact, this.colorTickets[tail]!, cycle);
        }
        if (usesDepth) {
          const line = this.places.keyOf(block + this.nextLine);
          // Late tests leave blocks that are not compressed.
          this.depth.access(line, writesDepth, false, this.depthTickets[tail]!, cycle);
        }
      }
      this.nextLine = 0;
      this.lastBlock = block;
    }
    this.nextQuad = NO_QUAD;
    if (!this.color.port.isDone(this.colorTickets[tail]!, cycle)) this.color.port.endBurst(cycle);
    if (!this.depth.port.isDone(this.depthTickets[tail]!, cycle)) this.depth.port.endBurst(cycle);
    const writes = divideUp(size * sampleCount * colorLines, this.quadsPerCycle);
    const readsTarget = draws[draw + DRAW.readsTarget] === 1;
    this.cycles[tail] = readsTarget ? writes * (1 + this.readCycles) : writes;
    this.waitingCount++;
    this.isDone[warp & (DONE_SLOTS - 1)] = 0;
    this.order.pop(cycle);
    return true;
  }

  /** Writes the next line of a target that is cleared in memory. */
  private clear(cycle: i32): i32 {
    const line = this.places.clearedLines;
    const isColor = line < this.places.clearColorLines;
    const target = isColor ? this.color : this.depth;
    if (target.port.hasRoom(1, cycle)) {
      const place = isColor
        ? this.places.colorLine(line)
        : this.places.depthLine(line - this.places.clearColorLines);
      target.port.write(place, cycle);
      this.places.clearedLines++;
      if (this.places.isCleared) target.port.endBurst(cycle);
    }
    return this.continueAfter(cycle);
  }

  /** Passes the end of the run to the bus when memory has taken all lines. */
  private end(cycle: i32): i32 {
    const color = this.color;
    const depth = this.depth;
    if (!color.port.hasRoom(color.port.capacity, cycle)) return this.stall(WAIT.requests);
    if (!depth.port.hasRoom(depth.port.capacity, cycle)) return this.stall(WAIT.requests);
    if (!this.output.canPush()) return this.stall(WAIT.output);
    this.output.push(this.order.pop(cycle), cycle, cycle + 1);
    this.bin++;
    this.announced = 0;
    return this.continueAfter(cycle);
  }

  /**
   * Tells the bus which blocks are final: in the last batch those of all fine bins before that of
   * the warp that is written, because a batch is drawn fine bin by fine bin.
   */
  private announceFinal(cycle: i32): void {
    if (this.batches[this.head] !== this.places.lastBatch) return;
    const first = this.places.firstOfBin(this.firstBlocks[this.head]!);
    if (first <= this.announced || !this.output.canPush()) return;
    this.announced = first;
    this.output.push(first, cycle, cycle + 1);
  }

  private stall(wait: i32): i32 {
    this.states[this.id] = stalled(wait);
    return NEVER;
  }

  private continueAfter(cycle: i32): i32 {
    this.states[this.id] = BUSY;
    return cycle + 1;
  }
}
