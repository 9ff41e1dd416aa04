/**
 * Packet network between chiplets, simulated to the cycle by events. Cycles without events cost
 * nothing.
 *
 * - Virtual cut-through (Kermani and Kleinrock, 1979): a packet leaves a router while its end still
 *   arrives, if the next buffer has room for all of it. It waits until it can leave without a gap.
 * - Credits: a buffer reports room to the sending router when a packet has left it. The report
 *   takes the latency of the link.
 * - Virtual channels: requests and replies, and two levels on rings, have buffers of their own.
 * - Multicast: a packet is copied where its ways divide.
 *
 * Cycles and positions on links are doubles: a sequence of frames may take more cycles than a word
 * can count. docs/network.md describes the model and argues that it is free of deadlock.
 */
import type { f64, i32 } from '../portable/number-types.ts';
import { takeCandidate } from './choose-candidate.ts';
import { CycleEvents } from './cycle-events.ts';
import { DeliveryList } from './delivery-list.ts';
import {
  type Candidate,
  type EventSubject,
  type InputBuffer,
  type Message,
  type NetworkLink,
  type PacketCopy,
  type PacketQueue,
  type RouteBranch,
  type RouteEnd,
  SourceQueue,
} from './packet-parts.ts';
import { PacketPool } from './packet-pool.ts';
import { PendingLinks } from './pending-links.ts';

/** Message that enters its source queue. */
const INJECT = 0;
/** Copy whose last byte has reached its receiver. */
const DELIVERY = 1;
/** Candidate that can leave without a gap. */
const CANDIDATE = 2;
/** Queue whose head can leave. */
const HEAD = 3;
/** Link that is free, or may have room at its end. */
const WAKE = 4;

/** Sizes of packets, and figures that all routers share. */
export interface PacketModelOptions {
  readonly chipletCount: i32;
  readonly priorities: i32;
  readonly routerCycles: f64;
  readonly headerBytes: f64;
  /** Largest number of data bytes in a packet. */
  readonly packetBytes: f64;
  readonly portBytesPerCycle: f64;
  readonly virtualChannelCount: i32;
}

/** Network of one simulation. */
export class PacketModel {
  readonly pool: PacketPool = new PacketPool();
  readonly deliveries: DeliveryList = new DeliveryList();
  /** Cycles that packets waited at their senders to enter the network. */
  sourceWaitCycles: f64 = 0;
  /** Cycles that packets waited in buffers, by virtual channel. */
  readonly waitCycles: Float64Array;
  private readonly chipletCount: i32;
  private readonly priorities: i32;
  private readonly routerCycles: f64;
  private readonly headerBytes: f64;
  private readonly packetBytes: f64;
  private readonly portBytesPerCycle: f64;
  private readonly events: CycleEvents = new CycleEvents();
  private readonly pendingLinks: PendingLinks = new PendingLinks();
  /** Source queues by chiplet, channel and priority. */
  private readonly sources: SourceQueue[] = [];
  /** Messages that are not delivered, and whose intervals are recorded. */
  private readonly recorded: Message[] = [];
  private injectCount: f64 = 0;
  private bound: f64 = 0;
  private now: f64 = 0;

  constructor(options: PacketModelOptions) {
    this.chipletCount = options.chipletCount;
    this.priorities = options.priorities;
    this.routerCycles = options.routerCycles;
    this.headerBytes = options.headerBytes;
    this.packetBytes = options.packetBytes;
    this.portBytesPerCycle = options.portBytesPerCycle;
    this.waitCycles = new Float64Array(options.virtualChannelCount);
    const queues = 2 * options.priorities;
    for (let i = 0; i < options.chipletCount * queues; i++) {
      this.sources.push(new SourceQueue((i % queues) - 1000));
    }
  }

  /** Next cycle in which something happens; infinite if the network is empty. */
  get nextCycle(): f64 {
    return this.events.nextCycle;
  }

