/**
 * Control unit of one client of memory: collects requests for lines into bursts, asks the arbiter once a burst is
 * there, and counts what comes back.
 *
 * A client opens a ticket, reads lines under it and waits until the ticket is done; it is woken then. Tickets are
 * numbered in order and closed in that order. Writes are posted: once there is room for a write, it is done with.
 *
 *   if (!port.hasRoom(lines, cycle)) … stalled; the port wakes the client
 *   const ticket = port.open(cycle);
 *   port.read(ticket, line, cycle);          // as often as wanted
 *   port.endBurst(cycle);                    // nothing more comes for now
 *   … port.isDone(ticket, cycle), port.doneCycle(ticket)
 *   port.close(ticket);
 */

import { ceilPowerOfTwo } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { NEVER, type Schedule } from '../sim/schedule.ts';

/** Requests are words: line × 2, and 1 for a write. */
export const WRITE = 1;

/** More than the largest chiplet has. */
const MAX_PORTS = 512;

/** Ports with requests that may be granted, in no order: the arbiter looks at these alone. */
export class AskingPorts {
  count: i32 = 0;
  readonly numbers: Int32Array = new Int32Array(MAX_PORTS);
  private portCount: i32 = 0;
  private readonly places: Int32Array = new Int32Array(MAX_PORTS);

  /** Gives a new port its number. */
  register(): i32 {
    if (this.portCount === MAX_PORTS) throw new Error(`memory: more than ${MAX_PORTS} ports`);
    return this.portCount++;
  }

  add(number: i32): void {
    this.places[number] = this.count;
    this.numbers[this.count++] = number;
  }

  remove(number: i32): void {
    const place = this.places[number]!;
    const moved = this.numbers[--this.count]!;
    this.numbers[place] = moved;
    this.places[moved] = place;
  }
}

export class ClientPort {
  /** Of MEMORY_CLIENT: its priority, higher goes first. */
  readonly client: i32;
  /** Number of the module that the port wakes. */
  readonly module: i32;
  readonly capacity: i32;
  /** Of the run. */
  linesRead: i32 = 0;
  linesWritten: i32 = 0;
  linesServed: i32 = 0;
  longestWaitCycles: i32 = 0;
  waitCycles: i32 = 0;
  /** Requests that the arbiter may grant: those of bursts that are ready. */
  readyCount: i32 = 0;
  /** Since when the burst at the front is ready. */
  askingSince: i32 = 0;
  private readonly wakes: Int32Array;
  private readonly transfers: Int32Array;
  private readonly asking: AskingPorts;
  private readonly number: i32;
  private readonly memoryModule: i32;
  private readonly burstLines: i32;
  /** A ring of pairs, side by side in memory: a request, its ticket. */
  private readonly requests: Int32Array;
  private readonly mask: i32;
  /** Of the request at the front, in words. */
  private head: i32 = 0;
  private count: i32 = 0;
  private isWaitingForRoom: boolean = false;
  /** Pairs by ticket, side by side in memory: lines outstanding, the cycle from which on the others are there. */
  private readonly tickets: Int32Array;
  private readonly ticketMask: i32;
  private nextTicket: i32 = 0;
  private firstOpen: i32 = 0;

  /**
   * @param client Of MEMORY_CLIENT. @param module Number of the client's module; @param memoryModule that of the unit that takes its requests.
   * @param capacity Requests held at once. @param ticketCount Tickets open at once.
   * @param asking Of all ports of the arbiter, made in the order in which they take turns.
   */
  constructor(
    client: i32,
    schedule: Schedule,
    module: i32,
    memoryModule: i32,
    capacity: i32,
    burstLines: i32,
    ticketCount: i32,
    asking: AskingPorts,
  ) {
    this.asking = asking;
    this.number = asking.register();
    this.client = client;
    this.wakes = schedule.wakes;
    this.transfers = schedule.transfers;
    this.module = module;
    this.memoryModule = memoryModule;
    this.capacity = capacity;
    this.burstLines = burstLines;
    const size = ceilPowerOfTwo(capacity);
    this.requests = new Int32Array(2 * size);
    this.mask = 2 * size - 1;
    const ticketSize = ceilPowerOfTwo(ticketCount);
    this.tickets = new Int32Array(2 * ticketSize);
    this.ticketMask = ticketSize - 1;
  }

  reset(): void {
    this.linesRead = 0;
    this.linesWritten = 0;
    this.linesServed = 0;
    this.longestWaitCycles = 0;
    this.waitCycles = 0;
    if (this.readyCount > 0) this.asking.remove(this.number);
    this.readyCount = 0;
    this.head = 0;
    this.count = 0;
    this.isWaitingForRoom = false;
    this.nextTicket = 0;
    this.firstOpen = 0;
  }

  /** Whether no request waits here; reads may still be on their way back. */
  get isEmpty(): boolean {
    return this.count === 0;
  }

