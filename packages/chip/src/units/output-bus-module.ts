/**
 * Output bus: sends the finished bin or the visibility stream off the chiplet and ends the run. If
 * a bin is rendered within the visibility phase, the stream leaves as soon as all primitives are
 * binned, and the bin follows. Segments of streamed visibility leave as they are encoded.
 *
 * Blocks of the bin leave for the display store behind the bus as soon as they are final: in the
 * last primitive batch fine bin by fine bin behind the output merger, otherwise when it has ended.
 * A block comes from the first-level cache that holds it, at the rate of the bus, or from memory.
 * Nothing reads it again, so neither cache writes it back. A stream is also written to memory. A
 * bin leaves when other memories have acknowledged all writes.
 *
 * The pixels of a bin may also stay in memory, in the order of its blocks. Then the module writes
 * a line per cycle to local memory, or to other memories through the remote port, and a header
 * leaves.
 */

import type { ClientPort } from '../memory/client-port.ts';
import type { L2CacheModule } from '../memory/l2-cache-module.ts';
import { divideUp, greater, lesser } from '../portable/integers.ts';
import type { f64, i32 } from '../portable/number-types.ts';
import { LINE_BYTES } from '../records/memory-line.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';
import { END_OF_WARPS } from '../shading/warp-packing-module.ts';
import { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import type { RunControl } from '../sim/run-control.ts';
import { BUSY, NEVER, type Schedule, stalled, starved } from '../sim/schedule.ts';
import type { BinList } from '../target/bin-list.ts';
import type { TargetCache } from '../target/target-cache.ts';
import { lineOf, type TargetPlaces } from '../target/target-places.ts';

/** Number of lines of the bin that are read under one ticket. */
export const CHUNK_LINES = 16;

/** Module of the output bus, the end of the pipeline. */
export class OutputBusModule extends Module {
  private readonly schedule: Schedule;
  private readonly control: RunControl;
  private readonly input: Queue;
  private readonly bytesPerCycle: i32;
  private readonly memory: L2CacheModule;
  private readonly port: ClientPort;
  private readonly bins: BinList;
  /** Number of the bin that the module is at. */
  private bin: i32 = 0;
  private readonly color: TargetCache;
  private readonly colorPort: ClientPort;
  private readonly depth: TargetCache;
  private readonly chunkBlocks: i32;
  private readonly tickets: Int32Array;
  private head: i32 = 0;
  private waitingCount: i32 = 0;
  private hasStarted: boolean = false;
  /** Number of lines that are final, and whether all of them are. */
  private finalBlocks: i32 = 0;
  private hasEnded: boolean = false;
  private busyUntil: i32 = 0;
  /**
   * Number of the bin's blocks in total, requested and sent, and the cycles that the bus took for
   * those sent.
   */
  private blocks: i32 = 0;
  private readUpTo: i32 = 0;
  private sentBlocks: i32 = 0;
  private sentCycles: i32 = 0;
  private streamLines: i32 = 0;
  private writtenLines: i32 = 0;
  /** Number of lines of the bin that were stored, and of those whose blocks were read. */
  private storedLines: i32 = 0;
  private readLines: i32 = 0;
  /** Whether memory had no room for the last request. */
  private isRefused: boolean = false;

  constructor(
    id: i32,
    name: string,
    schedule: Schedule,
    spec: TimingSpec,
    control: RunControl,
    input: Queue,
    memory: L2CacheModule,
    port: ClientPort,
    bins: BinList,
    colorCache: TargetCache,
    colorPort: ClientPort,
    depthCache: TargetCache,
  ) {
    super({ id, name, schedule, inputs: [input], outputs: [] });
    this.schedule = schedule;
    this.control = control;
    this.input = input;
    this.tickets = new Int32Array(divideUp(spec.outputReadAheadLines, CHUNK_LINES));
    this.bytesPerCycle = spec.outputBusBytesPerCycle;
    this.memory = memory;
    this.port = port;
    this.bins = bins;
    this.color = colorCache;
    this.colorPort = colorPort;
    this.depth = depthCache;
    this.chunkBlocks = lesser(port.capacity, CHUNK_LINES);
  }

  reset(): void {
    this.bin = 0;
    this.head = 0;
    this.waitingCount = 0;
    this.beginBin();
  }

  private beginBin(): void {
    this.hasStarted = false;
    this.finalBlocks = 0;
    this.hasEnded = false;
    this.busyUntil = 0;
    this.blocks = 0;
    this.readUpTo = 0;
    this.sentBlocks = 0;
    this.sentCycles = 0;
    this.streamLines = 0;
    this.writtenLines = 0;
    this.storedLines = 0;
    this.readLines = 0;
    this.isRefused = false;
  }

  /**
   * Returns the cycle in which the last byte of a bin's stream leaves; 0 if there is none, or if
   * not all primitives were binned. The bin before must have left.
   */
  streamEnd(bin: i32): i32 {
    const places = this.bins.at(bin);
    const bytes = places.streamBytes;
    if (bytes === 0 || places.binnedAt === 0) return 0;
    const start =
      bin === 0 ? places.binnedAt : greater(places.binnedAt, this.bins.at(bin - 1).leftAt);
    return start + this.cyclesFor(bytes);
  }

  /** Returns the number of segments of a bin's stream whose last byte leaves in a known cycle. */
  segmentsSent(bin: i32): i32 {
    const segments = this.bins.at(bin).segments;
    if (segments.totalBytes === 0 || this.bins.released < bin) return 0;
    return segments.send(bin === 0 ? 0 : this.bins.at(bin - 1).leftAt, this.bytesPerCycle);
  }

  /** Wakes the module because a segment was encoded. */
  noteSegment(cycle: i32): void {
    this.schedule.wake(this.id, cycle + 1);
  }

  private cyclesFor(bytes: f64): i32 {
    return greater(1, Math.ceil(bytes / this.bytesPerCycle) as i32);
  }

  /** Places of the bin that the module is at. */
  private get places(): TargetPlaces {
    return this.bins.at(this.bin);
  }

  clock(cycle: i32): i32 {
    // What follows the end of the bin is of the next one.
    if (!this.hasEnded && this.input.canPop(cycle)) this.takeFinal(this.input.pop(cycle));
    if (!this.hasStarted) {
      if (!this.canStart()) {
        this.states[this.id] = starved(WAIT.input);
        this.writeSegments(cycle);
        const waits = this.finalBlocks === 0 && this.writtenLines === this.streamLines;
        return waits ? this.input.nextReady() : cycle + 1;
      }
      this.start(cycle);
    }
    const wake = this.send(cycle);
    const next = this.hasEnded ? NEVER : this.input.nextReady();
    return next < wake ? greater(next, cycle + 1) : wake;
  }

  /** Takes the number of blocks that are final, or the end of the run. */
  private takeFinal(blocks: i32): void {
    if (blocks === END_OF_WARPS) this.hasEnded = true;
    else this.finalBlocks = blocks * this.places.plan.colorLines;
  }

  /** Returns whether the size of what leaves is known, and the stream is over if there is one. */
  private canStart(): boolean {
    if (this.hasEnded) return true;
    return this.finalBlocks > 0 && (this.places.streamBytes === 0 || this.places.binnedAt > 0);
  }

  private send(cycle: i32): i32 {
    this.writeStream(cycle);
    this.readBlocks(cycle);
    if (cycle < this.busyUntil) {
      this.states[this.id] = BUSY;
      const next = this.asksAgain() ? cycle + 1 : this.busyUntil;
      return next < this.busyUntil ? next : this.busyUntil;
    }
    if (this.storedLines < this.readLines) {
      const hasStored = this.storeLine(cycle);
      this.states[this.id] = hasStored ? BUSY : stalled(WAIT.requests);
      return cycle + 1;
    }
    // The bus is free: the next blocks leave if they have arrived.
    if (this.waitingCount > 0) {
      const ticket = this.tickets[this.head]!;
      if (!this.port.isDone(ticket, cycle)) {
        this.states[this.id] = starved(this.port.waitOf(ticket));
        const done = this.port.doneCycle(ticket);
        return this.asksAgain() ? cycle + 1 : done;
      }
      this.port.close(ticket);
      this.head = (this.head + 1) % this.tickets.length;
      this.waitingCount--;
      this.sentBlocks = lesser(this.sentBlocks + this.chunkBlocks, this.blocks);
      this.busyUntil = cycle + this.cyclesUpTo(this.sentBlocks) - this.sentCycles;
      this.sentCycles = this.cyclesUpTo(this.sentBlocks);
      this.readLines = this.linesUpTo(this.sentBlocks);
      this.states[this.id] = BUSY;
      return cycle + 1;
    }
    if (!this.hasEnded) {
      this.states[this.id] = starved(WAIT.input);
      return this.asksAgain() || this.writtenLines < this.streamLines ? cycle + 1 : NEVER;
    }
    this.states[this.id] = BUSY;
    const isOver = this.writtenLines === this.streamLines && this.readUpTo === this.blocks;
    if (!isOver) return cycle + 1;
    // A later pass may read from other memories what the bin has written there.
    if (this.memory.remote.writeCount > 0) return cycle + 1;
    if (!this.bins.isLast(this.bin)) return this.endBin(cycle);
    if (!this.memory.isQuiet) return cycle + 1;
    this.endBin(cycle);
    this.control.isFinished = true;
    return NEVER;
  }

  /** Frees the target of the bin, which has left, and begins with the next one. */
  private endBin(cycle: i32): i32 {
    const target = this.places.target;
    this.color.drop(target);
    this.depth.drop(target);
    this.bins.release(cycle);
    this.control.hasEvent = true;
    this.bin++;
    this.beginBin();
    return cycle + 1;
  }

  /** Determines what leaves at the end of the run. */
  private start(cycle: i32): void {
    this.hasStarted = true;
    const plan = this.places.plan;
    this.blocks = this.places.colorCount + (plan.isDepthStored ? this.places.blockCount : 0);
    const isStreamAlone = this.blocks === 0;
    const streamBytes = isStreamAlone ? this.places.outputBytes : this.places.streamBytes;
    this.streamLines = Math.ceil(streamBytes / LINE_BYTES) as i32;
    this.busyUntil = greater(cycle, this.streamEnd(this.bin));
    const segments = this.segmentsSent(this.bin);
    if (segments > 0) {
      const left = this.places.segments.leftAtOf(segments - 1);
      this.busyUntil = greater(this.busyUntil, left);
    } else if (isStreamAlone) this.busyUntil += this.cyclesFor(this.places.outputBytes);
  }

  /** Returns the cycles that the bus takes for the bin's first `blocks` blocks. */
  private cyclesUpTo(blocks: i32): i32 {
    return blocks === 0 ? 0 : this.cyclesFor((this.places.outputBytes * blocks) / this.blocks);
  }

  /** Returns the lines that store the bin's first `blocks` blocks. */
  private linesUpTo(blocks: i32): i32 {
    const lines: f64 = this.places.storedLines;
    return blocks === 0 ? 0 : (Math.ceil((lines * blocks) / this.blocks) as i32);
  }

  /** Stores the next line of the bin. Returns false if it must wait. */
  private storeLine(cycle: i32): boolean {
    const line = this.places.storedLine + this.storedLines;
    const homes = this.memory.remote.homes;
    const home = this.places.isInterleaved ? homes.turnOf(line) : homes.shared.chiplet;
    if (home !== homes.shared.chiplet) {
      if (!this.memory.remote.writeTo(line, home, cycle)) return false;
    } else {
      if (!this.port.hasRoom(1, cycle)) return false;
      this.port.write(line, cycle);
    }
    this.storedLines++;
    if (this.storedLines === this.readLines) this.port.endBurst(cycle);
    return true;
  }

  /**
   * Whether the module must be clocked in the next cycle to read or write. If the port had no room,
   * it wakes the module.
   */
  private asksAgain(): boolean {
    return this.canReadMore() && (!this.isRefused || this.writtenLines < this.streamLines);
  }

  private canReadMore(): boolean {
    const end = this.hasEnded ? this.blocks : this.finalBlocks;
    const isReady = this.hasEnded ? this.readUpTo < end : this.readUpTo + this.chunkBlocks <= end;
    return isReady && this.waitingCount < this.tickets.length;
  }

  /** Writes segments to memory whose run has not ended. */
  private writeSegments(cycle: i32): void {
    if (this.bin === this.bins.count) return;
    this.streamLines = Math.ceil(this.places.segments.totalBytes / LINE_BYTES) as i32;
    this.writeStream(cycle);
  }

  /** Writes the stream to memory, one line per cycle. */
  private writeStream(cycle: i32): void {
    if (this.writtenLines === this.streamLines || !this.port.hasRoom(1, cycle)) return;
    this.port.write(this.places.plan.streamLine + this.writtenLines++, cycle);
    if (this.writtenLines === this.streamLines) this.port.endBurst(cycle);
  }

  /** Requests the next blocks of the bin. Blocks that were only cleared are in no cache. */
  private readBlocks(cycle: i32): void {
    if (!this.canReadMore()) return;
    const end = lesser(this.readUpTo + this.chunkBlocks, this.blocks);
    this.isRefused = false;
    if (this.isWriting(end)) return;
    this.isRefused = !this.port.hasRoom(this.chunkBlocks, cycle);
    if (this.isRefused) return;
    const ticket = this.port.open(cycle);
    const colorCount = this.places.colorCount;
    let packedLine = -1;
    for (; this.readUpTo < end; this.readUpTo++) {
      const isColor = this.readUpTo < colorCount;
      const block = isColor ? this.readUpTo : this.readUpTo - colorCount;
      const cache = isColor ? this.color : this.depth;
      const key = this.places.keyOf(block);
      if (cache.holds(key)) cache.release(key);
      else if (cache.isStored(key)) {
        const place = cache.placeOf(key);
        // Blocks that share a line leave with the first of them.
        if (cache.isPacked(key)) {
          if (place === packedLine) continue;
          packedLine = place;
        }
        const line = lineOf(place);
        const address = isColor ? this.places.colorLine(line) : this.places.depthLine(line);
        this.port.read(ticket, address, cycle);
      }
    }
    this.port.endBurst(cycle);
    this.tickets[(this.head + this.waitingCount++) % this.tickets.length] = ticket;
  }

  /** Returns whether one of the blocks up to `end` is on its way from the color cache to memory. */
  private isWriting(end: i32): boolean {
    if (this.colorPort.isEmpty) return false;
    for (let block = this.readUpTo; block < lesser(end, this.places.colorCount); block++) {
      const key = this.places.keyOf(block);
      if (!this.color.isStored(key)) continue;
      const line = lineOf(this.color.placeOf(key));
      if (this.colorPort.isWriting(this.places.colorLine(line))) return true;
    }
    return false;
  }
}
