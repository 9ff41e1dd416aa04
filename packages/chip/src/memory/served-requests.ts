/**
 * Requests of other chiplets in progress, in their order: those that the second-level cache has not
 * taken follow those that it has.
 */
import type { i32 } from '../portable/number-types.ts';
import { REMOTE_WRITE } from '../records/record-layout.ts';

/** Ring of requests. */
export class ServedRequests {
  /** Number of the port whose tickets the requests have. */
  port: i32 = -1;
  private readonly kinds: Int32Array;
  private readonly chiplets: Int32Array;
  private readonly lines: Int32Array;
  private readonly tickets: Int32Array;
  private readonly arrivals: Int32Array;
  /** Numbers of the oldest request, of the oldest one that was not taken, and of the next one. */
  private first: i32 = 0;
  private taken: i32 = 0;
  private end: i32 = 0;

  /** @param capacity Upper bound on the requests in progress. */
  constructor(capacity: i32) {
    this.kinds = new Int32Array(capacity);
    this.chiplets = new Int32Array(capacity);
    this.lines = new Int32Array(capacity);
    this.tickets = new Int32Array(capacity);
    this.arrivals = new Int32Array(capacity);
  }

  reset(): void {
    this.first = 0;
    this.taken = 0;
    this.end = 0;
  }

  get isEmpty(): boolean {
    return this.first === this.end;
  }

  get isFull(): boolean {
    return this.end - this.first === this.kinds.length;
  }

  /** Whether the second-level cache has not taken all requests. */
  get isWaiting(): boolean {
    return this.taken < this.end;
  }

  /** Whether the oldest request was taken. */
  get isFirstTaken(): boolean {
    return this.first < this.taken;
  }

  /** Adds a request. There must be room. */
  add(kind: i32, chiplet: i32, line: i32, ticket: i32, arrival: i32): void {
    const at = this.end++ % this.kinds.length;
    this.kinds[at] = kind;
    this.chiplets[at] = chiplet;
    this.lines[at] = line;
    this.tickets[at] = ticket;
    this.arrivals[at] = arrival;
  }

  /** Line of the oldest request that was not taken, whether it is a write, and its ticket. */
  get nextLine(): i32 {
    return this.lines[this.taken % this.lines.length]!;
  }

  get isNextWrite(): boolean {
    return this.kinds[this.taken % this.kinds.length] === REMOTE_WRITE;
  }

  get nextTicket(): i32 {
    return this.tickets[this.taken % this.tickets.length]!;
  }

  take(): void {
    this.taken++;
  }

  /** Sender of the oldest request, its line, whether it is a write, its ticket and its arrival. */
  get firstChiplet(): i32 {
    return this.chiplets[this.first % this.chiplets.length]!;
  }

  get firstLine(): i32 {
    return this.lines[this.first % this.lines.length]!;
  }

  get isFirstWrite(): boolean {
    return this.kinds[this.first % this.kinds.length] === REMOTE_WRITE;
  }

  get firstTicket(): i32 {
    return this.tickets[this.first % this.tickets.length]!;
  }

  get firstArrival(): i32 {
    return this.arrivals[this.first % this.arrivals.length]!;
  }

  removeFirst(): void {
    this.first++;
  }
}
