/**
 * Fine-bin reader: passes the primitives of a closed batch to tile traversal bin by bin, one per
 * cycle, and reads their lists and records from memory ahead of them. The batch's buffer is free
 * after its last primitive. The lists of a batch that was binned within a visibility phase are on
 * the chip.
 */

import type { ClientPort } from '../memory/client-port.ts';
import type { i32 } from '../portable/number-types.ts';
import { ENTRY, ENTRY_BATCH_END, RUN_END } from '../records/record-layout.ts';
import type { RunRecords } from '../records/run-records.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';
import { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, stalled, starved } from '../sim/schedule.ts';
import type { BinList } from '../target/bin-list.ts';
import type { TargetPlaces } from '../target/target-places.ts';
import { EARLY_BATCH } from './fine-binner-module.ts';

const NO_TICKET = -1;
const NO_LINE = -1;

/** Module of the fine-bin reader. */
export class FineBinReaderModule extends Module {
  private readonly records: RunRecords;
  private readonly input: Queue;
  private readonly output: Queue;
  private readonly port: ClientPort;
  private readonly bins: BinList;
  /** Number of the bin that the module is at. */
  private bin: i32 = 0;
  /** Numbers of the next entry to pass on and of the next one to read. */
  private next: i32 = 0;
  private readNext: i32 = 0;
  /** Ring of the tickets of the entries between them. */
  private readonly tickets: Int32Array;
  /** Number of the current batch, and line of its lists that was read last. */
  private batch: i32 = 0;
  private listLine: i32 = NO_LINE;
  /** Ticket of an entry whose lines were not all requested, and number of those requested. */
  private openTicket: i32 = NO_TICKET;
  private linesRead: i32 = 0;

  constructor(
    id: i32,
    name: string,
    schedule: Schedule,
    spec: TimingSpec,
    records: RunRecords,
    input: Queue,
    output: Queue,
    port: ClientPort,
    bins: BinList,
  ) {
    super({ id, name, schedule, inputs: [input], outputs: [output] });
    this.records = records;
    this.input = input;
    this.output = output;
    this.port = port;
    this.bins = bins;
    this.tickets = new Int32Array(spec.batchReadAheadPrimitives);
  }

  reset(): void {
    this.bin = 0;
    this.next = 0;
    this.readNext = 0;
    this.batch = 0;
    this.listLine = NO_LINE;
    this.openTicket = NO_TICKET;
    this.linesRead = 0;
  }

  /** Places of the bin that the module is at. */
  private get places(): TargetPlaces {
    return this.bins.at(this.bin);
  }

  clock(cycle: i32): i32 {
    if (!this.input.canPop(cycle)) {
      this.states[this.id] = starved(WAIT.input);
      return this.input.nextReady();
    }
    const readWake = this.readAhead(cycle);
    const entries = this.records.entries;
    if (entries.words[entries.at(this.next) + ENTRY.kind] === ENTRY_BATCH_END) {
      const isEnd = this.input.pop(cycle) === RUN_END;
      this.next++;
      this.readNext = this.next;
      if (isEnd) this.bin++;
      else this.batch++;
      this.listLine = NO_LINE;
      this.states[this.id] = BUSY;
      return cycle + 1;
    }
    const isRead = this.readNext > this.next;
    const ticket = isRead ? this.tickets[this.next % this.tickets.length]! : NO_TICKET;
    if (!isRead || (ticket !== NO_TICKET && !this.port.isDone(ticket, cycle))) {
      this.states[this.id] = starved(isRead ? this.port.waitOf(ticket) : WAIT.requests);
      const done = isRead ? this.port.doneCycle(ticket) : NEVER;
      return done < readWake ? done : readWake;
    }
    if (!this.output.canPush()) {
      this.states[this.id] = stalled(WAIT.output);
      return readWake;
    }
    if (ticket !== NO_TICKET) this.port.close(ticket);
    this.output.push(this.next, cycle, cycle + 1);
    this.next++;
    this.states[this.id] = BUSY;
    return cycle + 1;
  }

  /**
   * Requests the lines of one more entry of the batch. Returns the cycle in which the next one may
   * be requested; NEVER if the port wakes the module or an entry must leave first.
   */
  private readAhead(cycle: i32): i32 {
    const entries = this.records.entries;
    if (this.readNext - this.next === this.tickets.length) {
      this.port.endBurst(cycle);
      return NEVER;
    }
    const words = entries.words;
    const at = entries.at(this.readNext);
    if (words[at + ENTRY.kind] === ENTRY_BATCH_END) {
      this.port.endBurst(cycle);
      return NEVER;
    }
    const lines = words[at + ENTRY.recordLines]!;
    let ticket = NO_TICKET;
    const places = this.places;
    const isEarly = this.input.front() === EARLY_BATCH;
    if (lines > 0 && (isEarly ? places.keepsEarlyRecords() : places.keepsBatches())) {
      if (this.openTicket === NO_TICKET) this.openTicket = this.port.open(cycle);
      ticket = this.openTicket;
      const listLine = words[at + ENTRY.listLine]!;
      if (!isEarly && listLine !== this.listLine) {
        if (!this.port.hasRoom(1, cycle)) return NEVER;
        this.port.read(ticket, places.listLine(this.batch) + listLine, cycle);
        this.listLine = listLine;
      }
      const base = isEarly ? places.plan.earlyLine : places.recordLine(this.batch);
      const first = base + words[at + ENTRY.recordLine]!;
      for (; this.linesRead < lines; this.linesRead++) {
        if (!this.port.hasRoom(1, cycle)) return NEVER;
        this.port.read(ticket, first + this.linesRead, cycle);
      }
      this.openTicket = NO_TICKET;
      this.linesRead = 0;
    }
    this.tickets[this.readNext % this.tickets.length] = ticket;
    this.readNext++;
    return cycle + 1;
  }
}
