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
 * docs/network.md describes the model and argues that it is free of deadlock.
 */
import type { ChipletId } from '@tessera/frame';
import { takeCandidate } from './choose-candidate.ts';
import { CycleEvents } from './cycle-events.ts';
import { MessageDelivery } from './message-delivery.ts';
import type {
  Candidate,
  InputBuffer,
  Message,
  NetworkLink,
  PacketCopy,
  PacketQueue,
  RouteBranch,
  RouteEnd,
} from './network-parts.ts';
import type { NetworkSpec } from './network-spec.ts';
import { extendInterval, NetworkTraffic } from './network-traffic.ts';
import type { Delivery, Packet, PacketChannel, PacketNetwork } from './packet-network.ts';
import { PacketPool } from './packet-pool.ts';
import { PendingLinks } from './pending-links.ts';
import { RouteTable } from './route-table.ts';
import { countPackets, SourceQueue, wireBytes } from './source-queue.ts';
import { NETWORK_TOPOLOGIES } from './topologies/topologies.ts';
import type { Topology } from './topologies/topology.ts';
import { zeroLoadCycles } from './zero-load.ts';

/** Kinds of events, and what their subjects are. */
const EVENT = {
  /** Message that enters its source queue. */
  inject: 0,
  /** Copy whose first byte reaches a buffer. */
  arrival: 1,
  /** Copy whose last byte has reached its receiver. */
  delivery: 2,
  /** Candidate that can leave without a gap. */
  candidate: 3,
  /** Queue whose head can leave. */
  head: 4,
  /** Link that is free, or may have room at its end. */
  wake: 5,
} as const;

/** Subject of an event. Its kind says which. */
type EventSubject = Message | PacketCopy | Candidate | PacketQueue | NetworkLink;

/** Options of a network. */
export interface ChipletNetworkOptions {
  readonly chipletCount: number;
  readonly spec: NetworkSpec;
  /**
   * Room of each chiplet for received packets of a channel, headers included. The chiplet returns
   * room by {@link ChipletNetwork.release}. Without the option, chiplets accept packets always.
   */
  readonly receiverBytes?: number | undefined;
  /** Topology in place of the one that the specification names. */
  readonly topology?: Topology | undefined;
}

/** Network of one simulation. */
export class ChipletNetwork implements PacketNetwork {
  readonly lookaheadCycles: number;
  readonly #spec: NetworkSpec;
  readonly #chipletCount: number;
  readonly #receiverBytes: number | null;
  readonly #routes: RouteTable;
  readonly #traffic: NetworkTraffic;
  readonly #events = new CycleEvents<EventSubject>();
  readonly #pendingLinks = new PendingLinks();
  /** Source queues by chiplet, channel and priority. */
  readonly #sources: readonly SourceQueue[];
  readonly #serveLink = (link: NetworkLink) => this.#serve(link);
  readonly #pool = new PacketPool();
  /** Messages that are not delivered, and whose uses of links are recorded. */
  readonly #recorded = new Set<Message>();
  #deliveries: MessageDelivery[] = [];
  #callCount = 0;
  #bound = 0;
  #now = 0;