  /**
   * Cycle before which no recorded message is delivered, unless it is injected later. Infinite if
   * there is none.
   */
  get nextRecordedCycle(): f64 {
    const next = this.events.nextCycle;
    const now = next > this.bound ? next : this.bound;
    let least: f64 = Infinity;
    for (let i = 0; i < this.recorded.length; i++) {
      const message = this.recorded[i]!;
      const waiting = message.packetCount - message.leftCount;
      let cycle: f64 = 0;
      if (waiting === 0) {
        cycle = (message.headCycle > now ? message.headCycle : now) + message.leastCycles;
      } else {
        const bytes = (waiting - 1) * this.packetBytes;
        cycle = now + Math.floor(bytes / this.portBytesPerCycle) + message.start.leastCycles;
      }
      if (cycle < least) least = cycle;
    }
    return least;
  }

  /** Returns the number of packets that a message is split into. */
  countPackets(bytes: f64): f64 {
    return bytes <= this.packetBytes ? 1 : Math.ceil(bytes / this.packetBytes);
  }

  /** Returns the number of bytes of all packets of a message, headers included. */
  wireBytes(bytes: f64): f64 {
    return bytes + this.countPackets(bytes) * this.headerBytes;
  }

  /**
   * Returns a message whose sender, receiver and numbers the caller sets before it injects it.
   *
   * @param start Its route.
   */
  takeMessage(start: RouteEnd): Message {
    return this.pool.takeMessage(start);
  }

  /** Sends a message at its `injectCycle`, which is not before the bound of the last `advance`. */
  inject(message: Message): void {
    const packets = this.countPackets(message.bytes);
    message.order = this.injectCount++;
    message.packetCount = packets;
    message.missingCount = packets;
    message.receiversLeft = 1;
    if (message.to === message.from) {
      const missing = new Float64Array(this.chipletCount);
      missing.fill(packets);
      message.missingByReceiver = missing;
      message.receiversLeft = this.chipletCount - 1;
    }
    if (message.isRecorded) this.recorded.push(message);
    this.events.add(message.injectCycle, INJECT, message);
  }

  /** Returns room to a receiver, at a cycle from now on. */
  release(buffer: InputBuffer, cycle: f64, bytes: f64): void {
    this.returnRoom(buffer, cycle > this.bound ? cycle : this.bound, this.wireBytes(bytes));
  }

  /** Returns the number of bytes that wait at a chiplet to enter the network. */
  waitingBytes(from: i32, channel: i32): f64 {
    let bytes: f64 = 0;
    for (let priority = 0; priority < this.priorities; priority++) {
      bytes += this.sourceOf(from, channel, priority).waitingBytes;
    }
    return bytes;
  }

  /** Simulates all cycles before `untilCycle`. `deliveries` has those of these cycles. */
  advance(untilCycle: f64): void {
    this.deliveries.clear(this.pool);
    while (this.events.nextCycle < untilCycle) this.simulateCycle(this.events.nextCycle);
    if (untilCycle <= this.bound) return;
    this.bound = untilCycle;
    this.events.moveTo(untilCycle);
  }

  private simulateCycle(cycle: f64): void {
    this.now = cycle;
    for (let event = this.events.take(cycle); event !== null; event = this.events.take(cycle)) {
      this.apply(event.kind, event.subject);
    }
    const pending = this.pendingLinks;
    for (let link = pending.take(); link !== null; link = pending.take()) this.serve(link);
  }

  /** Applies an event. The order of the events of a cycle has no influence. */
  private apply(kind: i32, subject: EventSubject): void {
    if (kind === CANDIDATE) {
      this.addCandidate(subject as Candidate);
    } else if (kind === DELIVERY) {
      this.deliver(subject as PacketCopy);
    } else if (kind === HEAD) {
      const queue = subject as PacketQueue;
      queue.isOffered = false;
      this.offerHead(queue);
    } else if (kind === WAKE) {
      const link = subject as NetworkLink;
      if (link.wakeCycle === this.now) link.wakeCycle = -1;
      if (link.hasCandidates) this.pendingLinks.add(link);
    } else {
      this.enqueue(subject as Message);
    }
  }

  private enqueue(message: Message): void {
    const source = this.sourceOf(message.from, message.channel, message.priority);
    source.push(message, this.wireBytes(message.bytes));
    this.offerHead(source);
  }

