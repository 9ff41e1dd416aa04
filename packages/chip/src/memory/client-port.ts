/**
 * Control unit of one client of memory. It collects requests for lines into bursts, requests a
 * grant from the arbiter when a burst is complete, and counts the lines that memory delivers.
 *
 * A client opens a ticket, reads lines under it and waits until the ticket is done, which wakes the
 * client. Tickets are numbered in order and closed in that order. Writes are posted: a write
 * completes for its client as soon as the port has room for it.
 *
 *     if (!port.hasRoom(lines, cycle)) … stalled; the port wakes the client
 *     const ticket = port.open(cycle);
 *     port.read(ticket, line, cycle);          // any number of times
 *     port.endBurst(cycle);                    // no more lines for now
 *     … port.isDone(ticket, cycle), port.doneCycle(ticket)
 *     port.close(ticket);
 */

import { ceilPowerOfTwo } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';
import { NEVER, type Schedule } from '../sim/schedule.ts';
import type { AskingPorts } from './asking-ports.ts';
import type { Interleave } from './interleave.ts';
import type { PageWalkerModule } from './page-walker-module.ts';

/** Origin of a request that no lookup of fragments made. */
export const NO_ORIGIN = -1;

/** Bit of a request that marks a write. A request is `line × 2`, with this bit. */
export const WRITE = 1;

/** Options of a port. */
export interface ClientPortOptions {
  /** Number in MEMORY_CLIENT. */
  readonly client: i32;
  readonly schedule: Schedule;
  /** Number of the client's module. */
  readonly module: i32;
  /** Number of the module that takes the requests. */
  readonly memoryModule: i32;
  /** Upper bound on the number of requests held. */
  readonly capacity: i32;
  /** Number of lines of a full burst. */
  readonly burstLines: i32;
  /** Upper bound on the number of open tickets. */
  readonly ticketCount: i32;
  /** Asking ports of the arbiter. Ports take turns in the order of their construction. */
  readonly asking: AskingPorts;
  /** Slices of the memory that takes the requests. */
  readonly slices: Interleave;
  readonly walker: PageWalkerModule;
  /** Whether addresses are translated. */
  readonly isTranslated: boolean;
}

/** Port of a module to the memory system. */
export class ClientPort {
  /** Number in MEMORY_CLIENT, which is the priority: higher goes first. */
  readonly client: i32;
  /** Number of the module that the port wakes. */
  readonly module: i32;
  readonly capacity: i32;
  /** Counts of the run: lines and cycles. */
  linesRead: i32 = 0;
  linesWritten: i32 = 0;
  linesServed: i32 = 0;
  longestWaitCycles: i32 = 0;
  waitCycles: i32 = 0;
  /** Number of requests that the arbiter may grant: those of complete bursts. */
  readyCount: i32 = 0;
  /** Slice of the oldest request. */
  frontSlice: i32 = 0;
  /** Whether the oldest request waits for the translation of its page. */
  awaitsTranslation: boolean = false;
  /** Cycle from which the oldest burst is ready. */
  askingSince: i32 = 0;
  /** Place in the traces of fragments that the next requests come from, or NO_ORIGIN. */
  origin: i32 = NO_ORIGIN;
  private readonly wakes: Int32Array;
  private readonly transfers: Int32Array;
  private readonly asking: AskingPorts;
  private readonly slices: Interleave;
  private readonly walker: PageWalkerModule;
  private readonly isTranslated: boolean;
  /** Number among all ports. */
  readonly number: i32;
  private readonly memoryModule: i32;
  private readonly burstLines: i32;
  /** Ring of pairs in adjacent words: a request and its ticket. */
  private readonly requests: Int32Array;
  private readonly mask: i32;
  /** Origins of the requests, by half of their word in the ring. */
  private readonly origins: Int32Array;
  /** Word of the oldest request. */
  private head: i32 = 0;
  private count: i32 = 0;
  private isWaitingForRoom: boolean = false;
  /**
   * Pairs in adjacent words by ticket: the number of lines outstanding, and the cycle from which
   * the others are available.
   */
  private readonly tickets: Int32Array;
  private readonly ticketMask: i32;
  /** Memory of the line of each ticket that is available last: a kind of WAIT. */
  private readonly sources: Int32Array;
  private readonly schedule: Schedule;
  private nextTicket: i32 = 0;
  private firstOpen: i32 = 0;

  constructor(options: ClientPortOptions) {
    this.asking = options.asking;
    this.slices = options.slices;
    this.walker = options.walker;
    this.isTranslated = options.isTranslated;
    this.number = options.asking.register();
    this.client = options.client;
    this.wakes = options.schedule.wakes;
    this.transfers = options.schedule.transfers;
    this.module = options.module;
    this.memoryModule = options.memoryModule;
    this.capacity = options.capacity;
    this.burstLines = options.burstLines;
    const size = ceilPowerOfTwo(options.capacity);
    this.requests = new Int32Array(2 * size);
    this.mask = 2 * size - 1;
    this.origins = new Int32Array(size);
    const ticketSize = ceilPowerOfTwo(options.ticketCount);
    this.tickets = new Int32Array(2 * ticketSize);
    this.ticketMask = ticketSize - 1;
    this.sources = new Int32Array(ticketSize);
    this.schedule = options.schedule;
  }

