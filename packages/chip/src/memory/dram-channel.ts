/**
 * One channel of local memory: banks with a row buffer each, and a data bus that they share. Of its
 * pending requests, it prefers lines of open rows, then the oldest (FR-FCFS, Rixner et al., ISCA
 * 2000). Reads go before writes until writes fill most of its queue. Rows are opened while the bus
 * still carries earlier lines.
 *
 * A line of an open row takes the time of its column. A bank without an open row first opens the
 * row, and a bank with another open row first closes that one. {@link DramTiming} bounds the
 * commands of all banks. A page policy decides when rows are closed. A refresh waits for the bus,
 * closes all rows and takes its time.
 */

import { divide, greater, log2 } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { LINE_BYTES } from '../records/memory-line.ts';
import { PAGE_POLICY } from '../records/spec-choices.generated.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { WRITE } from './client-port.ts';
import { DramTiming, NO_ROW } from './dram-timing.ts';

/** Channel with its queue of requests and the state of its banks. */
export class DramChannel {
  /** Counts of the run. */
  rowHits: i32 = 0;
  rowMisses: i32 = 0;
  rowConflicts: i32 = 0;
  linesRead: i32 = 0;
  linesWritten: i32 = 0;
  turnarounds: i32 = 0;
  refreshes: i32 = 0;
  /** Number of requests held. */
  count: i32 = 0;
  /** Cycle from which the data bus is free. */
  busFreeAt: i32 = 0;
  /** Requests, oldest first. */
  private readonly requests: Int32Array;
  /** Bank and row of each request. */
  private readonly banks: Int32Array;
  private readonly rows: Int32Array;
  private writes: i32 = 0;
  private isDraining: boolean = false;
  private overtaken: i32 = 0;
  private wasWrite: boolean = false;
  private nextRefresh: i32;
  private readonly timing: DramTiming;
  private readonly channelBits: i32;
  private readonly rowLinesLog2: i32;
  private readonly bankMask: i32;
  private readonly bankBits: i32;
  private readonly lineCycles: i32;
  private readonly spec: TimingSpec;
  private readonly lookaheadCycles: i32;
  /** Numbers of pending writes above which, and at which, they go first and last. */
  private readonly drainStart: i32;
  private readonly drainEnd: i32;

  constructor(spec: TimingSpec) {
    this.spec = spec;
    this.requests = new Int32Array(spec.dramQueueEntries);
    this.banks = new Int32Array(spec.dramQueueEntries);
    this.rows = new Int32Array(spec.dramQueueEntries);
    this.timing = new DramTiming(spec);
    this.drainStart = divide(spec.dramQueueEntries * spec.dramWriteDrainStartPercent, 100);
    this.drainEnd = divide(spec.dramQueueEntries * spec.dramWriteDrainEndPercent, 100);
    this.channelBits = log2(spec.dramChannels);
    this.rowLinesLog2 = log2(spec.dramRowBytes / LINE_BYTES);
    this.bankMask = spec.dramBanks - 1;
    this.bankBits = log2(spec.dramBanks);
    this.lineCycles = divide(LINE_BYTES, spec.dramBytesPerCycle);
    this.nextRefresh = spec.dramRefreshIntervalCycles;
    this.lookaheadCycles =
      spec.dramPrechargeCycles + spec.dramActivateCycles + spec.dramColumnCycles;
  }

  reset(): void {
    this.rowHits = 0;
    this.rowMisses = 0;
    this.rowConflicts = 0;
    this.linesRead = 0;
    this.linesWritten = 0;
    this.turnarounds = 0;
    this.refreshes = 0;
    this.count = 0;
    this.writes = 0;
    this.busFreeAt = 0;
    this.isDraining = false;
    this.overtaken = 0;
    this.wasWrite = false;
    this.nextRefresh = this.spec.dramRefreshIntervalCycles;
    this.timing.reset();
  }

  /** Number of cycles in which the bus carried lines. */
  get busyCycles(): i32 {
    return (this.linesRead + this.linesWritten) * this.lineCycles;
  }

  hasRoom(): boolean {
    return this.count < this.requests.length;
  }

  /**
   * Adds a request.
   *
   * @throws {Error} If there is no room.
   */
  add(request: i32): void {
    if (!this.hasRoom()) throw new Error('DRAM channel: request queue is full');
    const line = request >>> 1;
    this.banks[this.count] = this.bankOf(line);
    this.rows[this.count] = this.rowOf(line);
    this.requests[this.count++] = request;
    if ((request & WRITE) !== 0) this.writes++;
  }

  /**
   * Returns the cycle from which the next request can be chosen, early enough to prepare its row.
   * There must be a request.
   */
  nextPick(): i32 {
    return this.busFreeAt - this.lookaheadCycles;
  }

