/**
 * Fine binner: adds a primitive to one list per cycle and writes its record and the lists to
 * memory. A batch that closes goes to the fine-bin reader when memory has taken its last line.
 * While the reader occupies all other batch buffers, the binner stalls. In visibility mode the
 * lists are those of coarse bins, records are not kept, and a coder makes streams of the lists.
 *
 * If a bin is rendered within the visibility phase, the records of its primitives go to memory of
 * their own, which has room for all that the phase gives it. Fine binning follows coarse binning at
 * its own pace, also a list per cycle. Closed batches wait for the reader, and the phase continues.
 * Its streams may leave when its last primitive is in coarse bins. What follows in the run is the
 * rest of the bin, in usual batches.
 */

import type { ClientPort } from '../memory/client-port.ts';
import { divide, greater, lesser } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import {
  BATCH_END,
  COMMAND,
  DRAW,
  DRAW_WORDS,
  LIST_LINE_ENTRIES,
  PRIMITIVE,
  RUN_END,
  STREAM_END,
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
import type { OutputBusModule } from './output-bus-module.ts';
import { StreamCoder } from './stream-coder.ts';

/**
 * Value for the reader in place of BATCH_END: a batch that was binned within a visibility phase.
 */
export const EARLY_BATCH = -1;

/** Module of the fine binner. */
export class FineBinnerModule extends Module {
  /** Number of the first command that the module still needs. */
  commandsDone: i32 = 0;
  private readonly records: RunRecords;
  private readonly input: Queue;
  private readonly programBlocks: ProgramBlocksInUse;
  private readonly output: Queue;
  private readonly port: ClientPort;
  private readonly bins: BinList;
  private readonly control: RunControl;
  private readonly coder: StreamCoder;
  private readonly outputBus: OutputBusModule;
  /** Number of the bin that the module is at. */
  private bin: i32 = 0;
  private busyUntil: i32 = 0;
  /** Number of the current batch. */
  private batch: i32 = 0;
  /** Numbers of lines of the batch's records and lists that were written or wait to be. */
  private recordLines: i32 = 0;
  private listLines: i32 = 0;
  /** Number of entries of the batch's lists. */
  private entryCount: i32 = 0;
  /** Numbers of lines that wait for room in the port: the last ones of both kinds. */
  private recordLinesLeft: i32 = 0;
  private listLinesLeft: i32 = 0;
  private isClosing: boolean = false;
  private readonly priority: VisibilityPriority;
  /** Cycle up to which the early bin's primitives are added to its fine-bin lists. */
  private listedUntil: i32 = 0;
  /** Number of the early bin's closed batches that the reader has not got. */
  private closedBatches: i32 = 0;
  /**
   * The first of them: those whose records are written and listed, and those that will be when
   * memory has taken a number of lines, from a cycle on.
   */
  private readyBatches: i32 = 0;
  private awaitedBatches: i32 = 0;
  private awaitedLines: i32 = 0;
  private awaitedCycle: i32 = 0;
  /** Cycle in which the reader got the last batch. */
  private handedAt: i32 = -1;

  constructor(
    id: i32,
    name: string,
    schedule: Schedule,
    spec: TimingSpec,
    records: RunRecords,
    input: Queue,
    programBlocks: ProgramBlocksInUse,
    output: Queue,
    port: ClientPort,
    bins: BinList,
    control: RunControl,
    outputBus: OutputBusModule,
    priority: VisibilityPriority,
  ) {
    super({ id, name, schedule, inputs: [input], outputs: [output] });
    this.records = records;
    this.input = input;
    this.programBlocks = programBlocks;
    this.output = output;
    this.port = port;
    this.bins = bins;
    this.control = control;
    this.outputBus = outputBus;
    this.coder = new StreamCoder(spec.streamCoderIntervalCycles);
    this.priority = priority;
  }

  reset(): void {
    this.bin = 0;
    this.commandsDone = 0;
    this.busyUntil = 0;
    this.batch = 0;
    this.recordLinesLeft = 0;
    this.listLinesLeft = 0;
    this.coder.reset();
    this.listedUntil = 0;
    this.closedBatches = 0;
    this.readyBatches = 0;
    this.awaitedBatches = 0;
    this.handedAt = -1;
    this.beginBatch();
  }

  /** Places of the bin that the module is at. */
  private get places(): TargetPlaces {
    return this.bins.at(this.bin);
  }

  clock(cycle: i32): i32 {
    const handed = this.handBatch(cycle);
    return lesser(this.takeCommand(cycle), handed);
  }

  private takeCommand(cycle: i32): i32 {
    const isWritten = this.writeLines(cycle);
    if (cycle < this.busyUntil) {
      this.states[this.id] = BUSY;
      return this.busyUntil;
    }
    if (!isWritten) {
      this.states[this.id] = stalled(WAIT.requests);
      return NEVER;
    }
    if (!this.input.canPop(cycle)) {
      this.port.endBurst(cycle);
      this.states[this.id] = starved(WAIT.input);
      return this.input.nextReady();
    }
    const words = this.records.commands.words;
    const at = this.records.commands.at(this.input.front());
    const kind = words[at + COMMAND.kind]!;
    if (kind === PRIMITIVE) {
      this.coder.list(cycle);
      this.addPrimitive(words, at, cycle);
    } else if (kind !== RUN_END && this.places.isInPhase) {
      if (kind === STREAM_END && this.coder.codedAt > cycle) {
        this.states[this.id] = BUSY;
        return this.coder.codedAt;
      }
      this.busyUntil = cycle + 1;
      if (kind === BATCH_END) {
        this.coder.endBatch(words[at + COMMAND.streamEntries]!);
        this.closeEarlyBatch(cycle);
      } else if (kind === STREAM_END) this.endPhase(cycle);
    } else {
      if (kind === RUN_END && this.coder.codedAt > cycle) {
        this.states[this.id] = BUSY;
        return this.coder.codedAt;
      }
      // Batches of the phase go first.
      if (this.closedBatches > 0) {
        this.states[this.id] = stalled(WAIT.batches);
        return NEVER;
      }
      if (this.handedAt === cycle) {
        this.states[this.id] = BUSY;
        return cycle + 1;
      }
      if (kind === BATCH_END && !this.closeBatch(words[at + COMMAND.entries]!, cycle)) {
        this.states[this.id] = stalled(WAIT.batches);
        return NEVER;
      }
      if (!this.output.canPush()) {
        this.states[this.id] = stalled(WAIT.output);
        return NEVER;
      }
      this.output.push(kind, cycle, cycle + 1);
      this.busyUntil = cycle + 1;
      if (kind === BATCH_END) {
        this.coder.endBatch(words[at + COMMAND.streamEntries]!);
        this.endSegment(words[at + COMMAND.segmentBytes]!, cycle);
        this.batch++;
        this.programBlocks.noteBinned(cycle);
        this.beginBatch();
      }
    }
    this.commandsDone = this.input.pop(cycle) + 1;
    if (kind === RUN_END) {
      if (!this.places.hasEarlyBin) this.places.binnedAt = cycle;
      this.bin++;
    }
    this.states[this.id] = BUSY;
    // Lines without room in the port stall the module, which is only seen when it is clocked.
    return this.recordLinesLeft + this.listLinesLeft > 0 ? cycle + 1 : this.busyUntil;
  }

  /** Gives a segment of streamed visibility to the bus. */
  private endSegment(bytes: i32, cycle: i32): void {
    if (bytes === 0) return;
    this.places.segments.add(bytes, greater(this.coder.codedAt, cycle));
    this.outputBus.noteSegment(cycle);
    this.control.hasEvent = true;
  }

  private addPrimitive(words: Int32Array, at: i32, cycle: i32): void {
    const entries = words[at + COMMAND.entries]!;
    this.busyUntil = cycle + (entries > 1 ? entries : 1);
    const isInPhase = this.places.isInPhase;
    if (isInPhase) {
      const early = words[at + COMMAND.early]!;
      if (early === 0) return;
      this.listedUntil = greater(this.listedUntil, cycle) + greater(1, early - 1);
      if (!this.places.keepsEarlyRecords()) return;
    } else if (!this.places.keepsBatches()) return;
    const draw = words[at + COMMAND.draw]! * DRAW_WORDS;
    const lines = words[at + COMMAND.pieces]! * this.records.drawWords[draw + DRAW.recordLines]!;
    this.recordLines += lines;
    this.recordLinesLeft += lines;
    if (isInPhase) {
      this.writeLines(cycle);
      return;
    }
    // A line of a list is written when it is full. Others follow at the end of the batch.
    this.entryCount += entries;
    const full = divide(this.entryCount, LIST_LINE_ENTRIES);
    this.listLinesLeft += full - this.listLines;
    this.listLines = full;
    this.writeLines(cycle);
  }

  /** Ends a batch within the phase, which waits for the reader. */
  private closeEarlyBatch(cycle: i32): void {
    this.closedBatches++;
    this.batch++;
    this.programBlocks.noteBinned(cycle);
  }

  /** Lets the streams leave, and the early bin continue in usual batches. */
  private endPhase(cycle: i32): void {
    this.places.binnedAt = cycle;
    if (this.places.streamBytes > 0) this.control.hasEvent = true;
    this.priority.end(cycle);
    this.beginBatch();
  }

  /**
   * Gives the reader the oldest batch of the early bin, if it is in memory and its primitives are
   * in lists. Returns the next cycle to try; NEVER if there is no batch or the reader wakes the
   * module.
   */
  private handBatch(cycle: i32): i32 {
    if (this.closedBatches === 0) return NEVER;
    if (this.readyBatches === 0) {
      if (this.awaitedBatches === 0) {
        this.awaitedBatches = this.closedBatches;
        this.awaitedLines = this.port.linesWritten;
        this.awaitedCycle = this.listedUntil;
        this.port.endBurst(cycle);
      }
      if (this.port.linesServed < this.awaitedLines || cycle < this.awaitedCycle) return cycle + 1;
      this.readyBatches = this.awaitedBatches;
      this.awaitedBatches = 0;
    }
    if (!this.output.canPush()) return NEVER;
    this.output.push(EARLY_BATCH, cycle, cycle + 1);
    this.readyBatches--;
    this.closedBatches--;
    this.handedAt = cycle;
    return this.closedBatches > 0 ? cycle + 1 : NEVER;
  }

  /** Writes the rest of the batch. Returns whether memory has taken all of it. */
  private closeBatch(listLines: i32, cycle: i32): boolean {
    if (!this.places.keepsBatches()) return true;
    if (!this.isClosing) {
      this.isClosing = true;
      this.listLinesLeft += listLines - this.listLines;
      this.listLines = listLines;
    }
    return this.writeLines(cycle) && this.port.hasRoom(this.port.capacity, cycle);
  }

  private beginBatch(): void {
    this.recordLines = 0;
    this.listLines = 0;
    this.entryCount = 0;
    this.isClosing = false;
  }

  /** Writes the lines that wait, and returns whether there was room for all. */
  private writeLines(cycle: i32): boolean {
    if (this.recordLinesLeft + this.listLinesLeft === 0) return true;
    const places = this.places;
    const records = places.isInPhase ? places.plan.earlyLine : places.recordLine(this.batch);
    while (this.recordLinesLeft > 0) {
      if (!this.port.hasRoom(1, cycle)) return false;
      this.port.write(records + this.recordLines - this.recordLinesLeft--, cycle);
    }
    const lists = this.places.listLine(this.batch);
    while (this.listLinesLeft > 0) {
      if (!this.port.hasRoom(1, cycle)) return false;
      this.port.write(lists + this.listLines - this.listLinesLeft--, cycle);
    }
    return true;
  }
}
