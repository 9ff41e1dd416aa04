/**
 * Train: the packets of long messages on a route that no other packet uses. Their times follow from
 * a recurrence over packets and links, without events. As soon as another packet becomes a
 * candidate for a link of the train, the network turns the train into single packets, in the state
 * in which they would be. Times after that point are discarded, and none of them has had an effect.
 * So trains change no result.
 */
import type { ChipletId } from '@tessera/frame';
import type { InputBuffer, Message, PacketQueue, RouteBranch } from './network-parts.ts';
import { extendInterval, type NetworkTraffic } from './network-traffic.ts';
import type { PacketSizes, SourceQueue } from './source-queue.ts';
import { type ServicePoint, TrainBuffer, TrainStage } from './train-parts.ts';
import { findPeriod, jumpPeriods, MAX_PERIOD_PACKETS, type TrainPeriod } from './train-period.ts';

/** Cycle of something that is not known yet. */
const FAR = Number.MAX_SAFE_INTEGER;
/** Number of packets whose times are computed together. */
const BLOCK_PACKETS = 256;

/** Message of a train whose last packets have not arrived. */
interface TrainMessage {
  readonly message: Message;
  /** Position of its first packet in the train. */
  firstPacket: number;
}

/** Figures of the network that a train needs. */
export interface TrainOptions extends PacketSizes {
  readonly routerCycles: number;
}

