/**
 * Copy engine: moves data in local memory while other units work. It reads the lines of a copy, at
 * most one per cycle and as many ahead as its buffer holds, and writes a line as soon as all lines
 * that it depends on have arrived. An upload reads nothing, because its data arrive over the link.
 * Lines written go to local memory and not into the second-level cache. The command processor
 * gives it one copy after another. The host gives it lines that arrive over the link, which it
 * stores in the order of their arrivals.
 */

import type { f64, i32 } from '../portable/number-types.ts';
import { COMMAND } from '../records/record-layout.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';
import { Module } from '../sim/module.ts';
import type { RunControl } from '../sim/run-control.ts';
import { BUSY, NEVER, type Schedule, stalled, starved } from '../sim/schedule.ts';
import type { ClientPort } from './client-port.ts';
import type { DramModule } from './dram-module.ts';

const NO_MODULE = -1;
/** Words of an arrival: its cycle, its first line and the number of its lines. */
const ARRIVAL_WORDS = 3;

/** Module of the copy engine. */
export class CopyEngineModule extends Module {
  private readonly schedule: Schedule;
  private readonly port: ClientPort;
  private readonly dram: DramModule;
  private readonly bufferLines: i32;
  /** Number of the module that waits for the end of the copy. */
  private waiter: i32 = NO_MODULE;
  private isActive: boolean = false;
  /** Whether a copy started in the run. */
  private hasCopied: boolean = false;
  private sourceLine: i32 = 0;
  private readLines: i32 = 0;
  private intoLine: i32 = 0;
  private writtenLines: i32 = 0;
  /** Numbers of lines that were requested, that arrived and that were written. */
  private asked: i32 = 0;
  private arrived: i32 = 0;
  private written: i32 = 0;
  /** Ticket of the copy's first line. */
  private firstTicket: i32 = 0;
  /** Arrivals in the order of their cycles, and number of those that were begun. */
  private readonly arrivals: i32[] = [];
  private begunCount: i32 = 0;
  /** Whether the copy in progress stores an arrival. */
  private isStoring: boolean = false;
  /** Cycles in which arrivals were stored. */
  private readonly storedCycles: i32[] = [];
  private readonly control: RunControl;

  constructor(
    id: i32,
    name: string,
    schedule: Schedule,
    spec: TimingSpec,
    port: ClientPort,
    dram: DramModule,
    control: RunControl,
  ) {
    super({ id, name, schedule, inputs: [], outputs: [] });
    this.control = control;
    this.schedule = schedule;
    this.port = port;
    this.dram = dram;
    this.bufferLines = spec.copyBufferLines;
  }

  reset(): void {
    this.waiter = NO_MODULE;
    this.isActive = false;
    this.hasCopied = false;
    this.firstTicket = 0;
    this.asked = 0;
    this.arrivals.length = 0;
    this.begunCount = 0;
    this.isStoring = false;
    this.storedCycles.length = 0;
  }

  /**
   * Adds lines that arrive in a cycle, which is not simulated and not before that of an earlier
   * call. The run must have no copies, which are timed by themselves.
   */
  store(line: i32, count: i32, cycle: i32): void {
    if (this.hasCopied) throw new Error('copy engine: lines arrive during a run of copies');
    this.arrivals.push(cycle);
    this.arrivals.push(line);
    this.arrivals.push(count);
    this.schedule.wake(this.id, cycle);
  }

  /** Number of arrivals that are stored. */
  get storedCount(): i32 {
    return this.storedCycles.length;
  }

  /** Returns the cycle after which an arrival was stored. */
  storedAt(arrival: i32): i32 {
    return this.storedCycles[arrival]!;
  }

  /** Begins to store the next arrival. Returns false if none has arrived. */
  private beginStore(cycle: i32): boolean {
    if (this.nextArrival() > cycle) return false;
    const at = this.begunCount++ * ARRIVAL_WORDS;
    this.isStoring = true;
    this.begin(0, 0, this.arrivals[at + 1]!, this.arrivals[at + 2]!);
    return true;
  }

  /** Cycle of the next arrival; NEVER if none is known. */
  private nextArrival(): i32 {
    const at = this.begunCount * ARRIVAL_WORDS;
    return at < this.arrivals.length ? this.arrivals[at]! : NEVER;
  }

  /** Returns the earliest cycle in which local memory may hold all lines of copies. */
  unstoredUntil(cycle: i32): i32 {
    if (!this.hasCopied) return cycle;
    const idle = this.dram.idleAt();
    return idle === NEVER ? cycle + 1 : idle;
  }