  constructor(options: ChipletNetworkOptions) {
    const { chipletCount, spec, receiverBytes, topology } = options;
    const used = topology ?? NETWORK_TOPOLOGIES[spec.topology].make({ ...spec, chipletCount });
    this.#spec = spec;
    this.#chipletCount = chipletCount;
    this.#receiverBytes = receiverBytes ?? null;
    this.#routes = new RouteTable(used, spec, receiverBytes ?? Number.MAX_SAFE_INTEGER);
    this.#traffic = new NetworkTraffic(chipletCount, this.#routes);
    this.#sources = Array.from(
      { length: chipletCount * 2 * spec.priorities },
      (_, index) => new SourceQueue(spec, index % (2 * spec.priorities)),
    );
    const latencies = Array.from({ length: chipletCount - 1 }, (_, i) =>
      zeroLoadCycles(used, spec, { from: 0, to: i + 1, bytes: 0 }),
    );
    this.lookaheadCycles = Math.min(...latencies);
  }

  /**
   * Sends a packet; see {@link PacketNetwork}.
   *
   * @param recordsUses Whether its delivery lists the links that were used.
   */
  inject(packet: Packet, cycle: number, recordsUses = false): void {
    const { from, to, channel } = packet;
    if (to === from) throw new Error(`network: chiplet ${from} sends to itself`);
    const route = this.#routes.routeTo(from, to, channel);
    this.#addMessage(packet, cycle, null, route, recordsUses);
  }

  /**
   * Sends a packet to all other chiplets. It crosses each link at most once, if the routes to the
   * receivers are a tree.
   */
  injectToAll(packet: Omit<Packet, 'to'>, cycle: number, recordsUses = false): void {
    const { from, channel } = packet;
    const receivers = Array.from({ length: this.#chipletCount }, (_, id) => id).filter(
      (id) => id !== from,
    );
    if (receivers.length === 0) return;
    const route = this.#routes.routeToAll(from, channel);
    this.#addMessage({ ...packet, to: from }, cycle, receivers, route, recordsUses);
  }

  #addMessage(
    packet: Packet,
    injectCycle: number,
    receivers: readonly ChipletId[] | null,
    start: RouteEnd,
    recordsUses: boolean,
  ): void {
    const { bytes, priority = 0 } = packet;
    if (injectCycle < this.#bound || !Number.isInteger(injectCycle)) {
      throw new Error(`network: cycle ${injectCycle} is before ${this.#bound}`);
    }
    if (priority >= this.#spec.priorities) {
      throw new Error(`network: priority ${priority} is not below ${this.#spec.priorities}`);
    }
    const packetCount = countPackets(this.#spec, bytes);
    // Parts of two messages could fill a receiver, and neither would become complete.
    if (this.#receiverBytes !== null && packetCount > 1) {
      throw new Error(`network: ${bytes} bytes are more than one packet for a bounded receiver`);
    }
    const message: Message = {
      packet,
      injectCycle,
      callIndex: this.#callCount++,
      start,
      packetCount,
      missingCount: packetCount,
      intervals: recordsUses ? new Map() : null,
      missingByReceiver:
        receivers === null ? null : new Map(receivers.map((to) => [to, packetCount])),
      receiversLeft: receivers?.length ?? 1,
      leftCount: 0,
      headCycle: 0,
      leastCycles: 0,
    };
    if (message.intervals !== null) this.#recorded.add(message);
    this.#events.add(injectCycle, EVENT.inject, message);
  }

  /** Returns room to the receiver of a packet that was delivered, at a cycle from now on. */
  release({ to, channel, bytes }: Packet, cycle: number): void {
    const buffer = this.#routes.receiverOf(to, channel);
    this.#returnRoom(buffer, Math.max(cycle, this.#bound), wireBytes(this.#spec, bytes));
  }

  /** Returns the number of bytes that wait at a chiplet to enter the network. */
  waitingBytes(from: ChipletId, channel: PacketChannel): number {
    let bytes = 0;
    for (let priority = 0; priority < this.#spec.priorities; priority++) {
      bytes += this.#sourceOf(from, channel, priority).waitingBytes;
    }
    return bytes;
  }

  /** Next cycle in which something happens; infinite if the network is empty. */
  get nextCycle(): number {
    return this.#events.nextCycle;
  }

  /**
   * Cycle before which no message whose uses are recorded is delivered, unless it is injected
   * later. Infinite if there is none.
   */
  get nextRecordedCycle(): number {
    const { portBytesPerCycle, packetBytes } = this.#spec;
    const now = Math.max(this.#bound, this.#events.nextCycle);
    let next = Number.POSITIVE_INFINITY;
    for (const { packetCount, leftCount, start, headCycle, leastCycles } of this.#recorded) {
      if (leftCount === packetCount) {
        next = Math.min(next, Math.max(now, headCycle) + leastCycles);
      } else {
        const portCycles = Math.floor(
          ((packetCount - leftCount - 1) * packetBytes) / portBytesPerCycle,
        );
        next = Math.min(next, now + portCycles + start.leastCycles);
      }
    }
    return next;
  }

  /** Traffic up to the last bound of {@link advance}. */
  get traffic(): NetworkTraffic {
    return this.#traffic;
  }

  advance(untilCycle: number): readonly Delivery[] {
    this.#deliveries = [];
    while (this.#events.nextCycle < untilCycle) this.#simulateCycle(this.#events.nextCycle);
    if (untilCycle > this.#bound) {
      this.#bound = untilCycle;
      this.#events.moveTo(untilCycle);
    }
    return this.#deliveries;
  }

  #simulateCycle(cycle: number): void {
    this.#now = cycle;
    const firstDelivery = this.#deliveries.length;
    const events = this.#events;
    for (let each = events.take(cycle); each !== undefined; each = events.take(cycle)) {
      this.#apply(events.kind, each);
    }
    this.#pendingLinks.serve(this.#serveLink);
    if (this.#deliveries.length > firstDelivery + 1) {
      const ofCycle = this.#deliveries.splice(firstDelivery);
      this.#deliveries.push(...ofCycle.sort(compareDeliveries));
    }
  }

  /** Applies an event. The order of the events of a cycle has no influence. */
  #apply(kind: number, subject: EventSubject): void {
    switch (kind) {
      case EVENT.inject:
        this.#enqueue(subject as Message);
        break;
      case EVENT.arrival: {
        const copy = subject as PacketCopy;
        const buffer = copy.buffer!;
        buffer.link.receivedBytes += copy.bytes;
        buffer.push(copy);
        this.#offerHead(buffer);
        break;
      }
      case EVENT.delivery:
        this.#deliver(subject as PacketCopy);
        break;
      case EVENT.candidate:
        this.#addCandidate(subject as Candidate);
        break;
      case EVENT.head: {
        const queue = subject as PacketQueue;
        queue.isOffered = false;
        this.#offerHead(queue);
        break;
      }
      case EVENT.wake: {
        const link = subject as NetworkLink;
        if (link.wakeCycle === this.#now) link.wakeCycle = -1;
        if (link.hasCandidates) this.#pendingLinks.add(link);
        break;
      }
    }
  }

  #enqueue(message: Message): void {
    const { from, channel, priority = 0 } = message.packet;
    const source = this.#sourceOf(from, channel, priority);
    source.push(message);
    this.#traffic.addMessage(message);
    this.#offerHead(source);
  }

  #sourceOf(from: ChipletId, channel: PacketChannel, priority: number): SourceQueue {
    const index = (from * 2 + (channel === 'request' ? 0 : 1)) * this.#spec.priorities + priority;
    return this.#sources[index]!;
  }

  /** Makes the head of a queue a candidate for the links that it takes next. */
  #offerHead(queue: PacketQueue): void {
    if (queue.isOffered) return;
    const head = queue.isSource ? this.#headOf(queue as SourceQueue) : queue.head;
    if (head === undefined) return;
    queue.isOffered = true;
    if (queue.freeCycle > this.#now) {
      this.#events.add(queue.freeCycle, EVENT.head, queue);
      return;
    }
    const { from, priority = 0 } = head.message.packet;
    const turn = queue.isSource ? (queue as SourceQueue).lastByte : head.entryByte;
    const { branches } = head.end;
    for (let i = 0; i < branches.length; i++) {
      const branch = branches[i]!;
      // A packet leaves without a gap, so a fast link waits for the end of the packet.
      const { bytesPerCycle } = branch.lane.link;
      const gapless = head.tailCycle - Math.ceil(head.bytes / bytesPerCycle) + 1;
      const readyCycle = Math.max(head.headCycle, gapless);
      const candidate = this.#pool.takeCandidate(head, queue, branch);
      candidate.readyCycle = readyCycle;
      candidate.priority = priority;
      candidate.from = from;
      candidate.turn = turn;
      if (readyCycle <= this.#now) this.#addCandidate(candidate);
      else this.#events.add(readyCycle, EVENT.candidate, candidate);
    }
  }

  /** Returns the next packet of a source queue. */
  #headOf(source: SourceQueue): PacketCopy | undefined {
    const { message } = source;
    if (message === undefined || source.head !== undefined) return source.head;
    const isLast = source.leftCount + 1 === message.packetCount;
    const head = this.#pool.takeCopy(message, isLast, source.headBytes, message.start, null);
    head.headCycle = message.injectCycle;
    head.tailCycle = message.injectCycle;
    source.head = head;
    return head;
  }

  #addCandidate(candidate: Candidate): void {
    const { link } = candidate.branch.lane;
    link.addCandidate(candidate);
    this.#pendingLinks.add(link);
  }

  /** Sends at most one packet over a link. */
  #serve(link: NetworkLink): void {
    if (!link.hasCandidates) return;
    const { bytesPerCycle } = link;
    if (link.freeByte >= (this.#now + 1) * bytesPerCycle) {
      const wakeCycle = Math.floor(link.freeByte / bytesPerCycle);
      if (link.wakeCycle === wakeCycle) return;
      link.wakeCycle = wakeCycle;
      this.#events.add(wakeCycle, EVENT.wake, link);
      return;
    }
    const candidate = takeCandidate(link, this.#now);
    if (candidate === null) {
      this.#block(link);
      return;
    }
    link.isBlocked = false;
    this.#send(candidate, link);
    if (link.hasCandidates) this.#pendingLinks.add(link);
  }

  /** Wakes a link without room at its end when the next report of room arrives. */
  #block(link: NetworkLink): void {
    link.isBlocked = true;
    const cycle = link.nextCreditAfter(this.#now);
    if (cycle < Number.POSITIVE_INFINITY) this.#events.add(cycle, EVENT.wake, link);
  }

  #returnRoom(buffer: InputBuffer, cycle: number, bytes: number): void {
    buffer.addCredit(cycle, bytes);
    if (buffer.link.isBlocked) this.#events.add(cycle, EVENT.wake, buffer.link);
  }

  #send(candidate: Candidate, link: NetworkLink): void {
    const { copy, queue, branch, from, readyCycle } = candidate;
    this.#pool.freeCandidate(candidate);
    const { bytes } = copy;
    const { bytesPerCycle } = link;
    const startByte = Math.max(link.freeByte, this.#now * bytesPerCycle);
    const endByte = startByte + bytes;
    const lastCycle = Math.floor((endByte - 1) / bytesPerCycle);
    link.freeByte = endByte;
    this.#traffic.addPacket(link, queue, bytes, this.#now - readyCycle);
    extendInterval(copy.message, link, this.#now, lastCycle + 1);
    if (queue.isSource) {
      (queue as SourceQueue).leave(bytes, startByte);
      copy.message.leftCount++;
    }
    link.setLastByte(from, startByte);
    const entryByte = queue.isSource ? startByte : copy.entryByte;
    for (let i = 0; i < branch.ends.length; i++) {
      this.#forward(copy, branch, i, entryByte, lastCycle);
    }
    copy.branchesLeft--;
    copy.lastCycle = Math.max(copy.lastCycle, lastCycle);
    copy.nextCycle = Math.max(copy.nextCycle, Math.floor(endByte / bytesPerCycle));
    if (copy.branchesLeft > 0) return;
    queue.shift();
    queue.isOffered = false;
    queue.freeCycle = copy.nextCycle;
    if (!queue.isSource) {
      const buffer = queue as InputBuffer;
      this.#returnRoom(buffer, copy.lastCycle + 1 + buffer.link.latencyCycles, bytes);
    }
    this.#pool.freeCopy(copy);
    this.#offerHead(queue);
  }

  /** Sends a packet towards one end of a branch. */
  #forward(
    { message, isLast, bytes, buffer: left }: PacketCopy,
    branch: RouteBranch,
    endIndex: number,
    entryByte: number,
    lastCycle: number,
  ): void {
    const end = branch.ends[endIndex]!;
    const buffer = branch.lane.buffers[endIndex]!;
    buffer.reserve(this.#now, bytes);
    const delayCycles = buffer.link.latencyCycles + this.#spec.routerCycles;
    const arrived = this.#pool.takeCopy(message, isLast, bytes, end, buffer);
    arrived.headCycle = this.#now + delayCycles;
    arrived.tailCycle = lastCycle + delayCycles;
    arrived.entryByte = entryByte;
    const isReceiver = end.receiver >= 0;
    if (isReceiver) this.#events.add(lastCycle + 1, EVENT.delivery, arrived);
    else this.#events.add(arrived.headCycle, EVENT.arrival, arrived);
    if (!isLast) return;
    // Copies of a multicast are in different places once they have left the first router.
    const isOneCopy = left === null || message.missingByReceiver === null;
    message.headCycle = isOneCopy ? (isReceiver ? lastCycle + 1 : arrived.headCycle) : 0;
    message.leastCycles = isOneCopy ? end.leastCycles : 0;
  }

  #deliver(copy: PacketCopy): void {
    const { message, end, bytes, buffer } = copy;
    const { missingByReceiver } = message;
    const { receiver } = end;
    const missing = (missingByReceiver?.get(receiver) ?? message.missingCount) - 1;
    if (missingByReceiver === null) message.missingCount = missing;
    else missingByReceiver.set(receiver, missing);
    buffer!.link.receivedBytes += bytes;
    this.#pool.freeCopy(copy);
    if (missing > 0) return;
    this.#complete(message, receiver);
    message.receiversLeft--;
    if (message.receiversLeft === 0) this.#recorded.delete(message);
  }

  #complete(message: Message, receiver: ChipletId): void {
    const { packet } = message;
    const delivered = packet.to === receiver ? packet : { ...packet, to: receiver };
    this.#deliveries.push(new MessageDelivery(delivered, this.#now, message, this.#spec));
  }
}

/** Orders deliveries of one cycle by receiver, sender and injection. */
function compareDeliveries(a: MessageDelivery, b: MessageDelivery): number {
  return (
    a.packet.to - b.packet.to ||
    a.packet.from - b.packet.from ||
    a.message.injectCycle - b.message.injectCycle ||
    a.message.callIndex - b.message.callIndex
  );
}
