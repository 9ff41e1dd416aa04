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
import type {
  Candidate,
  InputBuffer,
  Message,
  NetworkLink,
  PacketCopy,
  PacketQueue,
  RouteBranch,
} from './network-parts.ts';
import type { NetworkSpec } from './network-spec.ts';
import { extendInterval, listUses, NetworkTraffic } from './network-traffic.ts';
import type { Delivery, Packet, PacketChannel, PacketNetwork } from './packet-network.ts';
import { PendingLinks } from './pending-links.ts';
import { RouteTable } from './route-table.ts';
import { countPackets, SourceQueue, wireBytes } from './source-queue.ts';
import { NETWORK_TOPOLOGIES } from './topologies/topologies.ts';
import type { Topology } from './topologies/topology.ts';
import { type TrainEvent, type TrainHost, TrainYard } from './train-yard.ts';
import { zeroLoadCycles } from './zero-load.ts';

/** Happening in the network at a cycle. */
type NetworkEvent =
  | { readonly kind: 'inject'; readonly message: Message }
  | { readonly kind: 'arrival'; readonly copy: PacketCopy; readonly buffer: InputBuffer }
  | { readonly kind: 'delivery'; readonly copy: PacketCopy }
  | { readonly kind: 'room'; readonly buffer: InputBuffer; readonly bytes: number }
  | { readonly kind: 'candidate'; readonly candidate: Candidate }
  | { readonly kind: 'head'; readonly queue: PacketQueue }
  | { readonly kind: 'wake'; readonly link: NetworkLink }
  | TrainEvent;

const FAR = Number.POSITIVE_INFINITY;

/** Options of a network. */
export interface ChipletNetworkOptions {
  readonly chipletCount: number;
  readonly spec: NetworkSpec;
  /**
   * Room of each chiplet for received packets of a channel, headers included. The chiplet returns
   * room by {@link ChipletNetwork.release}. Without the option, chiplets accept packets always.
   */
  readonly receiverBytes?: number | undefined;
  /** Whether deliveries list the links that were used. */
  readonly recordsUses?: boolean | undefined;
  /** Topology in place of the one that the specification names. */
  readonly topology?: Topology | undefined;
}

/** Network of one simulation. */
export class ChipletNetwork implements PacketNetwork {
  readonly lookaheadCycles: number;
  readonly #spec: NetworkSpec;
  readonly #chipletCount: number;
  readonly #receiverBytes: number | null;
  readonly #recordsUses: boolean;
  readonly #routes: RouteTable;
  readonly #traffic: NetworkTraffic;
  readonly #events = new CycleEvents<NetworkEvent>();
  readonly #pendingLinks = new PendingLinks();
  /** Source queues by chiplet, channel and priority. */
  readonly #sources: readonly SourceQueue[];
  readonly #trains: TrainYard;
  #deliveries: (Delivery & { readonly message: Message })[] = [];
  #callCount = 0;
  #bound = 0;
  #now = 0;

