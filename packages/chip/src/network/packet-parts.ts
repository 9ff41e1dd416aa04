/**
 * Parts of the packet network and what moves through them. Objects are used again, because the
 * compiled model never frees memory.
 */
import type { f64, i32 } from '../portable/number-types.ts';
import { CreditQueue } from './credit-queue.ts';

/** Subject of an event. The kind of the event determines its class. */
export class EventSubject {}

/** Buffers that a packet needs at the end of a link, with the packets that wait for them. */
export class Lane {
  readonly link: NetworkLink;
  /** One buffer, or several for a multicast on a bus. */
  readonly buffers: InputBuffer[] = [];
  /** Candidates in any order. */
  readonly candidates: Candidate[] = [];

  constructor(link: NetworkLink) {
    this.link = link;
  }
}

/** Link in one direction. */
export class NetworkLink extends EventSubject {
  /** Position in the order in which links are served within a cycle. */
  readonly index: i32;
  readonly bytesPerCycle: f64;
  readonly latencyCycles: f64;
  /** Only candidate, if it needs one buffer; null if there are others or none. */
  soleCandidate: Candidate | null = null;
  /** Lanes that have candidates, except the only one. */
  readonly activeLanes: Lane[] = [];
  /** Number of active lanes that have several buffers. */
  sharedLaneCount: i32 = 0;
  /** Position from which the link is free. */
  freeByte: f64 = 0;
  /** Cycle for which a wake-up is pending; −1 if there is none. */
  wakeCycle: f64 = -1;
  /** Whether candidates wait for room alone. */
  isBlocked: boolean = false;
  /** Whether the link is among those to serve in this cycle. */
  isPending: boolean = false;
  packetCount: f64 = 0;
  sentBytes: f64 = 0;
  receivedBytes: f64 = 0;
  /** Interval of the last recorded message, and its position in the order of injections. */
  interval: LinkInterval | null = null;
  intervalOrder: f64 = -1;
  /** Only sender so far; −1 before the first. */
  private soleSender: i32 = -1;
  private soleLastByte: f64 = -1;
  private readonly chipletCount: i32;
  /** Positions by sender, if there are several. */
  private lastBytes: Float64Array | null = null;

  constructor(index: i32, bytesPerCycle: f64, latencyCycles: f64, chipletCount: i32) {
    super();
    this.index = index;
    this.bytesPerCycle = bytesPerCycle;
    this.latencyCycles = latencyCycles;
    this.chipletCount = chipletCount;
  }

  /** Whether a packet waits for the link. */
  get hasCandidates(): boolean {
    return this.soleCandidate !== null || this.activeLanes.length > 0;
  }

  addCandidate(candidate: Candidate): void {
    const sole = this.soleCandidate;
    if (sole !== null) {
      this.soleCandidate = null;
      this.addToLane(sole);
    } else if (this.activeLanes.length === 0 && candidate.branch.lane.buffers.length === 1) {
      this.soleCandidate = candidate;
      return;
    }
    this.addToLane(candidate);
  }

  /** Removes a candidate of an active lane. */
  removeCandidate(candidate: Candidate): void {
    const lane = candidate.branch.lane;
    const candidates = lane.candidates;
    const at = candidates.indexOf(candidate);
    candidates[at] = candidates[candidates.length - 1]!;
    candidates.pop();
    if (candidates.length > 0) return;
    const lanes = this.activeLanes;
    const laneAt = lanes.indexOf(lane);
    lanes[laneAt] = lanes[lanes.length - 1]!;
    lanes.pop();
    if (lane.buffers.length > 1) this.sharedLaneCount--;
  }

  /** Returns the cycle of the next report of room for candidates; infinite if there is none. */
  nextCreditAfter(cycle: f64): f64 {
    const sole = this.soleCandidate;
    if (sole !== null) return sole.branch.lane.buffers[0]!.nextCreditAfter(cycle);
    let next: f64 = Infinity;
    for (let i = 0; i < this.activeLanes.length; i++) {
      const buffers = this.activeLanes[i]!.buffers;
      for (let j = 0; j < buffers.length; j++) {
        const credit = buffers[j]!.nextCreditAfter(cycle);
        if (credit < next) next = credit;
      }
    }
    return next;
  }

  /** Returns the position at which the last packet of a chiplet started; −1 if there is none. */
  lastByteOf(from: i32): f64 {
    const lastBytes = this.lastBytes;
    if (lastBytes !== null) return lastBytes[from]!;
    return from === this.soleSender ? this.soleLastByte : -1;
  }

  /** Records the position at which a packet of a chiplet starts. */
  setLastByte(from: i32, startByte: f64): void {
    let lastBytes = this.lastBytes;
    if (lastBytes === null) {
      if (this.soleSender === from || this.soleSender < 0) {
        this.soleSender = from;
        this.soleLastByte = startByte;
        return;
      }
      lastBytes = new Float64Array(this.chipletCount);
      lastBytes.fill(-1);
      lastBytes[this.soleSender] = this.soleLastByte;
      this.lastBytes = lastBytes;
    }
    lastBytes[from] = startByte;
  }