  private sourceOf(from: i32, channel: i32, priority: i32): SourceQueue {
    return this.sources[(from * 2 + channel) * this.priorities + priority]!;
  }

  /** Makes the head of a queue a candidate for the links that it takes next. */
  private offerHead(queue: PacketQueue): void {
    if (queue.isOffered) return;
    if (queue.isSource) this.makeHead(queue as SourceQueue);
    const head = queue.head;
    if (head === null) return;
    queue.isOffered = true;
    if (queue.freeCycle > this.now) {
      this.events.add(queue.freeCycle, HEAD, queue);
      return;
    }
    const message = head.message;
    const turn = queue.isSource ? (queue as SourceQueue).lastByte : head.entryByte;
    const branches = head.end.branches;
    const count: i32 = branches.length;
    for (let i = 0; i < count; i++) {
      const branch = branches[i]!;
      // A packet leaves without a gap, so a fast link waits for the end of the packet.
      const bytesPerCycle = branch.lane.link.bytesPerCycle;
      const gapless = head.tailCycle - Math.ceil(head.bytes / bytesPerCycle) + 1;
      const readyCycle = head.headCycle > gapless ? head.headCycle : gapless;
      const candidate = this.pool.takeCandidate(head, queue, branch);
      candidate.readyCycle = readyCycle;
      candidate.priority = message.priority;
      candidate.from = message.from;
      candidate.turn = turn;
      if (readyCycle <= this.now) this.addCandidate(candidate);
      else this.events.add(readyCycle, CANDIDATE, candidate);
    }
  }

  /** Makes the next packet of a source queue. */
  private makeHead(source: SourceQueue): void {
    const message = source.message;
    if (message === null || source.head !== null) return;
    const restBytes = message.bytes - source.leftCount * this.packetBytes;
    const dataBytes = restBytes < this.packetBytes ? restBytes : this.packetBytes;
    const head = this.pool.takeCopy(message, this.headerBytes + dataBytes, message.start, null);
    head.isLast = source.leftCount + 1 === message.packetCount;
    head.headCycle = message.injectCycle;
    head.tailCycle = message.injectCycle;
    source.head = head;
  }

  private addCandidate(candidate: Candidate): void {
    const link = candidate.branch.lane.link;
    link.addCandidate(candidate);
    this.pendingLinks.add(link);
  }

  /** Sends at most one packet over a link. */
  private serve(link: NetworkLink): void {
    if (!link.hasCandidates) return;
    const bytesPerCycle = link.bytesPerCycle;
    if (link.freeByte >= (this.now + 1) * bytesPerCycle) {
      const wakeCycle = Math.floor(link.freeByte / bytesPerCycle);
      if (link.wakeCycle === wakeCycle) return;
      link.wakeCycle = wakeCycle;
      this.events.add(wakeCycle, WAKE, link);
      return;
    }
    const candidate = takeCandidate(link, this.now);
    if (candidate === null) {
      this.block(link);
      return;
    }
    link.isBlocked = false;
    this.send(candidate, link);
    if (link.hasCandidates) this.pendingLinks.add(link);
  }

  /** Wakes a link without room at its end when the next report of room arrives. */
  private block(link: NetworkLink): void {
    link.isBlocked = true;
    const cycle = link.nextCreditAfter(this.now);
    if (cycle < Infinity) this.events.add(cycle, WAKE, link);
  }

  private returnRoom(buffer: InputBuffer, cycle: f64, bytes: f64): void {
    buffer.addCredit(cycle, bytes);
    if (buffer.link.isBlocked) this.events.add(cycle, WAKE, buffer.link);
  }