  /**
   * Whether `lines` more requests fit, at most `capacity`. If not, what is there is asked for, and the client is
   * woken when there is more room.
   */
  hasRoom(lines: i32, cycle: i32): boolean {
    if (this.count + lines <= this.capacity) return true;
    this.isWaitingForRoom = true;
    this.endBurst(cycle);
    return false;
  }

  /** Whether another ticket can be opened. A close makes room. */
  canOpen(): boolean {
    return this.nextTicket - this.firstOpen <= this.ticketMask;
  }

  /** Starts a group of reads; one without reads is done at once. */
  open(cycle: i32): i32 {
    if (!this.canOpen()) this.fail('too many tickets');
    const at = 2 * (this.nextTicket & this.ticketMask);
    this.tickets[at] = 0;
    this.tickets[at + 1] = cycle;
    return this.nextTicket++;
  }

  /** Asks for a line under an open ticket. There must be room. */
  read(ticket: i32, line: i32, cycle: i32): void {
    this.tickets[2 * (ticket & this.ticketMask)]!++;
    this.linesRead++;
    this.push(line * 2, ticket, cycle);
  }

  /** Posts the write of a whole line. There must be room. */
  write(line: i32, cycle: i32): void {
    this.linesWritten++;
    this.push(line * 2 + WRITE, -1, cycle);
  }

  /** Asks for what there is, also where it is no full burst. */
  endBurst(cycle: i32): void {
    if (this.count > this.readyCount) this.ask(this.count, cycle);
  }

  isDone(ticket: i32, cycle: i32): boolean {
    const at = 2 * (ticket & this.ticketMask);
    return this.tickets[at] === 0 && this.tickets[at + 1]! <= cycle;
  }

  /** The cycle from which on the ticket is done; NEVER as long as a line is missing: the port wakes the client. */
  doneCycle(ticket: i32): i32 {
    const at = 2 * (ticket & this.ticketMask);
    return this.tickets[at] === 0 ? this.tickets[at + 1]! : NEVER;
  }

  /** The client is through with its oldest ticket, which is done. */
  close(ticket: i32): void {
    if (ticket !== this.firstOpen || this.tickets[2 * (ticket & this.ticketMask)] !== 0) {
      this.fail(`ticket ${ticket} closed out of turn`);
    }
    this.firstOpen++;
  }

  /** For the memory: the request at the front. */
  front(): i32 {
    return this.requests[this.head]!;
  }

  /** For the memory: the ticket of the request at the front, −1 for a write. */
  frontTicket(): i32 {
    return this.requests[this.head + 1]!;
  }

  /** For the memory: the length of the burst at the front, with at least one request ready. */
  burstLength(): i32 {
    return this.readyCount < this.burstLines ? this.readyCount : this.burstLines;
  }

  /** For the memory: the arbiter grants a burst. */
  grant(cycle: i32): void {
    const waited = cycle - this.askingSince;
    this.waitCycles += waited;
    if (waited > this.longestWaitCycles) this.longestWaitCycles = waited;
  }

  /** For the memory: takes the request at the front. */
  take(cycle: i32): void {
    this.head = (this.head + 2) & this.mask;
    this.count--;
    if (--this.readyCount === 0) this.asking.remove(this.number);
    this.askingSince = cycle + 1;
    if (this.isWaitingForRoom) {
      this.isWaitingForRoom = false;
      if (cycle < this.wakes[this.module]!) this.wakes[this.module] = cycle;
    }
  }

  /** For the memory: a line of the ticket is at the client from `readyCycle` on; −1 for a write that is done. */
  serve(ticket: i32, readyCycle: i32): void {
    this.linesServed++;
    if (ticket < 0) return;
    const tickets = this.tickets;
    const at = 2 * (ticket & this.ticketMask);
    if (readyCycle > tickets[at + 1]!) tickets[at + 1] = readyCycle;
    if (--tickets[at]! > 0) return;
    const done = tickets[at + 1]!;
    if (done < this.wakes[this.module]!) this.wakes[this.module] = done;
  }

  private push(request: i32, ticket: i32, cycle: i32): void {
    if (this.count === this.capacity) this.fail('no room');
    const at = (this.head + 2 * this.count) & this.mask;
    this.requests[at] = request;
    this.requests[at + 1] = ticket;
    this.count++;
    if (this.count - this.readyCount === this.burstLines) this.ask(this.count, cycle);
  }

  private ask(count: i32, cycle: i32): void {
    if (this.readyCount === 0) {
      this.askingSince = cycle + 1;
      this.asking.add(this.number);
    }
    this.readyCount = count;
    this.transfers[0]!++;
    if (cycle + 1 < this.wakes[this.memoryModule]!) this.wakes[this.memoryModule] = cycle + 1;
  }

  private fail(what: string): void {
    throw new Error(`memory client ${this.client} of module ${this.module}: ${what}`);
  }
}
