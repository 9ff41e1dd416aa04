/** Turns a train into the single packets that there would be without it. */
import type { InputBuffer, PacketCopy, RouteBranch } from './network-parts.ts';
import type { Train } from './train.ts';
import type { ServicePoint, TrainBuffer, TrainStage } from './train-parts.ts';

/** Actions of the network on the packets of a train. */
export interface TrainEvents {
  /** A packet reaches a buffer in a later cycle. */
  addArrival(copy: PacketCopy, buffer: InputBuffer): void;
  /** A packet is received in a later cycle. */
  addDelivery(cycle: number, copy: PacketCopy): void;
  /** A buffer gets room in a later cycle. */
  addRoom(cycle: number, buffer: InputBuffer, bytes: number): void;
  /**
   * Makes the packet at the head of a queue a candidate.
   *
   * @param open Branches on which it has not left; by default all.
   */
  offerHead(queue: TrainBuffer['queue'], open?: readonly RouteBranch[]): void;
}

/**
 * Restores the queues of a train whose effects up to `point` were applied. Links must be free of
 * the train already.
 */
export function dissolveTrain(train: Train, point: ServicePoint, events: TrainEvents): void {
  for (const buffer of train.buffers) {
    if (buffer.isReceiver) restoreDeliveries(train, buffer, point, events);
    else if (buffer.buffer !== null) restoreBuffer(train, buffer, buffer.buffer, point, events);
  }
  for (const { queue, stages, leftCount, buffer } of train.buffers) {
    if (buffer === null || queue.head === undefined) continue;
    const open = stages.filter(({ sentCount }) => sentCount === leftCount);
    events.offerHead(
      queue,
      open.map(({ branch }) => branch),
    );
  }
}

function restoreDeliveries(
  train: Train,
  receiver: TrainBuffer,
  { cycle }: ServicePoint,
  events: TrainEvents,
): void {
  const stage = receiver.feeder!;
  for (let packet = stage.receivedCount; packet < stage.sentCount; packet++) {
    const arrival = stage.lastCycleOf(packet, train.bytesOf(packet)) + 1;
    if (arrival > cycle) events.addDelivery(arrival, copyAt(train, receiver, packet));
  }
  const to = receiver.end.receiver;
  for (const { message, firstPacket } of train.messages) {
    const { packetCount, missingByReceiver } = message;
    const arrived = Math.min(packetCount, Math.max(0, stage.receivedCount - firstPacket));
    if (missingByReceiver === null) message.missingCount = packetCount - arrived;
    else missingByReceiver.set(to, packetCount - arrived);
  }
}

function restoreBuffer(
  train: Train,
  part: TrainBuffer,
  buffer: InputBuffer,
  point: ServicePoint,
  events: TrainEvents,
): void {
  const { leftCount, stages } = part;
  for (let packet = part.countedReturns; packet < leftCount; packet++) {
    events.addRoom(part.roomCycles[packet]!, buffer, train.bytesOf(packet));
  }
  if (leftCount > 0) buffer.freeCycle = nextCycleOf(train, stages, leftCount - 1);
  buffer.isOffered = false;
  for (let packet = leftCount; packet < part.feeder!.sentCount; packet++) {
    const copy = copyAt(train, part, packet);
    if (copy.headCycle <= point.cycle) buffer.push(copy);
    else events.addArrival(copy, buffer);
  }
}

/** Returns a packet as it is in a queue, or on its way to it. */
function copyAt(train: Train, part: TrainBuffer, packet: number): PacketCopy {
  const { message, firstPacket } = train.messageOf(packet);
  const started = part.stages.filter(({ sentCount }) => sentCount > packet);
  const bytes = train.bytesOf(packet);
  const [injection] = train.buffers[0]!.stages;
  return {
    message,
    packetIndex: packet - firstPacket,
    bytes,
    end: part.end,
    ...train.timesAt(part, packet),
    entryByte: injection!.startBytes[packet]!,
    branchesLeft: part.stages.length - started.length,
    lastCycle: Math.max(0, ...started.map((stage) => stage.lastCycleOf(packet, bytes))),
    nextCycle: Math.max(0, ...started.map((stage) => stage.nextCycleOf(packet, bytes))),
  };
}

/** Returns the cycle from which the packet after one can leave a queue. */
function nextCycleOf(train: Train, stages: readonly TrainStage[], packet: number): number {
  const bytes = train.bytesOf(packet);
  return Math.max(...stages.map((stage) => stage.nextCycleOf(packet, bytes)));
}