  reset(): void {
    this.linesRead = 0;
    this.linesWritten = 0;
    this.linesServed = 0;
    this.longestWaitCycles = 0;
    this.waitCycles = 0;
    this.origin = NO_ORIGIN;
    if (this.isAsking) this.asking.remove(this.number, this.frontSlice);
    this.awaitsTranslation = false;
    this.readyCount = 0;
    this.head = 0;
    this.count = 0;
    this.isWaitingForRoom = false;
    this.nextTicket = 0;
    this.firstOpen = 0;
  }

  /** Whether the arbiter may grant the oldest burst. */
  get isAsking(): boolean {
    return this.readyCount > 0 && !this.awaitsTranslation;
  }

  /** Whether no request waits. Reads may still be in flight. */
  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** Whether requests wait for the end of their burst. */
  get hasOpenBurst(): boolean {
    return this.count > this.readyCount;
  }

  /**
   * Whether `lines` more requests fit; `lines` is at most `capacity`. If they do not, ends the
   * burst, and the port wakes the client when there is room.
   */
  hasRoom(lines: i32, cycle: i32): boolean {
    if (this.count + lines <= this.capacity) return true;
    this.isWaitingForRoom = true;
    this.endBurst(cycle);
    return false;
  }

  /** Whether another ticket can be opened. Closing a ticket makes room. */
  canOpen(): boolean {
    return this.nextTicket - this.firstOpen <= this.ticketMask;
  }

  /**
   * Opens a ticket for a group of reads and returns its number. A ticket without reads is done at
   * once.
   */
  open(cycle: i32): i32 {
    if (!this.canOpen()) this.fail('all tickets are open');
    const at = 2 * (this.nextTicket & this.ticketMask);
    this.tickets[at] = 0;
    this.tickets[at + 1] = cycle;
    this.sources[this.nextTicket & this.ticketMask] = WAIT.l2;
    return this.nextTicket++;
  }

  /** Requests a line under an open ticket. There must be room. */
  read(ticket: i32, line: i32, cycle: i32): void {
    this.tickets[2 * (ticket & this.ticketMask)]!++;
    this.linesRead++;
    this.push(line * 2, ticket, cycle);
  }

  /** Counts a line under an open ticket that the client requests in another way than this port. */
  expect(ticket: i32, isWrite: boolean): void {
    this.tickets[2 * (ticket & this.ticketMask)]!++;
    if (isWrite) this.linesWritten++;
    else this.linesRead++;
  }

  /** Posts the write of a whole line. There must be room. */
  write(line: i32, cycle: i32): void {
    this.linesWritten++;
    this.push(line * 2 + WRITE, -1, cycle);
  }

  /** Returns whether a write of this line waits in the port. */
  isWriting(line: i32): boolean {
    for (let i = 0; i < this.count; i++) {
      if (this.requests[(this.head + 2 * i) & this.mask] === line * 2 + WRITE) return true;
    }
    return false;
  }

  /** Offers the pending requests to the arbiter, even if they are less than a full burst. */
  endBurst(cycle: i32): void {
    if (this.count > this.readyCount) this.ask(this.count, cycle);
  }

  isDone(ticket: i32, cycle: i32): boolean {
    const at = 2 * (ticket & this.ticketMask);
    return this.tickets[at] === 0 && this.tickets[at + 1]! <= cycle;
  }

  /**
   * Returns the cycle from which the ticket is done. While a line is missing it is NEVER, and the
   * port wakes the client later.
   */
  doneCycle(ticket: i32): i32 {
    const at = 2 * (ticket & this.ticketMask);
    return this.tickets[at] === 0 ? this.tickets[at + 1]! : NEVER;
  }

  /**
   * Returns what a client waits for until a ticket is done: a kind of WAIT. While a line is missing
   * it is the second-level cache. When the line arrives, the port names the memory it came from.
   */
  waitOf(ticket: i32): i32 {
    const at = 2 * (ticket & this.ticketMask);
    return this.tickets[at] === 0 ? this.sources[ticket & this.ticketMask]! : WAIT.l2;
  }

  /**
   * Returns what a client waits for that passes on the lines of a ticket: the lines, or room in the
   * unit behind once the ticket is done.
   */
  waitToPassOn(ticket: i32, cycle: i32): i32 {
    return this.isDone(ticket, cycle) ? WAIT.output : this.waitOf(ticket);
  }

