/**
 * One channel of local memory: banks with a row buffer each, and a data bus that they share. Among the requests that
 * it holds it takes lines of open rows first and the oldest else; reads go before writes until the writes fill most of
 * its room. Rows are opened while the bus still carries earlier lines.
 *
 * Times: a line of an open row needs its column; of a bank without an open row, the row before that; of one with
 * another row, that row's closing first. The bus rests when it turns between reads and writes. A refresh waits for the
 * bus, closes all rows and takes its time.
 */
import type { ChipletSpec } from '../chiplet-spec.ts';
import { LINE_BYTES } from './address-map.ts';
import { WRITE } from './client-port.ts';

/** Lines that lie in one channel before the next one's turn. */
const INTERLEAVE_LINES_LOG2 = 2;
/** Requests that may overtake the oldest one of their kind. */
const MOST_OVERTAKEN = 16;
const NO_ROW = -1;

/** The channel of a line. Higher address bits take part, so that strides do not meet in one channel. */
export function channelOf(line: number, channels: number): number {
  const piece = line >>> INTERLEAVE_LINES_LOG2;
  return (piece ^ (piece >>> 5) ^ (piece >>> 11)) & (channels - 1);
}

export class DramChannel {
  /** Of the run. */
  rowHits = 0;
  rowMisses = 0;
  rowConflicts = 0;
  linesRead = 0;
  linesWritten = 0;
  turnarounds = 0;
  refreshes = 0;
  /** Requests held, and how many of them are writes. */
  count = 0;
  /** When the data bus is free. */
  busFreeAt = 0;
  /** Line × 2, and 1 for a write; the oldest first. */
  private readonly requests: Int32Array;
  /** Of the requests. */
  private readonly banks: Int32Array;
  private readonly rows: Int32Array;
  private writes = 0;
  private isDraining = false;
  private overtaken = 0;
  private wasWrite = false;
  private nextRefresh: number;
  private readonly openRows: Int32Array;
  /** When the open row of a bank takes columns; when its last transfer is over. */
  private readonly rowOpenAt: Int32Array;
  private readonly bankFreeAt: Int32Array;
  private readonly channelBits: number;
  private readonly rowLinesLog2: number;
  private readonly bankMask: number;
  private readonly bankBits: number;
  private readonly lineCycles: number;
  private readonly spec: ChipletSpec;
  private readonly lookaheadCycles: number;

  constructor(spec: ChipletSpec) {
    this.spec = spec;
    this.requests = new Int32Array(spec.dramQueueEntries);
    this.banks = new Int32Array(spec.dramQueueEntries);
    this.rows = new Int32Array(spec.dramQueueEntries);
    this.openRows = new Int32Array(spec.dramBanks).fill(NO_ROW);
    this.rowOpenAt = new Int32Array(spec.dramBanks);
    this.bankFreeAt = new Int32Array(spec.dramBanks);
    this.channelBits = log2(spec.dramChannels);
    this.rowLinesLog2 = log2(spec.dramRowBytes / LINE_BYTES);
    this.bankMask = spec.dramBanks - 1;
    this.bankBits = log2(spec.dramBanks);
    this.lineCycles = Math.max(1, LINE_BYTES / spec.dramBytesPerCycle);
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
    this.openRows.fill(NO_ROW);
    this.rowOpenAt.fill(0);
    this.bankFreeAt.fill(0);
  }

  /** Cycles in which the bus carried lines. */
  get busyCycles(): number {
    return (this.linesRead + this.linesWritten) * this.lineCycles;
  }

  hasRoom(): boolean {
    return this.count < this.requests.length;
  }

  /** Takes a request; there must be room. */
  add(request: number): void {
    if (!this.hasRoom()) throw new Error('dram channel: no room');
    const line = request >>> 1;
    this.banks[this.count] = this.bankOf(line);
    this.rows[this.count] = this.rowOf(line);
    this.requests[this.count++] = request;
    if ((request & WRITE) !== 0) this.writes++;
  }

  /** When the next request can be chosen, given that there is one: early enough to prepare its row. */
  nextPick(): number {
    return this.busFreeAt - this.lookaheadCycles;
  }

