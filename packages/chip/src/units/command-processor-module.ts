/**
 * Command processor: reads and decodes the visibility stream, at most one visible primitive per
 * cycle. When the draw
 * changes, it loads the draw's state: it reads the display list and stores programs that are not in
 * memory yet. Where a query begins or ends, it writes a line with the snapshot of the counter. It
 * gives copies to the copy engine, and a run ends after its last copy.
 */

import type { ClientPort } from '../memory/client-port.ts';
import type { CopyEngineModule } from '../memory/copy-engine-module.ts';
import { divideUp, greater, lesser } from '../portable/integers.ts';
import type { f64, i32 } from '../portable/number-types.ts';
import { LINE_BYTES } from '../records/memory-line.ts';
import {
  BATCH_END,
  COMMAND,
  COPY,
  DRAW,
  DRAW_STATE,
  DRAW_WORDS,
  PRIMITIVE,
  PROGRAM,
  RUN_END,
  SNAPSHOT,
} from '../records/record-layout.ts';
import type { RunRecords } from '../records/run-records.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';
import type { ProgramBlocksInUse } from '../shading/program-blocks-in-use.ts';
import { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import type { RunControl } from '../sim/run-control.ts';
import { BUSY, NEVER, type Schedule, stalled, starved } from '../sim/schedule.ts';
import type { VisibilityPriority } from '../sim/visibility-priority.ts';
import type { BinList } from '../target/bin-list.ts';
import type { TargetPlaces } from '../target/target-places.ts';

const NO_DRAW = -1;

/** Module of the command processor, the source of the pipeline. */
export class CommandProcessorModule extends Module {
  /** Number of cycles in which the store of a program waited for its block. */
  programWaitCycles: i32 = 0;
  private readonly records: RunRecords;
  private readonly control: RunControl;
  private readonly output: Queue;
  private readonly drawStateCycles: i32;
  private readonly readAheadLines: i32;
  private readonly decoderIntervalCycles: i32;
  private next: i32 = 0;
  private busyUntil: i32 = 0;
  private readonly streamPort: ClientPort;
  private readonly listPort: ClientPort;
  private readonly programPort: ClientPort;
  private readonly copyEngine: CopyEngineModule;
  private readonly programBlocks: ProgramBlocksInUse;
  private readonly bins: BinList;
  private readonly priority: VisibilityPriority;
  /** Number of the bin that the module is at. */
  private bin: i32 = 0;
  /**
   * State being loaded: number of the draw's first word, lines of its display list read, lines of
   * its programs stored.
   */
  private draw: i32 = NO_DRAW;
  /** First word of the draw whose primitives are read, and batch of the last one; −1 for none. */
  private lastDraw: i32 = NO_DRAW;
  private lastBatch: i32 = -1;
  /** Cycle from which the store of a program waits for its block; −1 if it does not. */
  private awaitsBlockFrom: i32 = -1;
  private ticket: i32 = 0;
  private readLines: i32 = 0;
  private storedLines: i32 = 0;
  private stateLoadedAt: i32 = 0;
  /** Whether the module has begun with its bin. */
  private isOpen: boolean = false;
  /** Ticket of the stream's first line. */
  private firstTicket: i32 = 0;
  /** Number of stream lines in total, requested and consumed. */
  private streamLines: i32 = 0;
  private linesAsked: i32 = 0;
  private linesTaken: i32 = 0;
  private prefetchedAt: i32 = -1;
  private primitives: i32 = 0;
  /** Cycle from which the next entry of the stream is decoded. */
  private decodedAt: i32 = 0;
  private hasEnded: boolean = false;
  /** Number of primitive batches that ended. */
  private batches: i32 = 0;

  constructor(
    id: i32,
    name: string,
    schedule: Schedule,
    spec: TimingSpec,
    records: RunRecords,
    control: RunControl,
    output: Queue,
    streamPort: ClientPort,
    listPort: ClientPort,
    programPort: ClientPort,
    copyEngine: CopyEngineModule,
    programBlocks: ProgramBlocksInUse,
    bins: BinList,
    priority: VisibilityPriority,
  ) {
    super({ id, name, schedule, inputs: [], outputs: [output] });
    this.records = records;
    this.control = control;
    this.output = output;
    this.drawStateCycles = spec.drawStateCycles;
    this.readAheadLines = spec.streamReadAheadLines;
    this.decoderIntervalCycles = spec.streamDecoderIntervalCycles;
    this.streamPort = streamPort;
    this.listPort = listPort;
    this.programPort = programPort;
    this.copyEngine = copyEngine;
    this.programBlocks = programBlocks;
    this.bins = bins;
    this.priority = priority;
  }

  reset(): void {
    this.bin = 0;
    this.next = 0;
    this.busyUntil = 0;
    this.hasEnded = false;
    this.batches = 0;
    this.programWaitCycles = 0;
    this.draw = NO_DRAW;
    this.lastDraw = NO_DRAW;
    this.lastBatch = -1;
    this.awaitsBlockFrom = -1;
    this.programBlocks.reset();
    this.isOpen = false;
    this.firstTicket = 0;
    this.streamLines = 0;
    this.linesAsked = 0;
    this.linesTaken = 0;
    this.prefetchedAt = -1;
    this.primitives = 0;
    this.decodedAt = 0;
  }

  /** Places of the bin that the module is at. */
  private get places(): TargetPlaces {
    return this.bins.at(this.bin);
  }

  clock(cycle: i32): i32 {
    const begun = this.openBin(cycle);
    if (begun > cycle) return begun;
    if (this.isOpen) this.places.gate.advance(cycle);
    this.prefetch(cycle);
    const wake = this.read(cycle);
    return wake > cycle + 1 && this.canPrefetch(cycle) ? cycle + 1 : wake;
  }

  /**
   * Begins with the next bin if there is one. Returns the cycle from which the module can read it:
   * lines of the last stream that were read ahead and not needed must have arrived.
   */
  private openBin(cycle: i32): i32 {
    if (this.isOpen || this.bin === this.bins.count) return cycle;
    while (this.linesTaken < this.linesAsked) {
      const done = this.streamPort.doneCycle(this.firstTicket + this.linesTaken);
      if (done > cycle) {
        this.states[this.id] = starved(this.streamPort.waitOf(this.firstTicket + this.linesTaken));
        return done;
      }
      this.streamPort.close(this.firstTicket + this.linesTaken++);
    }
    this.isOpen = true;
    if (this.places.hasEarlyBin) this.priority.begin();
    this.firstTicket += this.linesAsked;
    this.linesAsked = 0;
    this.linesTaken = 0;
    this.primitives = 0;
    this.streamLines = divideUp(this.places.plan.streamBytes, LINE_BYTES);
    return cycle;
  }

  private read(cycle: i32): i32 {
    if (cycle < this.busyUntil) {
      this.states[this.id] = BUSY;
      return this.busyUntil;
    }
    if (this.draw !== NO_DRAW) return this.loadState(cycle);
    if (this.isOpen) {
      const passes = this.places.gate.passes(this.primitives, cycle);
      this.control.isGated = passes === NEVER;
      if (passes > cycle) {
        this.states[this.id] = starved(WAIT.visibility);
        return passes;
      }
    }
    const commands = this.records.commands;
    if (this.next === commands.end) {
      this.states[this.id] = starved(WAIT.bin);
      if (this.hasEnded || this.control.isResting) return NEVER;
      this.control.needsRecords = true;
      return cycle;
    }
    const at = commands.at(this.next);
    const words = commands.words;
    const kind = words[at + COMMAND.kind]!;
    if (kind === DRAW_STATE) {
      this.draw = words[at + COMMAND.draw]! * DRAW_WORDS;
      this.useBlocks();
      this.lastDraw = this.draw;
      this.lastBatch = -1;
      this.readLines = 0;
      this.storedLines = 0;
      this.ticket = this.listPort.open(cycle);
      this.stateLoadedAt = cycle + this.drawStateCycles;
      return this.loadState(cycle);
    }
    if (kind === SNAPSHOT) return this.writeSnapshot(words[at + COMMAND.snapshotLine]!, cycle);
    const awaitsCopy = kind === COPY || kind === RUN_END;
    const isCopying = awaitsCopy && this.copyEngine.isBusy(this.id);
    if (isCopying || !this.output.canPush()) {
      this.states[this.id] = stalled(isCopying ? WAIT.copies : WAIT.output);
      return NEVER;
    }
    if (kind === RUN_END) {
      const wake = this.copyEngine.unstoredUntil(cycle);
      if (wake > cycle) {
        this.states[this.id] = stalled(WAIT.copies);
        return wake;
      }
    }
    if (kind === COPY) {
      this.copyEngine.start(words, at, cycle);
      this.next++;
      this.states[this.id] = BUSY;
      return cycle + 1;
    }
    if (kind === PRIMITIVE) {
      const wake = this.awaitStream(cycle);
      if (wake > cycle) return wake;
      this.primitives++;
      this.decodedAt = cycle + this.decoderIntervalCycles;
      this.lastBatch = this.batches;
    }
    this.output.push(this.next, cycle, cycle + 1);
    this.next++;
    if (kind === BATCH_END) this.batches++;
    if (kind === RUN_END) this.endBin();
    this.states[this.id] = BUSY;
    return cycle + 1;
  }

  /** Posts the write of a snapshot. It does not wait for the fragments that it counts. */
  private writeSnapshot(line: i32, cycle: i32): i32 {
    if (!this.listPort.hasRoom(1, cycle)) {
      this.states[this.id] = stalled(WAIT.requests);
      return NEVER;
    }
    this.listPort.write(line, cycle);
    this.listPort.endBurst(cycle);
    this.next++;
    this.states[this.id] = BUSY;
    return cycle + 1;
  }

  /**
   * Reads the display list of the draw and stores its programs, as many lines per cycle as there is
   * room for.
   */
  private loadState(cycle: i32): i32 {
    const draws = this.records.drawWords;
    const listPort = this.listPort;
    const programPort = this.programPort;
    const draw = this.draw;
    const lines = draws[draw + DRAW.listLines]!;
    while (this.readLines < lines && listPort.hasRoom(1, cycle)) {
      listPort.read(this.ticket, draws[draw + DRAW.listLine]! + this.readLines++, cycle);
    }
    listPort.endBurst(cycle);
    if (!this.areBlocksFree(draw, cycle)) {
      this.states[this.id] = stalled(WAIT.programs);
      return NEVER;
    }
    const stored = this.linesToStore(draw + DRAW.vertexProgram);
    const all = stored + this.linesToStore(draw + DRAW.fragmentProgram);
    while (this.storedLines < all && programPort.hasRoom(1, cycle)) {
      const line = this.storedLines++;
      const first =
        line < stored
          ? draws[draw + DRAW.vertexProgram + PROGRAM.line]!
          : draws[draw + DRAW.fragmentProgram + PROGRAM.line]! - stored;
      programPort.write(first + line, cycle);
    }
    programPort.endBurst(cycle);
    this.states[this.id] = BUSY;
    if (this.readLines < lines || this.storedLines < all) return NEVER;
    const done = greater(listPort.doneCycle(this.ticket), this.stateLoadedAt);
    if (done > cycle) return done;
    listPort.close(this.ticket);
    this.draw = NO_DRAW;
    this.next++;
    return cycle + 1;
  }

  /** Records the last batch of the programs of the draw that ends. */
  private useBlocks(): void {
    if (this.lastBatch < 0) return;
    const draws = this.records.drawWords;
    const vertex = draws[this.lastDraw + DRAW.vertexProgram + PROGRAM.number]!;
    const fragment = draws[this.lastDraw + DRAW.fragmentProgram + PROGRAM.number]!;
    this.programBlocks.use(vertex, fragment, this.lastBatch);
  }

  /**
   * Returns whether the programs of a draw can be stored. If not, a batch that ends wakes the
   * module.
   */
  private areBlocksFree(draw: i32, cycle: i32): boolean {
    const draws = this.records.drawWords;
    const blocks = this.programBlocks;
    const vertex = draw + DRAW.vertexProgram;
    const fragment = draw + DRAW.fragmentProgram;
    const isVertexFree =
      this.linesToStore(vertex) === 0 || blocks.isVertexBlockFree(draws[vertex + PROGRAM.number]!);
    const isFragmentFree =
      this.linesToStore(fragment) === 0 ||
      blocks.isFragmentBlockFree(draws[fragment + PROGRAM.number]!);
    if (isVertexFree && isFragmentFree) {
      if (this.awaitsBlockFrom >= 0) this.programWaitCycles += cycle - this.awaitsBlockFrom;
      this.awaitsBlockFrom = -1;
      return true;
    }
    if (this.awaitsBlockFrom < 0) this.awaitsBlockFrom = cycle;
    blocks.await(this.id);
    return false;
  }

  private linesToStore(program: i32): i32 {
    const draws = this.records.drawWords;
    return draws[program + PROGRAM.isStored] === 1 ? draws[program + PROGRAM.lines]! : 0;
  }

  private endBin(): void {
    this.places.lastBatch = this.batches - 1;
    this.hasEnded = this.bins.isLast(this.bin);
    this.bin++;
    this.isOpen = false;
    this.streamLines = 0;
  }

  private canPrefetch(cycle: i32): boolean {
    return (
      this.linesAsked < this.arrivedLines() &&
      this.linesAsked - this.linesTaken < this.readAheadLines &&
      this.streamPort.hasRoom(1, cycle)
    );
  }

  /** Returns the number of lines of the stream that have arrived. */
  private arrivedLines(): i32 {
    if (this.streamLines === 0) return 0;
    const open = this.places.gate.open;
    const plan = this.places.plan;
    if (open >= plan.streamPrimitives) return this.streamLines;
    const bytes = Math.ceil(((plan.streamBytes as f64) * open) / plan.streamPrimitives);
    return Math.ceil(bytes / LINE_BYTES) as i32;
  }

  /** Reads the stream ahead, one line per cycle. */
  private prefetch(cycle: i32): void {
    if (cycle === this.prefetchedAt || !this.canPrefetch(cycle)) return;
    this.prefetchedAt = cycle;
    const streamLine = this.places.plan.streamLine;
    const ticket = this.streamPort.open(cycle);
    this.streamPort.read(ticket, streamLine + this.linesAsked++, cycle);
    this.streamPort.endBurst(cycle);
  }

  /**
   * Returns the cycle in which the next primitive's part of the stream is available and decoded.
   * Primitives share the stream evenly.
   */
  private awaitStream(cycle: i32): i32 {
    const streamBytes = this.places.plan.streamBytes;
    const streamPrimitives = this.places.plan.streamPrimitives;
    if (streamBytes === 0) return cycle;
    if (cycle < this.decodedAt) {
      this.states[this.id] = starved(WAIT.visibility);
      return this.decodedAt;
    }
    const bytes = Math.ceil(((streamBytes as f64) * (this.primitives + 1)) / streamPrimitives);
    const wanted = lesser(Math.ceil(bytes / LINE_BYTES) as i32, this.streamLines);
    while (this.linesTaken < wanted) {
      if (this.linesTaken === this.linesAsked) {
        this.states[this.id] = starved(WAIT.requests);
        return cycle + 1;
      }
      const done = this.streamPort.doneCycle(this.firstTicket + this.linesTaken);
      if (done > cycle) {
        this.states[this.id] = starved(this.streamPort.waitOf(this.firstTicket + this.linesTaken));
        return done;
      }
      this.streamPort.close(this.firstTicket + this.linesTaken++);
    }
    return cycle;
  }
}