  /**
   * Returns whether a copy is in progress, other than the store of an arrival. The end of the copy
   * wakes the module.
   */
  isBusy(module: i32): boolean {
    if (!this.isActive || this.isStoring) return false;
    this.waiter = module;
    return true;
  }

  /**
   * Starts a copy. None may be in progress.
   *
   * @param words Words of commands; those of the copy start at `at`.
   */
  start(words: Int32Array, at: i32, cycle: i32): void {
    this.hasCopied = true;
    this.begin(
      words[at + COMMAND.copySourceLine]!,
      words[at + COMMAND.copyReadLines]!,
      words[at + COMMAND.copyIntoLine]!,
      words[at + COMMAND.copyWrittenLines]!,
    );
    this.schedule.wake(this.id, cycle + 1);
  }

  private begin(sourceLine: i32, readLines: i32, intoLine: i32, writtenLines: i32): void {
    this.isActive = true;
    this.sourceLine = sourceLine;
    this.readLines = readLines;
    this.intoLine = intoLine;
    this.writtenLines = writtenLines;
    this.firstTicket += this.asked;
    this.asked = 0;
    this.arrived = 0;
    this.written = 0;
  }

  clock(cycle: i32): i32 {
    if (!this.isActive && !this.beginStore(cycle)) {
      this.states[this.id] = starved(WAIT.input);
      return this.nextArrival();
    }
    this.takeArrivals(cycle);
    const hasWritten = this.write(cycle);
    const hasRead = this.read(cycle);
    if (hasRead || hasWritten) {
      this.states[this.id] = BUSY;
      return cycle + 1;
    }
    if (this.written === this.writtenLines && this.arrived === this.readLines) {
      return this.end(cycle);
    }
    // Either lines are on their way, or the port has no room and wakes the module.
    this.port.endBurst(cycle);
    const isAwaiting = this.arrived < this.asked;
    this.states[this.id] = isAwaiting
      ? starved(this.port.waitOf(this.firstTicket + this.arrived))
      : stalled(WAIT.requests);
    return isAwaiting ? this.port.doneCycle(this.firstTicket + this.arrived) : NEVER;
  }

  private takeArrivals(cycle: i32): void {
    while (this.arrived < this.asked) {
      const ticket = this.firstTicket + this.arrived;
      if (!this.port.isDone(ticket, cycle)) return;
      this.port.close(ticket);
      this.arrived++;
    }
  }

  /** Writes the next line if its sources are here. Returns whether it did. */
  private write(cycle: i32): boolean {
    if (this.written === this.writtenLines) return false;
    const needed = this.sourcesOf(this.written + 1);
    if (this.arrived < needed || !this.port.hasRoom(1, cycle)) return false;
    this.port.write(this.intoLine + this.written++, cycle);
    if (this.written === this.writtenLines) this.port.endBurst(cycle);
    return true;
  }

  /** Requests the next line if the buffer has room for it. Returns whether it did. */
  private read(cycle: i32): boolean {
    if (this.asked === this.readLines) return false;
    // Sources of one line never wait for room in the buffer.
    const isNeeded = this.asked < this.sourcesOf(this.written + 1);
    const isFull = this.asked - this.sourcesOf(this.written) >= this.bufferLines;
    if ((isFull && !isNeeded) || !this.port.canOpen()) return false;
    if (!this.port.hasRoom(1, cycle)) return false;
    const ticket = this.port.open(cycle);
    this.port.read(ticket, this.sourceLine + this.asked++, cycle);
    if (this.asked === this.readLines) this.port.endBurst(cycle);
    return true;
  }

  /** Returns the number of lines read that the first `written` lines depend on. */
  private sourcesOf(written: i32): i32 {
    if (this.writtenLines === 0) return 0;
    return Math.ceil(((written as f64) * this.readLines) / this.writtenLines) as i32;
  }

  /** Ends the copy when memory has accepted its last line. */
  private end(cycle: i32): i32 {
    const isTaken = this.port.isEmpty;
    this.states[this.id] = starved(isTaken ? WAIT.input : WAIT.requests);
    if (!isTaken) return cycle + 1;
    this.isActive = false;
    if (this.isStoring) {
      this.isStoring = false;
      this.storedCycles.push(cycle + 1);
      this.control.hasEvent = true;
      return this.nextArrival() > cycle ? this.nextArrival() : cycle + 1;
    }
    if (this.waiter !== NO_MODULE) this.schedule.wake(this.waiter, cycle);
    this.waiter = NO_MODULE;
    return NEVER;
  }
}