  /**
   * Chooses a request, gives it the bus and removes it. Returns the request, whose last byte
   * arrives at `busFreeAt`.
   */
  pick(cycle: i32): i32 {
    if (this.spec.dramRefreshCycles > 0) this.refresh(cycle);
    const index = this.choose(cycle);
    const request = this.requests[index]!;
    const bank = this.banks[index]!;
    const row = this.rows[index]!;
    this.remove(index);
    const isWrite = (request & WRITE) !== 0;
    if (isWrite) this.writes--;

    // 1. The row.
    const timing = this.timing;
    const open = timing.openRows[bank]!;
    if (open === row) this.rowHits++;
    else if (open === NO_ROW) this.rowMisses++;
    else this.rowConflicts++;
    if (open !== row) timing.open(bank, row, cycle);

    // 2. The bus.
    let free = this.busFreeAt;
    if (isWrite !== this.wasWrite) {
      this.turnarounds++;
      this.wasWrite = isWrite;
      free += this.spec.dramTurnaroundCycles;
    }
    this.busFreeAt = timing.moveLine(bank, isWrite, cycle, free);
    if (isWrite) this.linesWritten++;
    else this.linesRead++;
    if (this.spec.dramPagePolicy !== PAGE_POLICY.open) this.closeRow(bank, row);
    return request;
  }

  /** Closes the row of a bank after an access, as the page policy says. */
  private closeRow(bank: i32, row: i32): void {
    const policy = this.spec.dramPagePolicy;
    let hasHit = false;
    let hasConflict = false;
    for (let index = 0; index < this.count; index++) {
      if (this.banks[index] !== bank) continue;
      if (this.rows[index] === row) hasHit = true;
      else hasConflict = true;
    }
    if (policy === PAGE_POLICY.openAdaptive && !hasConflict) return;
    if (policy !== PAGE_POLICY.close && hasHit) return;
    this.timing.close(bank);
  }

  /** Performs the refreshes that are due. */
  private refresh(cycle: i32): void {
    while (cycle >= this.nextRefresh) {
      this.busFreeAt = greater(this.busFreeAt, this.nextRefresh) + this.spec.dramRefreshCycles;
      this.timing.closeAll(this.busFreeAt);
      this.nextRefresh += this.spec.dramRefreshIntervalCycles;
      this.refreshes++;
    }
  }

  /**
   * Returns the index of the next request to serve: the oldest of an open row, else the oldest
   * whose bank can open a row now, else the oldest.
   */
  private choose(cycle: i32): i32 {
    const requests = this.requests;
    const banks = this.banks;
    const rows = this.rows;
    const openRows = this.timing.openRows;
    const mostOvertakes = this.spec.dramMaxOvertakes;
    const reads = this.count - this.writes;
    if (reads === 0 || this.writes > this.drainStart) this.isDraining = true;
    else if (this.writes <= this.drainEnd) this.isDraining = false;
    const kind = this.isDraining && this.writes > 0 ? WRITE : 0;
    let oldest = -1;
    let ready = -1;
    for (let index = 0; index < this.count; index++) {
      if ((requests[index]! & WRITE) !== kind) continue;
      if (oldest < 0) oldest = index;
      if (this.overtaken >= mostOvertakes) break;
      const bank = banks[index]!;
      if (openRows[bank] === rows[index]) {
        ready = index;
        break;
      }
      if (ready < 0 && this.timing.canOpen(bank, cycle)) ready = index;
    }
    if (ready < 0) ready = oldest;
    this.overtaken = ready === oldest ? 0 : this.overtaken + 1;
    return ready;
  }

  /**
   * Removes a request and shifts the later ones. There are few, so a loop is faster than
   * `copyWithin`.
   */
  private remove(index: i32): void {
    const requests = this.requests;
    const banks = this.banks;
    const rows = this.rows;
    this.count--;
    for (let to = index; to < this.count; to++) {
      requests[to] = requests[to + 1]!;
      banks[to] = banks[to + 1]!;
      rows[to] = rows[to + 1]!;
    }
  }

  /** Returns the number of a line's row, counted over all banks. */
  private globalRow(line: i32): i32 {
    return line >>> (this.channelBits + this.rowLinesLog2);
  }

  private bankOf(line: i32): i32 {
    const row = this.globalRow(line);
    const bankBits = this.bankBits;
    const folded = row ^ (row >>> bankBits) ^ (row >>> (2 * bankBits)) ^ (row >>> (3 * bankBits));
    return folded & this.bankMask;
  }

  private rowOf(line: i32): i32 {
    return this.globalRow(line) >>> this.bankBits;
  }
}
