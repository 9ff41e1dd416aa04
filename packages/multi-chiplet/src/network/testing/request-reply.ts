/**
 * Chiplets that send requests to each other and answer them. A chiplet keeps a request, and the
 * room that the request takes, until it has room for the reply. It accepts all replies.
 */
import type { ChipletNetwork } from '../chiplet-network.ts';
import type { Packet, PacketChannel } from '../packet-network.ts';

/** Options of a run of requests and replies. */
export interface RequestReplyOptions {
  readonly chipletCount: number;
  readonly untilCycle: number;
  /** Returns an integer from 0 up to a bound, which it does not reach. */
  readonly drawInteger: (bound: number) => number;
  /** Channel of the replies. Requests and replies on one channel can deadlock. */
  readonly replyChannel?: PacketChannel;
}

/** Number of requests of a chiplet that may be without a reply. */
const MAX_OPEN_REQUESTS = 8;

/** Result of a run. */
export interface RequestReplyResult {
  readonly requests: number;
  readonly replies: number;
  /** Whether packets are left that nothing can move. */
  readonly isDeadlocked: boolean;
}

/** Sends random requests until a cycle, and lets them finish. */
export function runRequestReply(
  network: ChipletNetwork,
  { chipletCount, untilCycle, drawInteger, replyChannel = 'reply' }: RequestReplyOptions,
): RequestReplyResult {
  const openCounts = new Int32Array(chipletCount);
  const held: Packet[] = [];
  let requests = 0;
  let replies = 0;
  const sendRequests = (from: number, cycle: number) => {
    while (openCounts[from]! < MAX_OPEN_REQUESTS && cycle < untilCycle) {
      const to = (from + 1 + drawInteger(chipletCount - 1)) % chipletCount;
      const bytes = drawInteger(2) * 16;
      network.inject({ from, to, channel: 'request', bytes, tag: from }, cycle);
      openCounts[from]!++;
      requests++;
    }
  };
  for (let from = 0; from < chipletCount; from++) sendRequests(from, 0);
  let cycle = network.nextCycle;
  for (; cycle < Number.POSITIVE_INFINITY; cycle = network.nextCycle) {
    for (const { packet } of network.advance(cycle + 1)) {
      if (packet.tag < chipletCount) {
        held.push(packet);
        continue;
      }
      network.release(packet, cycle + 1);
      replies++;
      openCounts[packet.to]!--;
      sendRequests(packet.to, cycle + 1);
    }
    for (let i = held.length - 1; i >= 0; i--) {
      const request = held[i]!;
      // There is room for one reply.
      if (network.waitingBytes(request.to, replyChannel) > 0) continue;
      const { from, to } = request;
      const bytes = 16 - request.bytes;
      const tag = chipletCount + request.tag;
      network.inject({ from: to, to: from, channel: replyChannel, bytes, tag }, cycle + 1);
      network.release(request, cycle + 1);
      held.splice(i, 1);
    }
  }
  return { requests, replies, isDeadlocked: replies < requests };
}
