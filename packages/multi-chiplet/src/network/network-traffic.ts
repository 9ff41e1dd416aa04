/** Counts of the traffic in a network, for reports. */
import type { InputBuffer, Message, NetworkLink, PacketQueue } from './network-parts.ts';
import type { LinkUse } from './packet-network.ts';
import type { RouteTable } from './route-table.ts';

/** Traffic over a link in its direction. */
export interface LinkTraffic {
  readonly name: string;
  readonly packets: number;
  /** Number of bytes that entered the link, headers included. */
  readonly sentBytes: number;
  /** Number of bytes of packets whose first byte has arrived; of complete packets at a chiplet. */
  readonly receivedBytes: number;
  /** Cycles in which the link carried its bandwidth, rounded up. */
  readonly busyCycles: number;
}

/** Waits of packets in the buffers of a virtual channel. */
export interface VirtualChannelTraffic {
  readonly name: string;
  /** Cycles from the one in which a packet could leave to that in which it left, over all. */
  readonly waitCycles: number;
  /** Largest number of bytes in a buffer, with those on their way to it. */
  readonly maxBytes: number;
}

/** Adds a packet to the interval in which a link carries its message, if these are recorded. */
export function extendInterval(
  { intervals }: Message,
  link: NetworkLink,
  startCycle: number,
  endCycle: number,
): void {
  if (intervals === null) return;
  const interval = intervals.get(link);
  if (interval === undefined) intervals.set(link, { startCycle, endCycle });
  else interval.endCycle = endCycle;
}

/** Returns the uses of links by a message with the given number of bytes, headers included. */
export function listUses({ intervals }: Message, bytes: number): readonly LinkUse[] {
  return [...(intervals ?? [])].map(([{ name, bytesPerCycle }, interval]) => ({
    channel: name,
    ...interval,
    busyCycles: Math.ceil(bytes / bytesPerCycle),
  }));
}

/** Traffic of a network from its start. */
export class NetworkTraffic {
  /** Data bytes by sender × number of chiplets + receiver. */
  readonly bytesByPair: Float64Array;
  /** Cycles that packets waited at their senders to enter the network. */
  sourceWaitCycles = 0;
  readonly #chipletCount: number;
  readonly #routes: RouteTable;
  readonly #waitCycles: Float64Array;

  constructor(chipletCount: number, routes: RouteTable) {
    this.#chipletCount = chipletCount;
    this.#routes = routes;
    this.bytesByPair = new Float64Array(chipletCount * chipletCount);
    this.#waitCycles = new Float64Array(routes.virtualChannels.length);
  }

  /** Counts a message that a chiplet sends. */
  addMessage({ packet: { from, to: one, bytes }, missingByReceiver }: Message): void {
    const first = from * this.#chipletCount;
    if (missingByReceiver === null) this.bytesByPair[first + one]! += bytes;
    else for (const to of missingByReceiver.keys()) this.bytesByPair[first + to]! += bytes;
  }

  /** Counts a packet that enters a link. */
  addPacket(link: NetworkLink, queue: PacketQueue, bytes: number, waitCycles: number): void {
    link.packetCount++;
    link.sentBytes += bytes;
    if (queue.isSource) this.sourceWaitCycles += waitCycles;
    else this.#waitCycles[(queue as InputBuffer).virtualChannel]! += waitCycles;
  }

  /** Returns the traffic of each link that carried a packet. */
  listLinks(): readonly LinkTraffic[] {
    return this.#routes.links
      .filter(({ packetCount }) => packetCount > 0)
      .map(({ name, packetCount, sentBytes, receivedBytes, bytesPerCycle }) => ({
        name,
        packets: packetCount,
        sentBytes,
        receivedBytes,
        busyCycles: Math.ceil(sentBytes / bytesPerCycle),
      }));
  }

  /** Returns the waits by virtual channel. */
  listVirtualChannels(): readonly VirtualChannelTraffic[] {
    const maxBytes = this.#routes.virtualChannels.map(() => 0);
    for (const { virtualChannel, maxBytes: ofBuffer } of this.#routes.buffers) {
      if (virtualChannel < 0) continue;
      maxBytes[virtualChannel] = Math.max(maxBytes[virtualChannel]!, ofBuffer);
    }
    return this.#routes.virtualChannels.map((name, i) => ({
      name,
      waitCycles: this.#waitCycles[i]!,
      maxBytes: maxBytes[i]!,
    }));
  }
}