/** Packets of one source queue on one route. */
export class Train {
  readonly source: SourceQueue;
  readonly route: RouteBranch;
  /** Source queue, then the buffers in the order in which packets reach them. */
  readonly buffers: readonly TrainBuffer[];
  readonly stages: readonly TrainStage[];
  readonly messages: TrainMessage[] = [];
  /** Whether the source queue is free for another route. */
  hasLeftSource = false;
  readonly #options: TrainOptions;
  /** Number of bytes of each packet, headers included. */
  readonly #bytes: number[] = [];
  /** Number of messages that have left the source queue. */
  #leftCount = 0;
  /** Number of packets of the newest message that were computed. */
  #computedOfMessage = 0;
  /** Period of the computed packets; null if they do not repeat. */
  #period: TrainPeriod | null = null;
  /** Periods that are not computed, from the cycle in which they start. */
  #cruise: {
    readonly period: TrainPeriod;
    readonly count: number;
    readonly fromCycle: number;
    readonly traffic: NetworkTraffic;
  } | null = null;
  /** Last cycle in which something of the computed packets happens. */
  #endCycle = 0;

  constructor(source: SourceQueue, route: RouteBranch, options: TrainOptions) {
    this.source = source;
    this.route = route;
    this.#options = options;
    const first = makeBuffer(source, null, { receiver: -1, branches: [route] });
    this.buffers = listBuffers(first);
    this.stages = this.buffers.flatMap(({ stages }) => stages);
  }

  /** Cycle in which all computed packets have arrived and all room was returned. */
  get endCycle(): number {
    return this.#endCycle;
  }

  /** Cycle from which the packet after the computed ones can leave the source queue. */
  get sourceCycle(): number {
    return this.buffers[0]!.freeCycle;
  }

  /** Number of packets whose times are known. */
  get packetCount(): number {
    return this.#bytes.length;
  }

  /** Number of bytes of a packet. */
  bytesOf(packet: number): number {
    return this.#bytes[packet]!;
  }

  /** Whether all packets of the newest message were computed. */
  get isComputed(): boolean {
    return this.#computedOfMessage === this.messages.at(-1)!.message.packetCount;
  }

  /** Whether nothing else is on the route. */
  get isRouteFree(): boolean {
    return (
      this.stages.every(({ link }) => link.train === null && link.activeLanes.length === 0) &&
      this.buffers.every(
        ({ buffer, isReceiver }) =>
          buffer === null || isReceiver || buffer.freeBytes === buffer.capacityBytes,
      )
    );
  }

  /** Returns when the newest message arrives at its receivers, after all of it was computed. */
  listArrivals(): readonly { readonly receiver: ChipletId; readonly cycle: number }[] {
    const last = this.#bytes.length - 1;
    return this.buffers
      .filter(({ isReceiver }) => isReceiver)
      .map(({ feeder, end }) => ({
        receiver: end.receiver,
        cycle: feeder!.lastCycleOf(last, this.#bytes[last]!) + 1,
      }));
  }

  /** Number of messages of which the source queue has packets. */
  get messagesAtSource(): number {
    return this.messages.length - this.#leftCount;
  }

  /** Removes the messages from the source queue whose packets have all left it. */
  leaveSource(): void {
    const { sentCount } = this.buffers[0]!.stages[0]!;
    for (; this.messagesAtSource > 0; this.#leftCount++) {
      const { message, firstPacket } = this.messages[this.#leftCount]!;
      if (firstPacket + message.packetCount > sentCount) return;
      this.source.shiftMessage();
    }
  }

  /** Restores the place of the source queue in the message that is leaving it. */
  restoreSource(): void {
    this.leaveSource();
    const [injection] = this.buffers[0]!.stages;
    const { sentCount } = injection!;
    if (sentCount > 0) {
      this.source.freeCycle = injection!.nextCycleOf(sentCount - 1, this.#bytes[sentCount - 1]!);
    }
    if (this.messagesAtSource > 0) {
      this.source.skipTo(sentCount - this.messages[this.#leftCount]!.firstPacket);
    }
    this.source.isOffered = false;
  }

  /** Appends a message to the train. */
  append(message: Message): void {
    this.messages.push({ message, firstPacket: this.#bytes.length });
    this.hasLeftSource = false;
    this.#computedOfMessage = 0;
  }

  /** Computes the times of the next packets of the newest message. */
  computeBlock(): void {
    const { message } = this.messages.at(-1)!;
    const { headerBytes, packetBytes } = this.#options;
    const count = Math.min(message.packetCount - this.#computedOfMessage, BLOCK_PACKETS);
    this.#period = null;
    for (let i = 0; i < count; i++) {
      const restBytes = message.packet.bytes - this.#computedOfMessage * packetBytes;
      this.#computePacket(headerBytes + Math.min(restBytes, packetBytes));
      this.#computedOfMessage++;
    }
    const isWhole = message.packetCount - this.#computedOfMessage > BLOCK_PACKETS;
    if (isWhole && this.messages.length === 1) this.#period = findPeriod(this);
  }

  /**
   * Whether the next packets need not be computed before a later cycle, because they repeat. The
   * effects of all packets before `cycle` must be applied.
   */
  cruise(cycle: number, traffic: NetworkTraffic): boolean {
    const period = this.#period;
    if (period === null) return false;
    const { message } = this.messages[0]!;
    const rest = message.packetCount - this.#computedOfMessage - BLOCK_PACKETS;
    const count = Math.floor(rest / period.packets);
    const hasHistory = this.stages.every(({ receivedCount }) => receivedCount >= period.packets);
    if (count < 1 || !hasHistory || this.messages.length > 1) return false;
    this.#cruise = { period, count, fromCycle: cycle, traffic };
    return true;
  }

  /** Cycle in which a cruise ends; null if there is none. */
  get cruiseEnd(): number | null {
    if (this.#cruise === null) return null;
    const { period, count, fromCycle } = this.#cruise;
    return fromCycle + count * period.cycles;
  }

  /** Ends a cruise: skips the periods that are over in a cycle. */
  endCruise(cycle: number): void {
    if (this.#cruise === null) return;
    const { period, fromCycle, traffic } = this.#cruise;
    const count = Math.min(this.#cruise.count, Math.floor((cycle - fromCycle) / period.cycles));
    this.#cruise = null;
    if (count === 0) return;
    const [newest] = this.messages as [TrainMessage];
    const { from } = newest.message.packet;
    const { headerBytes, packetBytes } = this.#options;
    const waitOf = (stage: TrainStage, packet: number) =>
      stage.startCycle(packet) - this.#readyCycle(stage.from!, stage, packet);
    const { source } = this;
    const bytes = headerBytes + packetBytes;
    jumpPeriods(this, { period, count, bytes, from, source, traffic, waitOf });
    newest.firstPacket -= count * period.packets;
    this.#computedOfMessage += count * period.packets;
    this.#endCycle += count * period.cycles;
  }

  #computePacket(bytes: number): void {
    const packet = this.#bytes.length;
    this.#bytes.push(bytes);
    for (const buffer of this.buffers) {
      const { feeder, stages } = buffer;
      if (buffer.isReceiver) {
        this.#endCycle = Math.max(this.#endCycle, feeder!.lastCycleOf(packet, bytes) + 1);
        continue;
      }
      const times = this.timesAt(buffer, packet);
      for (const stage of stages) this.#computeStart(stage, buffer, { bytes, ...times });
      this.#leave(buffer, packet, bytes);
    }
  }

  /** Computes when the next packet starts on a link. */
  #computeStart(
    stage: TrainStage,
    from: TrainBuffer,
    { bytes, headCycle, tailCycle }: { bytes: number; headCycle: number; tailCycle: number },
  ): void {
    const { bytesPerCycle, index } = stage.link;
    const gapless = tailCycle - Math.ceil(bytes / bytesPerCycle) + 1;
    const readyCycle = Math.max(headCycle, gapless, from.freeCycle);
    let cycle = Math.max(readyCycle, Math.floor(stage.freeByte / bytesPerCycle));
    for (const end of stage.ends) {
      if (end.isReceiver) continue;
      const { roomCycles } = end;
      while (end.freeBytes < bytes || end.nextRoomCycle <= cycle) {
        cycle = Math.max(cycle, end.nextRoomCycle);
        end.freeBytes += this.#bytes[end.returnedCount++]!;
        const hasNext = end.returnedCount < roomCycles.length;
        end.nextRoomCycle = hasNext ? roomCycles[end.returnedCount]! : FAR;
      }
    }
    const { leftAt } = from;
    // The packet before it has left in this cycle, so this one follows in the same or the next
    // round.
    const isExposed =
      headCycle <= leftAt.cycle && readyCycle === leftAt.cycle && cycle === leftAt.cycle;
    let round = 1;
    if (isExposed) round = index > leftAt.linkIndex ? leftAt.round : leftAt.round + 1;
    if (stage.lastCycle === cycle) round = Math.max(round, stage.lastRound + 1);
    const startByte = Math.max(stage.freeByte, cycle * bytesPerCycle);
    stage.startBytes.push(startByte);
    stage.rounds.push(round);
    stage.freeByte = startByte + bytes;
    stage.lastCycle = cycle;
    stage.lastRound = round;
    for (const end of stage.ends) end.freeBytes -= bytes;
  }

  /** Computes when a packet has left a queue on all branches. */
  #leave(buffer: TrainBuffer, packet: number, bytes: number): void {
    let lastCycle = -1;
    let nextCycle = -1;
    let leftAt: ServicePoint = { cycle: -1, round: 0, linkIndex: -1 };
    for (const stage of buffer.stages) {
      lastCycle = Math.max(lastCycle, stage.lastCycleOf(packet, bytes));
      nextCycle = Math.max(nextCycle, stage.nextCycleOf(packet, bytes));
      const round = stage.rounds[packet]!;
      const started = { cycle: stage.startCycle(packet), round, linkIndex: stage.link.index };
      if (isLater(started, leftAt)) leftAt = started;
    }
    buffer.freeCycle = nextCycle;
    buffer.leftAt = leftAt;
    if (buffer.buffer === null) return;
    const roomCycle = lastCycle + 1 + buffer.buffer.link.latencyCycles;
    if (buffer.returnedCount === buffer.roomCycles.length) buffer.nextRoomCycle = roomCycle;
    buffer.roomCycles.push(roomCycle);
    this.#endCycle = Math.max(this.#endCycle, roomCycle);
  }

  /**
   * Applies the effects of all packets up to a point on links, buffers and counts.
   *
   * @param point Point up to which packets have started. Arrivals of its cycle are applied.
   */
  apply(point: ServicePoint, traffic: NetworkTraffic): void {
    for (const stage of this.stages) {
      this.#applyStarts(stage, point, traffic);
      this.#applyArrivals(stage, point.cycle);
    }
    for (const buffer of this.buffers) this.#returnRoom(buffer, point.cycle);
  }

  #applyStarts(stage: TrainStage, point: ServicePoint, traffic: NetworkTraffic): void {
    const { link, startBytes } = stage;
    const buffer = stage.from!;
    while (stage.sentCount < startBytes.length && stage.hasStarted(stage.sentCount, point)) {
      const packet = stage.sentCount++;
      const bytes = this.#bytes[packet]!;
      const startByte = startBytes[packet]!;
      const startCycle = stage.startCycle(packet);
      link.freeByte = startByte + bytes;
      link.lastByteBySender.set(this.messages[0]!.message.packet.from, startByte);
      const waitCycles = startCycle - this.#readyCycle(buffer, stage, packet);
      traffic.addPacket(link, buffer.queue, bytes, waitCycles);
      const endCycle = stage.lastCycleOf(packet, bytes) + 1;
      extendInterval(this.messageOf(packet).message, link, startCycle, endCycle);
      if (buffer.buffer === null) this.source.leave(bytes, startByte);
      for (const end of stage.ends) {
        this.#returnRoom(end, startCycle);
        end.buffer!.reserve(bytes);
      }
    }
  }

  #applyArrivals(stage: TrainStage, cycle: number): void {
    const { link, ends } = stage;
    while (stage.receivedCount < stage.sentCount) {
      const packet = stage.receivedCount;
      const arrival = ends[0]!.isReceiver
        ? stage.lastCycleOf(packet, this.#bytes[packet]!) + 1
        : this.timesAt(ends[0]!, packet).headCycle;
      if (arrival > cycle) break;
      link.receivedBytes += this.#bytes[packet]! * ends.length;
      stage.receivedCount++;
    }
  }

  #returnRoom(end: TrainBuffer, cycle: number): void {
    const { roomCycles } = end;
    while (end.countedReturns < roomCycles.length && roomCycles[end.countedReturns]! <= cycle) {
      end.buffer!.freeBytes += this.#bytes[end.countedReturns++]!;
    }
  }

  /** Cycle from which a packet could leave if it were alone. */
  #readyCycle(buffer: TrainBuffer, stage: TrainStage, packet: number): number {
    const { headCycle, tailCycle } = this.timesAt(buffer, packet);
    const gapless = tailCycle - Math.ceil(this.#bytes[packet]! / stage.link.bytesPerCycle) + 1;
    return Math.max(headCycle, gapless);
  }

  /** Returns the cycles from which the first and the last byte of a packet can leave a queue. */
  timesAt({ feeder }: TrainBuffer, packet: number): { headCycle: number; tailCycle: number } {
    if (feeder === null) {
      const { injectCycle } = this.messageOf(packet).message;
      return { headCycle: injectCycle, tailCycle: injectCycle };
    }
    const delay = feeder.link.latencyCycles + this.#options.routerCycles;
    return {
      headCycle: feeder.startCycle(packet) + delay,
      tailCycle: feeder.lastCycleOf(packet, this.#bytes[packet]!) + delay,
    };
  }

  /** Returns the message that a packet belongs to. */
  messageOf(packet: number): TrainMessage {
    return this.messages.findLast(({ firstPacket }) => firstPacket <= packet)!;
  }

  /** Forgets packets that have no further effect. */
  dropFinished(): void {
    let count = this.#bytes.length;
    for (const stage of this.stages) count = Math.min(count, stage.receivedCount);
    for (const { buffer, isReceiver, countedReturns, returnedCount } of this.buffers) {
      if (buffer !== null && !isReceiver) count = Math.min(count, countedReturns, returnedCount);
    }
    // A period is found in the times of the newest packets.
    count -= 2 * MAX_PERIOD_PACKETS;
    if (count < BLOCK_PACKETS) return;
    this.#bytes.splice(0, count);
    for (const stage of this.stages) stage.drop(count);
    for (const buffer of this.buffers) buffer.drop(count);
    for (const each of this.messages) each.firstPacket -= count;
    while (this.messages.length > 1 && this.messages[1]!.firstPacket <= 0) {
      this.messages.shift();
      this.#leftCount--;
    }
  }
}

/** Returns a queue with all links and queues behind it. */
function makeBuffer(
  queue: PacketQueue,
  buffer: InputBuffer | null,
  end: RouteBranch['ends'][number],
): TrainBuffer {
  const stages = end.branches.map((branch) => {
    const ends = branch.ends.map((each, i) => {
      const next = branch.lane.buffers[i]!;
      return makeBuffer(next, next, each);
    });
    const stage = new TrainStage(branch, ends);
    for (const each of ends) each.feeder = stage;
    return stage;
  });
  return new TrainBuffer(queue, buffer, end, stages);
}

/** Returns a queue and those behind it, in the order in which packets reach them. */
function listBuffers(first: TrainBuffer): TrainBuffer[] {
  return [first, ...first.stages.flatMap(({ ends }) => ends.flatMap(listBuffers))];
}

function isLater(a: ServicePoint, b: ServicePoint): boolean {
  if (a.cycle !== b.cycle) return a.cycle > b.cycle;
  if (a.round !== b.round) return a.round > b.round;
  return a.linkIndex > b.linkIndex;
}
