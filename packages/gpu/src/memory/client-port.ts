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
import { NEVER, type Schedule } from '../sim/schedule.ts';
import { LINE_BYTES } from './address-map.ts';

/** Requests are words: line × 2, and 1 for a write. */
export const WRITE = 1;

/** More than the largest chiplet has. */
const MAX_PORTS = 512;

/** Ports with requests that may be granted, in no order: the arbiter looks at these alone. */
export class AskingPorts {
  count = 0;
  readonly numbers = new Int32Array(MAX_PORTS);
  private portCount = 0;
  private readonly places = new Int32Array(MAX_PORTS);

  /** Gives a new port its number. */
  register(): number {
    if (this.portCount === MAX_PORTS) throw new Error(`memory: more than ${MAX_PORTS} ports`);
    return this.portCount++;
  }

  add(number: number): void {
    this.places[number] = this.count;
    this.numbers[this.count++] = number;
  }

  remove(number: number): void {
    const place = this.places[number]!;
    const moved = this.numbers[--this.count]!;
    this.numbers[place] = moved;
    this.places[moved] = place;
  }
}

export class ClientPort {
  readonly name: string;
  /** Higher goes first. */
  readonly priority: number;
  /** Number of the module that the port wakes. */
  readonly module: number;
  readonly capacity: number;
  /** Of the run. */
  bytesRead = 0;
  bytesWritten = 0;
  bytesServed = 0;
  longestWaitCycles = 0;
  waitCycles = 0;
  /** Requests that the arbiter may grant: those of bursts that are ready. */
  readyCount = 0;
  /** Since when the burst at the front is ready. */
  askingSince = 0;
  private readonly wakes: Int32Array;
  private readonly transfers: Int32Array;
  private readonly asking: AskingPorts;
  private readonly number: number;
  private readonly memoryModule: number;
  private readonly burstLines: number;
  /** A ring of pairs, side by side in memory: a request, its ticket. */
  private readonly requests: Int32Array;
  private readonly mask: number;
  /** Of the request at the front, in words. */
  private head = 0;
  private count = 0;
  private isWaitingForRoom = false;
  /** Pairs by ticket, side by side in memory: lines outstanding, the cycle from which on the others are there. */
  private readonly tickets: Int32Array;
  private readonly ticketMask: number;
  private nextTicket = 0;
  private firstOpen = 0;

  /**
   * @param module Number of the client's module; @param memoryModule that of the unit that takes its requests.
   * @param capacity Requests held at once. @param ticketCount Tickets open at once.
   * @param asking Of all ports of the arbiter, made in the order in which they take turns.
   */
  constructor(
    name: string,
    priority: number,
    schedule: Schedule,
    module: number,
    memoryModule: number,
    capacity: number,
    burstLines: number,
    ticketCount: number,
    asking: AskingPorts,
  ) {
    this.asking = asking;
    this.number = asking.register();
    this.name = name;
    this.priority = priority;
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
    this.bytesRead = 0;
    this.bytesWritten = 0;
    this.bytesServed = 0;
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
  hasRoom(lines: number, cycle: number): boolean {
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
  open(cycle: number): number {
    if (!this.canOpen()) throw new Error(`${this.name}: too many tickets`);
    const at = 2 * (this.nextTicket & this.ticketMask);
    this.tickets[at] = 0;
    this.tickets[at + 1] = cycle;
    return this.nextTicket++;
  }

  /** Asks for a line under an open ticket. There must be room. */
  read(ticket: number, line: number, cycle: number): void {
    this.tickets[2 * (ticket & this.ticketMask)]!++;
    this.bytesRead += LINE_BYTES;
    this.push(line * 2, ticket, cycle);
  }

  /** Posts the write of a whole line. There must be room. */
  write(line: number, cycle: number): void {
    this.bytesWritten += LINE_BYTES;
    this.push(line * 2 + WRITE, -1, cycle);
  }

  /** Asks for what there is, also where it is no full burst. */
  endBurst(cycle: number): void {
    if (this.count > this.readyCount) this.ask(this.count, cycle);
  }

  isDone(ticket: number, cycle: number): boolean {
    const at = 2 * (ticket & this.ticketMask);
    return this.tickets[at] === 0 && this.tickets[at + 1]! <= cycle;
  }

  /** The cycle from which on the ticket is done; NEVER as long as a line is missing: the port wakes the client. */
  doneCycle(ticket: number): number {
    const at = 2 * (ticket & this.ticketMask);
    return this.tickets[at] === 0 ? this.tickets[at + 1]! : NEVER;
  }

  /** The client is through with its oldest ticket, which is done. */
  close(ticket: number): void {
    if (ticket !== this.firstOpen || this.tickets[2 * (ticket & this.ticketMask)] !== 0) {
      throw new Error(`${this.name}: ticket ${ticket} closed out of turn`);
    }
    this.firstOpen++;
  }

  /** For the memory: the request at the front. */
  front(): number {
    return this.requests[this.head]!;
  }

  /** For the memory: the ticket of the request at the front, −1 for a write. */
  frontTicket(): number {
    return this.requests[this.head + 1]!;
  }

  /** For the memory: the length of the burst at the front, with at least one request ready. */
  burstLength(): number {
    return this.readyCount < this.burstLines ? this.readyCount : this.burstLines;
  }

  /** For the memory: the arbiter grants a burst. */
  grant(cycle: number): void {
    const waited = cycle - this.askingSince;
    this.waitCycles += waited;
    if (waited > this.longestWaitCycles) this.longestWaitCycles = waited;
  }

  /** For the memory: takes the request at the front. */
  take(cycle: number): void {
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
  serve(ticket: number, readyCycle: number): void {
    this.bytesServed += LINE_BYTES;
    if (ticket < 0) return;
    const { tickets } = this;
    const at = 2 * (ticket & this.ticketMask);
    if (readyCycle > tickets[at + 1]!) tickets[at + 1] = readyCycle;
    if (--tickets[at]! > 0) return;
    const done = tickets[at + 1]!;
    if (done < this.wakes[this.module]!) this.wakes[this.module] = done;
  }

  private push(request: number, ticket: number, cycle: number): void {
    if (this.count === this.capacity) throw new Error(`${this.name}: no room`);
    const at = (this.head + 2 * this.count) & this.mask;
    this.requests[at] = request;
    this.requests[at + 1] = ticket;
    this.count++;
    if (this.count - this.readyCount === this.burstLines) this.ask(this.count, cycle);
  }

  private ask(count: number, cycle: number): void {
    if (this.readyCount === 0) {
      this.askingSince = cycle + 1;
      this.asking.add(this.number);
    }
    this.readyCount = count;
    this.transfers[0]!++;
    if (cycle + 1 < this.wakes[this.memoryModule]!) this.wakes[this.memoryModule] = cycle + 1;
  }
}

function ceilPowerOfTwo(count: number): number {
  return 2 ** (32 - Math.clz32(count - 1 || 1));
}