  private addToLane(candidate: Candidate): void {
    const lane = candidate.branch.lane;
    lane.candidates.push(candidate);
    if (lane.candidates.length > 1) return;
    this.activeLanes.push(lane);
    if (lane.buffers.length > 1) this.sharedLaneCount++;
  }
}

/** Continuation of a route behind a buffer. */
export class RouteEnd {
  /** Receiver that the buffer belongs to; −1 in a router. */
  readonly receiver: i32;
  /** Least number of cycles from the one in which a packet can leave the buffer to a delivery. */
  readonly leastCycles: f64;
  readonly branches: RouteBranch[] = [];

  constructor(receiver: i32, leastCycles: f64) {
    this.receiver = receiver;
    this.leastCycles = leastCycles;
  }
}

/** Link that a packet takes next, and the buffers that it reaches. */
export class RouteBranch {
  readonly lane: Lane;
  /** Parallel to the buffers of the lane. */
  readonly ends: RouteEnd[] = [];

  constructor(lane: Lane) {
    this.lane = lane;
  }
}

/** Interval in which a link carries a message. */
export class LinkInterval {
  readonly link: NetworkLink;
  readonly startCycle: f64;
  endCycle: f64;

  constructor(link: NetworkLink, startCycle: f64, endCycle: f64) {
    this.link = link;
    this.startCycle = startCycle;
    this.endCycle = endCycle;
  }
}

/** Message of a chiplet, which the network may split. */
export class Message extends EventSubject {
  /**
   * Number by which the host finds it, until the next call of `advance` after its last delivery.
   */
  readonly index: i32;
  from: i32 = 0;
  /** Receiver; the sender itself for a multicast. */
  to: i32 = 0;
  /** 0 for requests, 1 for replies. */
  channel: i32 = 0;
  priority: i32 = 0;
  /** Number of data bytes. */
  bytes: f64 = 0;
  injectCycle: f64 = 0;
  /** Numbers of the caller. */
  tag: f64 = 0;
  line: i32 = 0;
  home: i32 = 0;
  /** Position in the order of all injections. */
  order: f64 = 0;
  /** Its route, which starts in the source queue. */
  start: RouteEnd;
  packetCount: f64 = 0;
  /** Number of packets that have not arrived at the only receiver. */
  missingCount: f64 = 0;
  /** Number of packets of a multicast that have not arrived, by receiver. */
  missingByReceiver: Float64Array | null = null;
  /** Number of receivers that have not got all of it. */
  receiversLeft: i32 = 0;
  /** Number of packets that have left the source queue. */
  leftCount: f64 = 0;
  /**
   * Lower bound on the delivery after the last packet has left the source queue: the packet needs
   * `leastCycles` from `headCycle` on.
   */
  headCycle: f64 = 0;
  leastCycles: f64 = 0;
  /** Whether the intervals of the links that carry it are recorded. */
  isRecorded: boolean = false;
  readonly intervals: LinkInterval[] = [];
  /** Next message of the source queue. */
  next: Message | null = null;

  constructor(index: i32, start: RouteEnd) {
    super();
    this.index = index;
    this.start = start;
  }

  /** Adds a packet to the interval in which a link carries the message, if these are recorded. */
  extendInterval(link: NetworkLink, startCycle: f64, endCycle: f64): void {
    if (!this.isRecorded) return;
    let interval = link.interval;
    if (interval === null || link.intervalOrder !== this.order) interval = this.intervalOf(link);
    if (interval === null) {
      interval = new LinkInterval(link, startCycle, endCycle);
      this.intervals.push(interval);
    }
    interval.endCycle = endCycle;
    link.interval = interval;
    link.intervalOrder = this.order;
  }

  private intervalOf(link: NetworkLink): LinkInterval | null {
    for (let i = 0; i < this.intervals.length; i++) {
      const interval = this.intervals[i]!;
      if (interval.link === link) return interval;
    }
    return null;
  }
}

/** Packet of a message, on one of its ways. */
export class PacketCopy extends EventSubject {
  message: Message;
  /** Whether it is the last packet of the message. */
  isLast: boolean = false;
  /** Number of bytes, header included. */
  bytes: f64 = 0;
  end: RouteEnd;
  /** Buffer that the packet is in or on its way to; null in a source queue. */
  buffer: InputBuffer | null = null;
  /** Cycle from which the first byte can leave. */
  headCycle: f64 = 0;
  /** Cycle from which the last byte can leave. */
  tailCycle: f64 = 0;
  /** Position on the injection link at which the packet left its source queue. */
  entryByte: f64 = -1;
  /** Number of branches that the copy has not left on. */
  branchesLeft: i32 = 0;
  /** Last cycle in which a byte leaves the buffer, over all branches. */
  lastCycle: f64 = 0;
  /** Cycle from which the next packet of the queue can leave. */
  nextCycle: f64 = 0;
  /** Next copy in the buffer, or among those that are free. */
  next: PacketCopy | null = null;

