/** Queue of the messages that a chiplet sends on one channel with one priority. */
import type { Message, PacketCopy, PacketQueue, RouteEnd } from './network-parts.ts';

/** Sizes of packets. */
export interface PacketSizes {
  readonly headerBytes: number;
  readonly packetBytes: number;
}

/** Unbounded queue that splits messages when their packets leave. */
export class SourceQueue implements PacketQueue {
  readonly isSource = true;
  freeCycle = 0;
  isOffered = false;
  /**
   * Position on the injection link of the last packet that left. Before the first it is negative,
   * and different for each queue of a chiplet.
   */
  lastByte: number;
  /** Number of bytes that wait, headers included. */
  waitingBytes = 0;
  maxBytes = 0;
  readonly #sizes: PacketSizes;
  readonly #messages: Message[] = [];
  #first = 0;
  /** Position of the head in its message. */
  #packetIndex = 0;
  #head: PacketCopy | undefined;

  /** @param index Position among the queues of the chiplet. */
  constructor(sizes: PacketSizes, index: number) {
    this.#sizes = sizes;
    this.lastByte = index - 1_000;
  }

  get head(): PacketCopy | undefined {
    const message = this.#messages[this.#first];
    if (this.#head === undefined && message !== undefined) {
      this.#head = this.#packetOf(message, this.#packetIndex);
    }
    return this.#head;
  }

  /** Returns the message at a position from the oldest; undefined behind the newest. */
  messageAt(position: number): Message | undefined {
    return this.#messages[this.#first + position];
  }

  push(message: Message): void {
    this.#messages.push(message);
    this.waitingBytes += wireBytes(this.#sizes, message.packet.bytes);
    this.maxBytes = Math.max(this.maxBytes, this.waitingBytes);
  }

  /** Counts a packet that leaves the queue. */
  leave(bytes: number, startByte: number): void {
    this.waitingBytes -= bytes;
    this.lastByte = startByte;
  }

  shift(): void {
    const { message } = this.head!;
    if (this.#packetIndex + 1 < message.packetCount) this.skipTo(this.#packetIndex + 1);
    else this.shiftMessage();
  }

  /** Continues with another packet of the oldest message. */
  skipTo(packetIndex: number): void {
    this.#head = undefined;
    this.#packetIndex = packetIndex;
  }

  /** Removes the oldest message. */
  shiftMessage(): void {
    this.skipTo(0);
    this.#first++;
    if (this.#first < 64 || this.#first * 2 < this.#messages.length) return;
    this.#messages.splice(0, this.#first);
    this.#first = 0;
  }

  #packetOf(message: Message, packetIndex: number): PacketCopy {
    const { headerBytes, packetBytes } = this.#sizes;
    const { packet, injectCycle } = message;
    const restBytes = packet.bytes - packetIndex * packetBytes;
    const end: RouteEnd = { receiver: -1, branches: [message.route] };
    return {
      message,
      packetIndex,
      bytes: headerBytes + Math.min(restBytes, packetBytes),
      end,
      headCycle: injectCycle,
      tailCycle: injectCycle,
      entryByte: -1,
      branchesLeft: 1,
      lastCycle: 0,
      nextCycle: 0,
    };
  }
}

/** Returns the number of packets that a message is split into. */
export function countPackets({ packetBytes }: PacketSizes, bytes: number): number {
  return Math.max(1, Math.ceil(bytes / packetBytes));
}

/** Returns the number of bytes of all packets of a message, headers included. */
export function wireBytes(sizes: PacketSizes, bytes: number): number {
  return bytes + countPackets(sizes, bytes) * sizes.headerBytes;
}
