/** Queue of the messages that a chiplet sends on one channel with one priority. */
import { Fifo } from './fifo.ts';
import type { Message, PacketCopy, PacketQueue } from './network-parts.ts';

/** Sizes of packets. */
export interface PacketSizes {
  readonly headerBytes: number;
  readonly packetBytes: number;
}

/** Unbounded queue of messages. The network splits the oldest when its packets leave. */
export class SourceQueue implements PacketQueue {
  readonly isSource = true;
  freeCycle = 0;
  isOffered = false;
  /** Next packet of the oldest message; undefined until the network makes it. */
  head: PacketCopy | undefined;
  /** Number of packets of the oldest message that have left. */
  leftCount = 0;
  /**
   * Position on the injection link of the last packet that left. Before the first it is negative,
   * and different for each queue of a chiplet.
   */
  lastByte: number;
  /** Number of bytes that wait, headers included. */
  waitingBytes = 0;
  readonly #sizes: PacketSizes;
  readonly #messages = new Fifo<Message>();

  /** @param index Position among the queues of the chiplet. */
  constructor(sizes: PacketSizes, index: number) {
    this.#sizes = sizes;
    this.lastByte = index - 1_000;
  }

  /** Oldest message; undefined if there is none. */
  get message(): Message | undefined {
    return this.#messages.first;
  }

  /** Number of bytes of the next packet, its header included. */
  get headBytes(): number {
    const { headerBytes, packetBytes } = this.#sizes;
    const restBytes = this.message!.packet.bytes - this.leftCount * packetBytes;
    return headerBytes + Math.min(restBytes, packetBytes);
  }

  push(message: Message): void {
    this.#messages.push(message);
    this.waitingBytes += wireBytes(this.#sizes, message.packet.bytes);
  }

  /** Counts a packet that leaves the queue. */
  leave(bytes: number, startByte: number): void {
    this.waitingBytes -= bytes;
    this.lastByte = startByte;
  }

  shift(): void {
    this.head = undefined;
    this.leftCount++;
    if (this.leftCount < this.message!.packetCount) return;
    this.leftCount = 0;
    this.#messages.shift();
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
