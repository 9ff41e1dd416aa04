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
import { DramRequests } from './dram-requests.ts';
import { DramTiming, NO_ROW } from './dram-timing.ts';

/** Number of pending requests up to which the bus is idle in part. */
const SPARE_REQUESTS = 2;

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
  /** Cycle from which the data bus is free. */
  busFreeAt: i32 = 0;
  private readonly capacity: i32;
  private readonly reads: DramRequests;
  private readonly writes: DramRequests;
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
    this.capacity = spec.dramQueueEntries;
    this.reads = new DramRequests(spec.dramQueueEntries);
    this.writes = new DramRequests(spec.dramQueueEntries);
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
    this.reads.reset();
    this.writes.reset();
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

  /** Number of requests held. */
  get count(): i32 {
    return this.reads.count + this.writes.count;
  }

  hasRoom(): boolean {
    return this.count < this.capacity;
  }

  /** Whether so few requests wait that another one hardly delays the next. */
  isSpare(): boolean {
    return this.count < SPARE_REQUESTS && this.hasRoom();
  }

  /**
   * Adds a request.
   *
   * @throws {Error} If there is no room.
   */
  add(request: i32): void {
    if (!this.hasRoom()) throw new Error('DRAM channel: request queue is full');
    const line = request >>> 1;
    const requests = (request & WRITE) !== 0 ? this.writes : this.reads;
    requests.add(request, this.bankOf(line), this.rowOf(line));
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
    const isWrite = this.mustWrite();
    const requests = isWrite ? this.writes : this.reads;
    const place = this.choose(requests, cycle);
    const request = requests.requests[place]!;
    const bank = requests.banks[place]!;
    const row = requests.rows[place]!;
    requests.remove(place);

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
    const hasHit = this.reads.hasRow(bank, row) || this.writes.hasRow(bank, row);
    const hasConflict = this.reads.hasOtherRow(bank, row) || this.writes.hasOtherRow(bank, row);
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

  /** Returns whether a write goes next. */
  private mustWrite(): boolean {
    const writes = this.writes.count;
    if (this.reads.count === 0 || writes > this.drainStart) this.isDraining = true;
    else if (writes <= this.drainEnd) this.isDraining = false;
    return this.isDraining && writes > 0;
  }

  /**
   * Returns the place of the next request to serve: the oldest of an open row, else the oldest
   * whose bank can open a row now, else the oldest.
   */
  private choose(requests: DramRequests, cycle: i32): i32 {
    const banks = requests.banks;
    const rows = requests.rows;
    const openRows = this.timing.openRows;
    const oldest = requests.first;
    if (this.overtaken >= this.spec.dramMaxOvertakes) {
      this.overtaken = 0;
      return oldest;
    }
    let ready = -1;
    for (let place = oldest; place < requests.end; place++) {
      const bank = banks[place]!;
      if (openRows[bank] === rows[place]) {
        ready = place;
        break;
      }
      if (ready < 0 && this.timing.canOpen(bank, cycle)) ready = place;
    }
    if (ready < 0) ready = oldest;
    this.overtaken = ready === oldest ? 0 : this.overtaken + 1;
    return ready;
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