  /**
   * Chooses a request, gives it the bus and forgets it.
   *
   * @returns The request; its last byte is there at `busFreeAt`.
   */
  pick(cycle: number): number {
    if (this.spec.dramRefreshCycles > 0) this.refresh(cycle);
    const index = this.choose();
    const request = this.requests[index]!;
    const bank = this.banks[index]!;
    const row = this.rows[index]!;
    this.remove(index);
    const isWrite = (request & WRITE) !== 0;
    if (isWrite) this.writes--;

    // 1. The row.
    const { dramPrechargeCycles, dramActivateCycles, dramColumnCycles } = this.spec;
    let column = cycle;
    if (this.openRows[bank] === row) {
      this.rowHits++;
      column = Math.max(cycle, this.rowOpenAt[bank]!);
    } else {
      column = Math.max(cycle, this.bankFreeAt[bank]!) + dramActivateCycles;
      if (this.openRows[bank] === NO_ROW) this.rowMisses++;
      else {
        this.rowConflicts++;
        column += dramPrechargeCycles;
      }
      this.openRows[bank] = row;
      this.rowOpenAt[bank] = column;
    }

    // 2. The bus.
    let free = this.busFreeAt;
    if (isWrite !== this.wasWrite) {
      this.turnarounds++;
      this.wasWrite = isWrite;
      free += this.spec.dramTurnaroundCycles;
    }
    const start = Math.max(free, column + dramColumnCycles);
    this.busFreeAt = start + this.lineCycles;
    this.bankFreeAt[bank] = this.busFreeAt;
    if (isWrite) this.linesWritten++;
    else this.linesRead++;
    return request;
  }

  /** Refreshes that came due. */
  private refresh(cycle: number): void {
    while (cycle >= this.nextRefresh) {
      this.busFreeAt = Math.max(this.busFreeAt, this.nextRefresh) + this.spec.dramRefreshCycles;
      this.openRows.fill(NO_ROW);
      this.bankFreeAt.fill(this.busFreeAt);
      this.nextRefresh += this.spec.dramRefreshIntervalCycles;
      this.refreshes++;
    }
  }

  /** Index of the request that goes next. */
  private choose(): number {
    const { requests, banks, rows, openRows } = this;
    const most = requests.length;
    const reads = this.count - this.writes;
    if (reads === 0 || this.writes > (most * 3) >> 2) this.isDraining = true;
    else if (this.writes <= most >> 2) this.isDraining = false;
    const kind = this.isDraining && this.writes > 0 ? WRITE : 0;
    let oldest = -1;
    for (let index = 0; index < this.count; index++) {
      if ((requests[index]! & WRITE) !== kind) continue;
      if (oldest < 0) oldest = index;
      if (this.overtaken >= MOST_OVERTAKEN) break;
      if (openRows[banks[index]!] !== rows[index]) continue;
      this.overtaken = index === oldest ? 0 : this.overtaken + 1;
      return index;
    }
    this.overtaken = 0;
    return oldest;
  }

  /** Those behind it move up: a few, and a loop moves them sooner than `copyWithin`. */
  private remove(index: number): void {
    const { requests, banks, rows } = this;
    this.count--;
    for (let to = index; to < this.count; to++) {
      requests[to] = requests[to + 1]!;
      banks[to] = banks[to + 1]!;
      rows[to] = rows[to + 1]!;
    }
  }

  /** Number of the row over all banks. */
  private globalRow(line: number): number {
    return line >>> (this.channelBits + this.rowLinesLog2);
  }

  private bankOf(line: number): number {
    const row = this.globalRow(line);
    const { bankBits } = this;
    const folded = row ^ (row >>> bankBits) ^ (row >>> (2 * bankBits)) ^ (row >>> (3 * bankBits));
    return folded & this.bankMask;
  }

  private rowOf(line: number): number {
    return this.globalRow(line) >>> this.bankBits;
  }
}

function log2(powerOfTwo: number): number {
  return 31 - Math.clz32(powerOfTwo);
}