  constructor(options: ChipletNetworkOptions) {
    const { chipletCount, spec, receiverBytes, recordsUses = false, topology } = options;
    this.#recordsUses = recordsUses;
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
    this.#trains = new TrainYard(
      this.#makeTrainHost(),
      spec,
      this.#traffic,
      receiverBytes === undefined,
    );
    const latencies = Array.from({ length: chipletCount - 1 }, (_, i) =>
      zeroLoadCycles(used, spec, { from: 0, to: i + 1, bytes: 0 }),
    );
    this.lookaheadCycles = Math.min(...latencies);
  }

  /** Returns what trains may do with the network. */
  #makeTrainHost(): TrainHost {
    const add = (cycle: number, event: NetworkEvent) => this.#events.add(cycle, event);
    const point = () => {
      const { round, linkIndex } = this.#pendingLinks;
      return { cycle: this.#now, round, linkIndex };
    };
    return {
      point,
      addEvent: add,
      complete: (message, receiver) => this.#complete(message, receiver),
      addArrival: (copy, buffer) => add(copy.headCycle, { kind: 'arrival', copy, buffer }),
      addDelivery: (cycle, copy) => add(cycle, { kind: 'delivery', copy }),
      addRoom: (cycle, buffer, bytes) => add(cycle, { kind: 'room', buffer, bytes }),
      offerHead: (queue, open) => this.#offerHead(queue, open),
    };
  }

  inject(packet: Packet, cycle: number): void {
    const { from, to, channel } = packet;
    if (to === from) throw new Error(`network: chiplet ${from} sends to itself`);
    this.#addMessage(packet, cycle, null, this.#routes.routeTo(from, to, channel));
  }

  /**
   * Sends a packet to all other chiplets. It crosses each link at most once, if the routes to the
   * receivers are a tree.
   */
  injectToAll(packet: Omit<Packet, 'to'>, cycle: number): void {
    const { from, channel } = packet;
    const receivers = Array.from({ length: this.#chipletCount }, (_, id) => id).filter(
      (id) => id !== from,
    );
    if (receivers.length === 0) return;
    const route = this.#routes.routeToAll(from, channel);
    this.#addMessage({ ...packet, to: from }, cycle, receivers, route);
  }

  #addMessage(
    packet: Packet,
    injectCycle: number,
    receivers: readonly ChipletId[] | null,
    route: RouteBranch,
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
      route,
      packetCount,
      missingCount: packetCount,
      intervals: this.#recordsUses ? new Map() : null,
      missingByReceiver:
        receivers === null ? null : new Map(receivers.map((to) => [to, packetCount])),
    };
    this.#events.add(injectCycle, { kind: 'inject', message });
  }

  /** Returns room to the receiver of a packet that was delivered, at a cycle from now on. */
  release({ to, channel, bytes }: Packet, cycle: number): void {
    const buffer = this.#routes.receiverOf(to, channel);
    const released = wireBytes(this.#spec, bytes);
    this.#events.add(Math.max(cycle, this.#bound), { kind: 'room', buffer, bytes: released });
  }

  /** Returns the number of bytes that wait at a chiplet to enter the network. */
  waitingBytes(from: ChipletId, channel: PacketChannel): number {
    this.#applyTrains();
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

  /** Traffic up to the last bound of {@link advance}. */
  get traffic(): NetworkTraffic {
    this.#applyTrains();
    return this.#traffic;
  }

  #applyTrains(): void {
    this.#trains.applyAll({ cycle: this.#bound - 1, round: FAR, linkIndex: FAR });
  }

  advance(untilCycle: number): readonly Delivery[] {
    this.#deliveries = [];
    while (this.#events.nextCycle < untilCycle) this.#simulateCycle(this.#events.nextCycle);
    this.#bound = Math.max(this.#bound, untilCycle);
    return this.#deliveries.map(({ packet, cycle, message }) => {
      if (!this.#recordsUses) return { packet, cycle };
      const bytes = wireBytes(this.#spec, packet.bytes);
      return { packet, cycle, listUses: () => listUses(message, bytes) };
    });
  }

  #simulateCycle(cycle: number): void {
    this.#now = cycle;
    const firstDelivery = this.#deliveries.length;
    for (const event of this.#events.takeNext()) this.#apply(event);
    this.#pendingLinks.serve((link) => this.#serve(link));
    if (this.#deliveries.length > firstDelivery + 1) {
      const ofCycle = this.#deliveries.splice(firstDelivery);
      this.#deliveries.push(...ofCycle.sort(compareDeliveries));
    }
  }

  /** Applies an event. The order of the events of a cycle has no influence. */
  #apply(event: NetworkEvent): void {
    switch (event.kind) {
      case 'inject':
        this.#enqueue(event.message);
        break;
      case 'arrival': {
        const { copy, buffer } = event;
        buffer.link.receivedBytes += copy.bytes;
        buffer.push(copy);
        this.#offerHead(buffer);
        break;
      }
      case 'delivery':
        this.#deliver(event.copy);
        break;
      case 'room':
        event.buffer.freeBytes += event.bytes;
        if (event.buffer.link.activeLanes.length > 0) this.#pendingLinks.add(event.buffer.link);
        break;
      case 'candidate':
        this.#addCandidate(event.candidate);
        break;
      case 'message':
      case 'source':
      case 'end':
        this.#trains.apply(event);
        break;
      case 'head':
        event.queue.isOffered = false;
        this.#offerHead(event.queue);
        break;
      case 'wake':
        event.link.wakeCycle = -1;
        if (event.link.activeLanes.length > 0) this.#pendingLinks.add(event.link);
        break;
    }
  }

  #enqueue(message: Message): void {
    const { from, channel, priority = 0 } = message.packet;
    const source = this.#sourceOf(from, channel, priority);
    source.push(message);
    this.#traffic.addMessage(message);
    this.#trains.follow(source, message);
    this.#offerHead(source);
  }

  #sourceOf(from: ChipletId, channel: PacketChannel, priority: number): SourceQueue {
    const index = (from * 2 + (channel === 'request' ? 0 : 1)) * this.#spec.priorities + priority;
    return this.#sources[index]!;
  }

  /**
   * Makes the head of a queue a candidate for the links that it takes next.
   *
   * @param open Branches on which it has not left; by default all.
   */
  #offerHead(queue: PacketQueue, open?: readonly RouteBranch[]): void {
    const { head } = queue;
    if (head === undefined || queue.isOffered) return;
    queue.isOffered = true;
    if (queue.freeCycle > this.#now) {
      this.#events.add(queue.freeCycle, { kind: 'head', queue });
      return;
    }
    if (queue.isSource && this.#trains.join(queue as SourceQueue, head)) return;
    const { from, priority = 0 } = head.message.packet;
    const turn = queue.isSource ? (queue as SourceQueue).lastByte : head.entryByte;
    for (const branch of open ?? head.end.branches) {
      // A packet leaves without a gap, so a fast link waits for the end of the packet.
      const { bytesPerCycle } = branch.lane.link;
      const gapless = head.tailCycle - Math.ceil(head.bytes / bytesPerCycle) + 1;
      const readyCycle = Math.max(head.headCycle, gapless);
      const candidate = { copy: head, queue, branch, readyCycle, priority, from, turn };
      if (readyCycle <= this.#now) this.#addCandidate(candidate);
      else this.#events.add(readyCycle, { kind: 'candidate', candidate });
    }
  }

  #addCandidate(candidate: Candidate): void {
    const { lane } = candidate.branch;
    lane.candidates.push(candidate);
    if (lane.candidates.length === 1) lane.link.activeLanes.push(lane);
    this.#pendingLinks.add(lane.link);
    if (lane.link.train !== null) this.#trains.dissolve(lane.link.train);
  }

  /** Sends at most one packet over a link. */
  #serve(link: NetworkLink): void {
    if (link.activeLanes.length === 0) return;
    const { bytesPerCycle } = link;
    if (link.freeByte >= (this.#now + 1) * bytesPerCycle) {
      const wakeCycle = Math.floor(link.freeByte / bytesPerCycle);
      if (link.wakeCycle === wakeCycle) return;
      link.wakeCycle = wakeCycle;
      this.#events.add(wakeCycle, { kind: 'wake', link });
      return;
    }
    const candidate = takeCandidate(link);
    if (candidate === null) return;
    this.#send(candidate, link);
    if (link.activeLanes.length > 0) this.#pendingLinks.add(link);
  }

  #send(candidate: Candidate, link: NetworkLink): void {
    const { copy, queue, branch } = candidate;
    const { bytes } = copy;
    const { bytesPerCycle } = link;
    const startByte = Math.max(link.freeByte, this.#now * bytesPerCycle);
    const endByte = startByte + bytes;
    const lastCycle = Math.floor((endByte - 1) / bytesPerCycle);
    link.freeByte = endByte;
    this.#traffic.addPacket(link, queue, bytes, this.#now - candidate.readyCycle);
    extendInterval(copy.message, link, this.#now, lastCycle + 1);
    if (queue.isSource) (queue as SourceQueue).leave(bytes, startByte);
    link.lastByteBySender.set(candidate.from, startByte);
    const entryByte = queue.isSource ? startByte : copy.entryByte;
    for (let i = 0; i < branch.ends.length; i++) {
      this.#forward(candidate, i, entryByte, lastCycle);
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
      const roomCycle = copy.lastCycle + 1 + buffer.link.latencyCycles;
      this.#events.add(roomCycle, { kind: 'room', buffer, bytes });
    }
    this.#offerHead(queue);
  }

  /** Sends a packet towards one end of a branch. */
  #forward(
    { copy, branch }: Candidate,
    endIndex: number,
    entryByte: number,
    lastCycle: number,
  ): void {
    const { message, packetIndex, bytes } = copy;
    const end = branch.ends[endIndex]!;
    const buffer = branch.lane.buffers[endIndex]!;
    buffer.reserve(bytes);
    const delayCycles = buffer.link.latencyCycles + this.#spec.routerCycles;
    const isReceiver = end.receiver >= 0;
    const arrived: PacketCopy = {
      message,
      packetIndex,
      bytes,
      end,
      headCycle: this.#now + delayCycles,
      tailCycle: lastCycle + delayCycles,
      entryByte,
      branchesLeft: end.branches.length,
      lastCycle: 0,
      nextCycle: 0,
    };
    if (isReceiver) this.#events.add(lastCycle + 1, { kind: 'delivery', copy: arrived });
    else this.#events.add(arrived.headCycle, { kind: 'arrival', copy: arrived, buffer });
  }

  #deliver({ message, end, bytes }: PacketCopy): void {
    const { packet, missingByReceiver } = message;
    const { receiver } = end;
    const missing = (missingByReceiver?.get(receiver) ?? message.missingCount) - 1;
    if (missingByReceiver === null) message.missingCount = missing;
    else missingByReceiver.set(receiver, missing);
    const buffer = this.#routes.receiverOf(receiver, packet.channel);
    buffer.link.receivedBytes += bytes;
    if (missing === 0) this.#complete(message, receiver);
  }

  #complete(message: Message, receiver: ChipletId): void {
    const { packet } = message;
    const delivered = packet.to === receiver ? packet : { ...packet, to: receiver };
    this.#deliveries.push({ packet: delivered, cycle: this.#now, message });
  }
}

/** Orders deliveries of one cycle by receiver, sender and injection. */
function compareDeliveries(
  a: Delivery & { readonly message: Message },
  b: Delivery & { readonly message: Message },
): number {
  return (
    a.packet.to - b.packet.to ||
    a.packet.from - b.packet.from ||
    a.message.injectCycle - b.message.injectCycle ||
    a.message.callIndex - b.message.callIndex
  );
}
