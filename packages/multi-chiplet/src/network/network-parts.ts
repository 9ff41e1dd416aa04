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
import { CreditQueue } from './credit-queue.ts';
import { Fifo } from './fifo.ts';
import type { Packet } from './packet-network.ts';

/** Link in one direction. */
export class NetworkLink {
  /** Position in the order in which links are served within a cycle. */
  readonly index: number;
  readonly name: string;
  readonly bytesPerCycle: number;
  readonly latencyCycles: number;
  /** Only candidate, if it needs one buffer; null if there are others or none. */
  soleCandidate: Candidate | null = null;
  /** Lanes that have candidates, except the only one. */
  readonly activeLanes: Lane[] = [];
  /** Number of active lanes that have several buffers. */
  sharedLaneCount = 0;
  /** Position from which the link is free. */
  freeByte = 0;
  /** Cycle for which a wake-up is pending; −1 if there is none. */
  wakeCycle = -1;
  /** Whether candidates wait for room alone. */
  isBlocked = false;
  /** Whether the link is among those to serve in this cycle. */
  isPending = false;
  packetCount = 0;
  sentBytes = 0;
  receivedBytes = 0;
  /** Only sender so far; −1 before the first, or if there are several. */
  #soleSender: ChipletId = -1;
  #soleLastByte = -1;
  /** Positions by sender; null if there is at most one. */
  #lastByteBySender: Map<ChipletId, number> | null = null;

  constructor(
    index: number,
    {
      name,
      bytesPerCycle,
      latencyCycles,
    }: Pick<NetworkLink, 'name' | 'bytesPerCycle' | 'latencyCycles'>,
  ) {
    this.index = index;
    this.name = name;
    this.bytesPerCycle = bytesPerCycle;
    this.latencyCycles = latencyCycles;
  }

  /** Whether a packet waits for the link. */
  get hasCandidates(): boolean {
    return this.soleCandidate !== null || this.activeLanes.length > 0;
  }

  addCandidate(candidate: Candidate): void {
    const sole = this.soleCandidate;
    if (sole === null && this.activeLanes.length === 0) {
      if (candidate.branch.lane.buffers.length === 1) {
        this.soleCandidate = candidate;
        return;
      }
    } else if (sole !== null) {
      this.soleCandidate = null;
      this.#addToLane(sole);
    }
    this.#addToLane(candidate);
  }

  #addToLane(candidate: Candidate): void {
    const { lane } = candidate.branch;
    lane.candidates.push(candidate);
    if (lane.candidates.length > 1) return;
    this.activeLanes.push(lane);
    if (lane.buffers.length > 1) this.sharedLaneCount++;
  }

  /** Returns the cycle of the next report of room for candidates; infinite if there is none. */
  nextCreditAfter(cycle: number): number {
    let next = Number.POSITIVE_INFINITY;
    const lanes = this.soleCandidate === null ? this.activeLanes : [this.soleCandidate.branch.lane];
    for (const { buffers } of lanes) {
      for (const buffer of buffers) next = Math.min(next, buffer.nextCreditAfter(cycle));
    }
    return next;
  }

  /** Returns the position at which the last packet of a chiplet started; −1 if there is none. */
  lastByteOf(from: ChipletId): number {
    if (this.#lastByteBySender !== null) return this.#lastByteBySender.get(from) ?? -1;
    return from === this.#soleSender ? this.#soleLastByte : -1;
  }

  /** Records the position at which a packet of a chiplet starts. */
  setLastByte(from: ChipletId, startByte: number): void {
    if (this.#lastByteBySender !== null) {
      this.#lastByteBySender.set(from, startByte);
    } else if (this.#soleSender === from || this.#soleSender < 0) {
      this.#soleSender = from;
      this.#soleLastByte = startByte;
    } else {
      this.#lastByteBySender = new Map([
        [this.#soleSender, this.#soleLastByte],
        [from, startByte],
      ]);
    }
  }
}

/** Buffers that a packet needs at the end of a link, with the packets that wait for them. */
export interface Lane {
  readonly link: NetworkLink;
  /** One buffer, or several for a multicast on a bus. */
  readonly buffers: readonly InputBuffer[];
  /** Candidates in any order. */
  readonly candidates: Candidate[];
}