  constructor(message: Message, end: RouteEnd) {
    super();
    this.message = message;
    this.end = end;
  }
}

/** Copies at the head of queues wait for a link as candidates. */
export class Candidate extends EventSubject {
  copy: PacketCopy;
  queue: PacketQueue;
  branch: RouteBranch;
  /** Cycle from which the packet could leave, if it were alone. */
  readyCycle: f64 = 0;
  priority: i32 = 0;
  from: i32 = 0;
  /**
   * Order among candidates of one sender: that of their entry into the network, or the turn of the
   * source queue.
   */
  turn: f64 = 0;
  /** Next one of those that are free. */
  next: Candidate | null = null;

  constructor(copy: PacketCopy, queue: PacketQueue, branch: RouteBranch) {
    super();
    this.copy = copy;
    this.queue = queue;
    this.branch = branch;
  }
}

/** First-in, first-out queue of packets: a source queue or a buffer. */
export class PacketQueue extends EventSubject {
  readonly isSource: boolean;
  /** Cycle from which the packet at the head can leave. */
  freeCycle: f64 = 0;
  /** Whether the head is a candidate or about to become one. */
  isOffered: boolean = false;
  /** Oldest packet; in a source queue null until the network makes it. */
  head: PacketCopy | null = null;

  constructor(isSource: boolean) {
    super();
    this.isSource = isSource;
  }
}

/** Buffer of a virtual channel at an input. */
export class InputBuffer extends PacketQueue {
  /** Link that fills the buffer. */
  readonly link: NetworkLink;
  /** Index of the virtual channel; −1 for a receiver. */
  readonly virtualChannel: i32;
  readonly capacityBytes: f64;
  /** Largest number of bytes that were reserved or stored. */
  maxBytes: f64 = 0;
  private freeBytes: f64;
  private last: PacketCopy | null = null;
  /** Reports of room that have not arrived at the sending router. */
  private readonly credits: CreditQueue = new CreditQueue();

  constructor(link: NetworkLink, virtualChannel: i32, capacityBytes: f64) {
    super(false);
    this.link = link;
    this.virtualChannel = virtualChannel;
    this.capacityBytes = capacityBytes;
    this.freeBytes = capacityBytes;
  }

  push(copy: PacketCopy): void {
    copy.next = null;
    const last = this.last;
    if (last === null) this.head = copy;
    else last.next = copy;
    this.last = copy;
  }

  shift(): void {
    const head = this.head!.next;
    this.head = head;
    if (head === null) this.last = null;
  }

  /** Returns the room that the sending router knows of in a cycle. */
  freeBytesAt(cycle: f64): f64 {
    const credits = this.credits;
    while (credits.nextCycle <= cycle) this.freeBytes += credits.shift();
    return this.freeBytes;
  }

  /** Returns the cycle of the next report of room after a cycle; infinite if there is none. */
  nextCreditAfter(cycle: f64): f64 {
    this.freeBytesAt(cycle);
    return this.credits.nextCycle;
  }

  /** Sends a report of room that arrives in a cycle. */
  addCredit(cycle: f64, bytes: f64): void {
    this.credits.add(cycle, bytes);
  }

  /** Reserves room for a packet that starts in a cycle. */
  reserve(cycle: f64, bytes: f64): void {
    this.freeBytes = this.freeBytesAt(cycle) - bytes;
    const usedBytes = this.capacityBytes - this.freeBytes;
    if (usedBytes > this.maxBytes) this.maxBytes = usedBytes;
  }
}

/** Unbounded queue of the messages that a chiplet sends on one channel with one priority. */
export class SourceQueue extends PacketQueue {
  /** Oldest message. The network splits it when its packets leave. */
  message: Message | null = null;
  private last: Message | null = null;
  /** Number of packets of the oldest message that have left. */
  leftCount: f64 = 0;
  /**
   * Position on the injection link of the last packet that left. Before the first it is negative,
   * and different for each queue of a chiplet.
   */
  lastByte: f64;
  /** Number of bytes that wait, headers included. */
  waitingBytes: f64 = 0;

  constructor(firstByte: f64) {
    super(true);
    this.lastByte = firstByte;
  }

  push(message: Message, wireBytes: f64): void {
    message.next = null;
    const last = this.last;
    if (last === null) this.message = message;
    else last.next = message;
    this.last = message;
    this.waitingBytes += wireBytes;
  }

  /** Counts a packet that leaves the queue. */
  leave(bytes: f64, startByte: f64): void {
    this.waitingBytes -= bytes;
    this.lastByte = startByte;
  }

  shift(): void {
    this.head = null;
    this.leftCount++;
    const message = this.message!;
    if (this.leftCount < message.packetCount) return;
    this.leftCount = 0;
    this.message = message.next;
    if (message.next === null) this.last = null;
  }
}