  private send(candidate: Candidate, link: NetworkLink): void {
    const copy = candidate.copy;
    const queue = candidate.queue;
    const branch = candidate.branch;
    const waitCycles = this.now - candidate.readyCycle;
    this.pool.freeCandidate(candidate);
    const message = copy.message;
    const bytes = copy.bytes;
    const bytesPerCycle = link.bytesPerCycle;
    const nowByte = this.now * bytesPerCycle;
    const startByte = link.freeByte > nowByte ? link.freeByte : nowByte;
    const endByte = startByte + bytes;
    const lastCycle = Math.floor((endByte - 1) / bytesPerCycle);
    link.freeByte = endByte;
    link.packetCount++;
    link.sentBytes += bytes;
    message.extendInterval(link, this.now, lastCycle + 1);
    let entryByte = copy.entryByte;
    if (queue.isSource) {
      (queue as SourceQueue).leave(bytes, startByte);
      message.leftCount++;
      this.sourceWaitCycles += waitCycles;
      entryByte = startByte;
    } else {
      this.waitCycles[(queue as InputBuffer).virtualChannel]! += waitCycles;
    }
    link.setLastByte(message.from, startByte);
    const ends: i32 = branch.ends.length;
    for (let i = 0; i < ends; i++) this.forward(copy, branch, i, entryByte, lastCycle);
    copy.branchesLeft--;
    if (lastCycle > copy.lastCycle) copy.lastCycle = lastCycle;
    const nextCycle = Math.floor(endByte / bytesPerCycle);
    if (nextCycle > copy.nextCycle) copy.nextCycle = nextCycle;
    if (copy.branchesLeft === 0) this.leave(copy, queue);
  }

  /** Removes a packet from its queue that has left on all its ways. */
  private leave(copy: PacketCopy, queue: PacketQueue): void {
    queue.isOffered = false;
    queue.freeCycle = copy.nextCycle;
    if (queue.isSource) {
      (queue as SourceQueue).shift();
    } else {
      const buffer = queue as InputBuffer;
      buffer.shift();
      buffer.link.receivedBytes += copy.bytes;
      this.returnRoom(buffer, copy.lastCycle + 1 + buffer.link.latencyCycles, copy.bytes);
    }
    this.pool.freeCopy(copy);
    this.offerHead(queue);
  }

  /** Sends a packet towards one end of a branch. */
  private forward(
    copy: PacketCopy,
    branch: RouteBranch,
    endIndex: i32,
    entryByte: f64,
    lastCycle: f64,
  ): void {
    const message = copy.message;
    const end = branch.ends[endIndex]!;
    const buffer = branch.lane.buffers[endIndex]!;
    buffer.reserve(this.now, copy.bytes);
    const delayCycles = buffer.link.latencyCycles + this.routerCycles;
    const arrived = this.pool.takeCopy(message, copy.bytes, end, buffer);
    arrived.isLast = copy.isLast;
    arrived.headCycle = this.now + delayCycles;
    arrived.tailCycle = lastCycle + delayCycles;
    arrived.entryByte = entryByte;
    const isReceiver = end.receiver >= 0;
    if (isReceiver) {
      this.events.add(lastCycle + 1, DELIVERY, arrived);
    } else {
      // It is in the buffer already, but cannot leave before its `headCycle`.
      buffer.push(arrived);
      this.offerHead(buffer);
    }
    if (!copy.isLast || !message.isRecorded) return;
    // Copies of a multicast are in different places once they have left the first router.
    const isOneCopy = copy.buffer === null || message.missingByReceiver === null;
    message.headCycle = isOneCopy ? (isReceiver ? lastCycle + 1 : arrived.headCycle) : 0;
    message.leastCycles = isOneCopy ? end.leastCycles : 0;
  }

  private deliver(copy: PacketCopy): void {
    const message = copy.message;
    const receiver = copy.end.receiver;
    copy.buffer!.link.receivedBytes += copy.bytes;
    this.pool.freeCopy(copy);
    const missingByReceiver = message.missingByReceiver;
    if (missingByReceiver === null) {
      if (--message.missingCount > 0) return;
    } else {
      const missing = missingByReceiver[receiver]! - 1;
      missingByReceiver[receiver] = missing;
      if (missing > 0) return;
    }
    message.receiversLeft--;
    this.deliveries.add(message, receiver, this.now);
    if (message.receiversLeft > 0 || !message.isRecorded) return;
    const last = this.recorded.pop()!;
    const at = this.recorded.indexOf(message);
    if (at >= 0) this.recorded[at] = last;
  }
}
