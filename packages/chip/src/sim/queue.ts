/**
 * Bounded FIFO between two modules of the simulated chip, with one write and one read per cycle.
 *
 * Modules are clocked from the end of the pipeline to its start (clock.ts). So in any cycle a
 * consumer pops before its producer pushes. A full queue therefore still passes one item per cycle,
 * and an item never crosses two modules in one cycle. The latency of the producer is the item's
 * ready cycle. Payloads are integers: indices into the records of the run.
 */

import { ceilPowerOfTwo } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { NEVER, type Schedule } from './schedule.ts';

/** Options of a queue. */
export interface QueueOptions {
  /** Name made of the queue's ends, such as `setupToFineBinner`. */
  readonly name: string;
  /** Upper bound on the number of items, 1 to 65536. */
  readonly capacity: i32;
  readonly schedule: Schedule;
  /** Number of the module that pushes. */
  readonly producer: i32;
  /** Number of the module that pops. */
  readonly consumer: i32;
}

/** Queue of integers, each of which is ready from a given cycle. */
export class Queue {
  /** Name composed of the two modules, such as `setupToFineBinner`. */
  readonly name: string;
  readonly capacity: i32;
  readonly producer: i32;
  readonly consumer: i32;
  private readonly wakes: Int32Array;
  private readonly transfers: Int32Array;
  /** Ring of pairs in adjacent words: an item and the cycle from which it is ready. */
  private readonly pairs: Int32Array;
  private readonly mask: i32;
  /** Word of the oldest item. */
  private head: i32 = 0;
  private count: i32 = 0;
  /**
   * Cycle from which the oldest item is ready; NEVER if there is none. It is read far more often
   * than it changes.
   */
  private frontReady: i32 = NEVER;
  private lastPush: i32 = -1;
  private lastPop: i32 = -1;

  /** @throws {RangeError} If the capacity is out of range. */
  constructor(options: QueueOptions) {
    const name = options.name;
    const capacity = options.capacity;
    if (capacity < 1 || capacity > 65_536) {
      throw new RangeError(`queue ${name}: capacity must be 1 to 65536, got ${capacity}`);
    }
    this.name = name;
    this.capacity = capacity;
    this.producer = options.producer;
    this.consumer = options.consumer;
    this.wakes = options.schedule.wakes;
    this.transfers = options.schedule.transfers;
    const size = ceilPowerOfTwo(capacity);
    this.pairs = new Int32Array(2 * size);
    this.mask = 2 * size - 1;
  }

  /** Number of items, ready or not. */
  get length(): i32 {
    return this.count;
  }

  /** Empties the queue for a new run. */
  reset(): void {
    this.head = 0;
    this.count = 0;
    this.frontReady = NEVER;
    this.lastPush = -1;
    this.lastPop = -1;
  }

  /**
   * Whether `push` would succeed. A producer that gets `false` stalls, and the next pop wakes it.
   */
  canPush(): boolean {
    return this.count < this.capacity;
  }

  /** Whether there is an item and the oldest one is ready. */
  canPop(cycle: i32): boolean {
    return this.frontReady <= cycle;
  }

  /**
   * Returns the cycle from which the oldest item is ready; NEVER if the queue is empty. A push then
   * wakes the consumer.
   */
  nextReady(): i32 {
    return this.frontReady;
  }

  /** Returns the oldest item, which must exist. */
  front(): i32 {
    return this.pairs[this.head]!;
  }

  /**
   * Appends an item that the consumer may pop from `readyCycle` on.
   *
   * @throws {Error} If the queue is full, got another push in this cycle, or the item would be
   *   ready at once. These are bugs of the caller.
   */
  push(item: i32, cycle: i32, readyCycle: i32): void {
    if (this.count >= this.capacity) this.fail('push into a full queue', cycle);
    if (cycle === this.lastPush) this.fail('second push in one cycle', cycle);
    if (readyCycle <= cycle) this.fail(`ready at ${readyCycle} already`, cycle);
    this.lastPush = cycle;
    this.transfers[0]!++;
    if (this.count > 0) {
      const at = (this.head + 2 * this.count) & this.mask;
      this.pairs[at] = item;
      this.pairs[at + 1] = readyCycle;
      this.count++;
      return;
    }
    // The host's cache holds the start of the ring.
    this.head = 0;
    this.count = 1;
    this.pairs[0] = item;
    this.pairs[1] = readyCycle;
    this.frontReady = readyCycle;
    if (readyCycle < this.wakes[this.consumer]!) this.wakes[this.consumer] = readyCycle;
  }

  /**
   * Removes and returns the oldest item.
   *
   * @throws {Error} If no item is ready, or the queue had another pop in this cycle. These are bugs
   *   of the caller.
   */
  pop(cycle: i32): i32 {
    if (this.frontReady > cycle) this.fail('pop without a ready item', cycle);
    if (cycle === this.lastPop) this.fail('second pop in one cycle', cycle);
    this.lastPop = cycle;
    const item = this.pairs[this.head]!;
    this.head = (this.head + 2) & this.mask;
    this.frontReady = this.count > 1 ? this.pairs[this.head + 1]! : NEVER;
    if (this.count-- === this.capacity && cycle < this.wakes[this.producer]!) {
      this.wakes[this.producer] = cycle;
    }
    return item;
  }

  private fail(what: string, cycle: i32): void {
    throw new Error(
      `queue ${this.name}, cycle ${cycle}: ${what} (${this.count} of ${this.capacity})`,
    );
  }
}

/** Returns an array of `first` followed by `others`. */
export function joinQueues(first: Queue, others: readonly Queue[]): Queue[] {
  const all: Queue[] = [first];
  for (let i = 0; i < others.length; i++) all.push(others[i]!);
  return all;
}
