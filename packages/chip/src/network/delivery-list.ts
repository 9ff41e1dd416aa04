import type { f64, i32 } from '../portable/number-types.ts';
import type { Message } from './packet-parts.ts';
import type { PacketPool } from './packet-pool.ts';

/** Words of a delivery for the host. */
export const DELIVERY = {
  /** Index of the message. */
  message: 0,
  from: 1,
  to: 2,
  /** Cycle from which the receiver can use it. */
  cycle: 3,
  tag: 4,
  line: 5,
  home: 6,
  /** Number of data bytes. */
  bytes: 7,
  /** 0 for requests, 1 for replies. */
  channel: 8,
} as const;
/** Number of words of a delivery. */
export const DELIVERY_WORDS = 9;

const FIRST_CAPACITY = 256;

/** Deliveries in the order of cycle, receiver, sender and injection. */
export class DeliveryList {
  /** Deliveries, each of DELIVERY_WORDS. Growing replaces the array. */
  words: Float64Array = new Float64Array(FIRST_CAPACITY * DELIVERY_WORDS);
  count: i32 = 0;
  private readonly messages: Message[] = [];

  /** Adds a delivery of a cycle that is not before the last one. */
  add(message: Message, receiver: i32, cycle: f64): void {
    if (this.count * DELIVERY_WORDS === this.words.length) this.grow();
    this.messages.push(message);
    const words = this.words;
    let at = this.count++;
    for (; at > 0 && this.isAfter(at - 1, message, receiver, cycle); at--) {
      this.messages[at] = this.messages[at - 1]!;
      const to = at * DELIVERY_WORDS;
      for (let word = 0; word < DELIVERY_WORDS; word++) {
        words[to + word] = words[to + word - DELIVERY_WORDS]!;
      }
    }
    this.messages[at] = message;
    const to = at * DELIVERY_WORDS;
    words[to + DELIVERY.message] = message.index as f64;
    words[to + DELIVERY.from] = message.from as f64;
    words[to + DELIVERY.to] = receiver as f64;
    words[to + DELIVERY.cycle] = cycle;
    words[to + DELIVERY.tag] = message.tag;
    words[to + DELIVERY.line] = message.line as f64;
    words[to + DELIVERY.home] = message.home as f64;
    words[to + DELIVERY.bytes] = message.bytes;
    words[to + DELIVERY.channel] = message.channel as f64;
  }

  /** Removes all deliveries. Messages that have reached all their receivers are used again. */
  clear(pool: PacketPool): void {
    for (let i = 0; i < this.count; i++) {
      const message = this.messages[i]!;
      if (message.receiversLeft > 0) continue;
      // A multicast may be among the deliveries several times.
      message.receiversLeft = 1;
      pool.freeMessage(message);
    }
    this.messages.length = 0;
    this.count = 0;
  }

  /** Whether an earlier delivery comes after a new one. */
  private isAfter(at: i32, message: Message, receiver: i32, cycle: f64): boolean {
    const words = this.words;
    const first = at * DELIVERY_WORDS;
    if (words[first + DELIVERY.cycle] !== cycle) return false;
    const to = words[first + DELIVERY.to]!;
    if (to !== receiver) return to > receiver;
    const other = this.messages[at]!;
    if (other.from !== message.from) return other.from > message.from;
    if (other.injectCycle !== message.injectCycle) return other.injectCycle > message.injectCycle;
    return other.order > message.order;
  }

  private grow(): void {
    const larger = new Float64Array(2 * this.words.length);
    for (let i = 0; i < this.words.length; i++) larger[i] = this.words[i]!;
    this.words = larger;
  }
}
