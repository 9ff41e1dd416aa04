/**
 * State of the parts of a network: links, the buffers at their ends, and the packets in them.
 *
 *     source queue ─► injection link ─► buffer ─► link ─► buffer ─► … ─► ejection link ─► receiver
 *       (chiplet)                        (router)          (router)                        (chiplet)
 *
 * Positions on a link count the bytes that it could have carried since cycle 0. A link therefore
 * carries several small packets per cycle, without rounding.
 */
import type { ChipletId } from '@tessera/frame';
import type { Packet } from './packet-network.ts';
import type { Train } from './train.ts';

/** Link in one direction. */
export interface NetworkLink {
  /** Position in the order in which links are served within a cycle. */
  readonly index: number;
  readonly name: string;
  readonly bytesPerCycle: number;
  readonly latencyCycles: number;
  /** Lanes that have candidates. */
  readonly activeLanes: Lane[];
  /** Position at which the last packet of a chiplet started. */
  readonly lastByteBySender: Map<ChipletId, number>;
  /** Position from which the link is free. */
  freeByte: number;
  /** Cycle for which a wake-up is pending; −1 if there is none. */
  wakeCycle: number;
  /** Train that uses the link alone; null if there is none. */
  train: Train | null;
  /** Whether the link is among those to serve in this cycle. */
  isPending: boolean;
  packetCount: number;
  sentBytes: number;
  receivedBytes: number;
}

/** Buffers that a packet needs at the end of a link, with the packets that wait for them. */
export interface Lane {
  readonly link: NetworkLink;
  /** One buffer, or several for a multicast on a bus. */
  readonly buffers: readonly InputBuffer[];
  /** Candidates in any order. */
  readonly candidates: Candidate[];
}

/** Copies at the head of queues wait for a link as candidates. */
export interface Candidate {
  readonly copy: PacketCopy;
  readonly queue: PacketQueue;
  readonly branch: RouteBranch;
  /** Cycle from which the packet could leave, if it were alone. */
  readonly readyCycle: number;
  readonly priority: number;
  readonly from: ChipletId;
  /**
   * Order among candidates of one sender: that of their entry into the network, or the turn of the
   * source queue.
   */
  readonly turn: number;
}

/** Link that a packet takes next, and the buffers that it reaches. */
export interface RouteBranch {
  readonly lane: Lane;
  /** Parallel to the buffers of the lane. */
  readonly ends: readonly RouteEnd[];
}

/** Continuation of a route behind a buffer. */
export interface RouteEnd {
  /** Receiver that the buffer belongs to; −1 in a router. */
  readonly receiver: ChipletId;
  readonly branches: readonly RouteBranch[];
}

/** Message of a chiplet, which the network may split. */
export interface Message {
  readonly packet: Packet;
  readonly injectCycle: number;
  /** Position in the order of all calls of `inject`. */
  readonly callIndex: number;
  readonly route: RouteBranch;
  readonly packetCount: number;
  /** Number of packets that have not arrived at the receiver of the packet. */
  missingCount: number;
  /** Number of packets of a multicast that have not arrived, by receiver; null if there is one. */
  readonly missingByReceiver: Map<ChipletId, number> | null;
  /** Interval of each link that carried packets of the message; null if they are not recorded. */
  readonly intervals: Map<NetworkLink, LinkInterval> | null;
}

/** Interval in which a link carries a message. */
export interface LinkInterval {
  readonly startCycle: number;
  endCycle: number;
}

/** Packet of a message, on one of its ways. */
export interface PacketCopy {
  readonly message: Message;
  /** Position of the packet in its message. */
  readonly packetIndex: number;
  /** Number of bytes, header included. */
  readonly bytes: number;
  readonly end: RouteEnd;
  /** Cycle from which the first byte can leave. */
  readonly headCycle: number;
  /** Cycle from which the last byte can leave. */
  readonly tailCycle: number;
  /** Position on the injection link at which the packet left its source queue. */
  readonly entryByte: number;
  /** Number of branches that the copy has not left on. */
  branchesLeft: number;
  /** Last cycle in which a byte leaves the buffer, over all branches. */
  lastCycle: number;
  /** Cycle from which the next packet of the queue can leave. */
  nextCycle: number;
}

/** First-in, first-out queue of packets. */
export interface PacketQueue {
  /** Cycle from which the packet at the head can leave. */
  freeCycle: number;
  /** Whether the head is a candidate or about to become one. */
  isOffered: boolean;
  readonly isSource: boolean;
  /** Oldest packet; undefined if the queue is empty. */
  readonly head: PacketCopy | undefined;
  /** Removes the oldest packet. */
  shift(): void;
}

/** Buffer of a virtual channel at an input. */
export class InputBuffer implements PacketQueue {
  readonly isSource = false;
  /** Link that fills the buffer. */
  readonly link: NetworkLink;
  /** Index of the virtual channel; −1 for a receiver. */
  readonly virtualChannel: number;
  readonly capacityBytes: number;
  /** Lane of the packets that need this buffer alone. */
  readonly lane: Lane;
  freeCycle = 0;
  isOffered = false;
  freeBytes: number;
  /** Largest number of bytes that were reserved or stored. */
  maxBytes = 0;
  readonly #copies: PacketCopy[] = [];
  #first = 0;

  constructor(link: NetworkLink, virtualChannel: number, capacityBytes: number) {
    this.link = link;
    this.virtualChannel = virtualChannel;
    this.capacityBytes = capacityBytes;
    this.freeBytes = capacityBytes;
    this.lane = { link, buffers: [this], candidates: [] };
  }

  get head(): PacketCopy | undefined {
    return this.#copies[this.#first];
  }

  push(copy: PacketCopy): void {
    this.#copies.push(copy);
  }

  shift(): void {
    this.#first++;
    if (this.#first < 64 || this.#first * 2 < this.#copies.length) return;
    this.#copies.splice(0, this.#first);
    this.#first = 0;
  }

  /** Reserves room for a packet that is on its way. */
  reserve(bytes: number): void {
    this.freeBytes -= bytes;
    this.maxBytes = Math.max(this.maxBytes, this.capacityBytes - this.freeBytes);
  }
}