  /**
   * Closes the client's oldest ticket, which must be done.
   *
   * @throws {Error} If the ticket is another one, or is not done.
   */
  close(ticket: i32): void {
    if (ticket !== this.firstOpen || this.tickets[2 * (ticket & this.ticketMask)] !== 0) {
      this.fail(`ticket ${ticket} closed out of order`);
    }
    this.firstOpen++;
  }

  /** Returns the oldest request. Memory calls it. */
  front(): i32 {
    return this.requests[this.head]!;
  }

  /** Returns the ticket of the oldest request; −1 for a write. Memory calls it. */
  frontTicket(): i32 {
    return this.requests[this.head + 1]!;
  }

  /** Returns the origin of the oldest request. Memory calls it. */
  frontOrigin(): i32 {
    return this.origins[this.head >>> 1]!;
  }

  /** Asks for a grant after the translation of the oldest request. The page walker calls it. */
  resume(cycle: i32): void {
    this.awaitsTranslation = false;
    this.askingSince = cycle + 1;
    this.asking.add(this.number, this.frontSlice);
    if (cycle + 1 < this.wakes[this.memoryModule]!) this.wakes[this.memoryModule] = cycle + 1;
  }

  /**
   * Returns the length of the oldest burst, which has at least one ready request. Memory calls it.
   */
  burstLength(): i32 {
    return this.readyCount < this.burstLines ? this.readyCount : this.burstLines;
  }

  /** Records that the arbiter grants a burst. */
  grant(cycle: i32): void {
    const waited = cycle - this.askingSince;
    this.waitCycles += waited;
    if (waited > this.longestWaitCycles) this.longestWaitCycles = waited;
  }

  /** Removes the oldest request. Memory calls it. */
  take(cycle: i32): void {
    this.head = (this.head + 2) & this.mask;
    this.count--;
    const slice = this.frontSlice;
    if (this.count > 0) this.frontSlice = this.slices.partOf(this.requests[this.head]! >>> 1);
    if (--this.readyCount === 0) this.asking.remove(this.number, slice);
    else {
      this.awaitsTranslation = this.mustTranslate(cycle);
      if (this.awaitsTranslation) this.asking.remove(this.number, slice);
      else if (this.frontSlice !== slice) {
        this.asking.remove(this.number, slice);
        this.asking.add(this.number, this.frontSlice);
      }
    }
    this.askingSince = cycle + 1;
    if (this.isWaitingForRoom) {
      this.isWaitingForRoom = false;
      if (cycle < this.wakes[this.module]!) this.wakes[this.module] = cycle;
    }
  }

  /**
   * Delivers a line of a ticket, which the client has from `readyCycle` on. The ticket is −1 for a
   * completed write. Memory calls it.
   */
  serve(ticket: i32, readyCycle: i32): void {
    this.serveFrom(WAIT.l2, ticket, readyCycle);
  }

  /** Does the same for a line of the memory that a kind of WAIT names. */
  serveFrom(source: i32, ticket: i32, readyCycle: i32): void {
    this.linesServed++;
    if (ticket < 0) return;
    const tickets = this.tickets;
    const at = 2 * (ticket & this.ticketMask);
    if (readyCycle > tickets[at + 1]!) {
      tickets[at + 1] = readyCycle;
      this.sources[ticket & this.ticketMask] = source;
    }
    if (--tickets[at]! > 0) return;
    this.schedule.nameWait(this.module, this.sources[ticket & this.ticketMask]!);
    const done = tickets[at + 1]!;
    if (done < this.wakes[this.module]!) this.wakes[this.module] = done;
  }

  private push(request: i32, ticket: i32, cycle: i32): void {
    if (this.count === this.capacity) this.fail('request buffer is full');
    if (this.count === 0) {
      // The host's cache holds the start of the ring.
      this.head = 0;
      this.frontSlice = this.slices.partOf(request >>> 1);
    }
    const at = (this.head + 2 * this.count) & this.mask;
    this.requests[at] = request;
    this.requests[at + 1] = ticket;
    this.origins[at >>> 1] = this.origin;
    this.count++;
    if (this.count - this.readyCount === this.burstLines) this.ask(this.count, cycle);
  }

  private ask(count: i32, cycle: i32): void {
    if (this.readyCount === 0) {
      this.askingSince = cycle + 1;
      this.awaitsTranslation = this.mustTranslate(cycle);
      if (!this.awaitsTranslation) this.asking.add(this.number, this.frontSlice);
    }
    this.readyCount = count;
    this.transfers[0]!++;
    if (cycle + 1 < this.wakes[this.memoryModule]!) this.wakes[this.memoryModule] = cycle + 1;
  }

  /** Returns whether the oldest request must wait for a translation. */
  private mustTranslate(cycle: i32): boolean {
    return this.isTranslated && !this.walker.isTranslated(this.front() >>> 1, this.number, cycle);
  }

  private fail(what: string): void {
    throw new Error(`memory client ${this.client} of module ${this.module}: ${what}`);
  }
}