/** Copies at the head of queues wait for a link as candidates. The network reuses candidates. */
export interface Candidate {
  copy: PacketCopy;
  queue: PacketQueue;
  branch: RouteBranch;
  /** Cycle from which the packet could leave, if it were alone. */
  readyCycle: number;
  priority: number;
  from: ChipletId;
  /**
   * Order among candidates of one sender: that of their entry into the network, or the turn of the
   * source queue.
   */
  turn: number;
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
  /** Least number of cycles from the one in which a packet can leave the buffer to a delivery. */
  readonly leastCycles: number;
}

/** Message of a chiplet, which the network may split. */
export interface Message {
  readonly packet: Packet;
  readonly injectCycle: number;
  /** Position in the order of all calls of `inject`. */
  readonly callIndex: number;
  /** Its route, which starts in the source queue. */
  readonly start: RouteEnd;
  readonly packetCount: number;
  /** Number of packets that have not arrived at the receiver of the packet. */
  missingCount: number;
  /** Number of packets of a multicast that have not arrived, by receiver; null if there is one. */
  readonly missingByReceiver: Map<ChipletId, number> | null;
  /** Interval of each link that carried packets of the message; null if they are not recorded. */
  readonly intervals: Map<NetworkLink, LinkInterval> | null;
  /** Number of receivers that have not got all of it. */
  receiversLeft: number;
  /** Number of packets that have left the source queue. */
  leftCount: number;
  /**
   * Lower bound on the delivery after the last packet has left the source queue: the packet needs
   * `leastCycles` from `headCycle` on.
   */
  headCycle: number;
  leastCycles: number;
}

/** Interval in which a link carries a message. */
export interface LinkInterval {
  readonly startCycle: number;
  endCycle: number;
}

/** Packet of a message, on one of its ways. The network reuses copies. */
export interface PacketCopy {
  message: Message;
  /** Whether it is the last packet of the message. */
  isLast: boolean;
  /** Number of bytes, header included. */
  bytes: number;
  end: RouteEnd;
  /** Buffer that the packet is in or on its way to; null in a source queue. */
  buffer: InputBuffer | null;
  /** Cycle from which the first byte can leave. */
  headCycle: number;
  /** Cycle from which the last byte can leave. */
  tailCycle: number;
  /** Position on the injection link at which the packet left its source queue. */
  entryByte: number;
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
  /** Largest number of bytes that were reserved or stored. */
  maxBytes = 0;
  #freeBytes: number;
  readonly #copies = new Fifo<PacketCopy>();
  /** Reports of room that have not arrived at the sending router. */
  readonly #credits = new CreditQueue();

  constructor(link: NetworkLink, virtualChannel: number, capacityBytes: number) {
    this.link = link;
    this.virtualChannel = virtualChannel;
    this.capacityBytes = capacityBytes;
    this.#freeBytes = capacityBytes;
    this.lane = { link, buffers: [this], candidates: [] };
  }

  get head(): PacketCopy | undefined {
    return this.#copies.first;
  }

  push(copy: PacketCopy): void {
    this.#copies.push(copy);
  }

  shift(): void {
    this.#copies.shift();
  }

  /** Returns the room that the sending router knows of in a cycle. */
  freeBytesAt(cycle: number): number {
    const credits = this.#credits;
    while (credits.nextCycle <= cycle) this.#freeBytes += credits.shift();
    return this.#freeBytes;
  }

  /** Returns the cycle of the next report of room after a cycle; infinite if there is none. */
  nextCreditAfter(cycle: number): number {
    this.freeBytesAt(cycle);
    return this.#credits.nextCycle;
  }

  /** Sends a report of room that arrives in a cycle. */
  addCredit(cycle: number, bytes: number): void {
    this.#credits.add(cycle, bytes);
  }

  /** Reserves room for a packet that starts in a cycle. */
  reserve(cycle: number, bytes: number): void {
    this.#freeBytes = this.freeBytesAt(cycle) - bytes;
    const usedBytes = this.capacityBytes - this.#freeBytes;
    if (usedBytes > this.maxBytes) this.maxBytes = usedBytes;
  }
}
