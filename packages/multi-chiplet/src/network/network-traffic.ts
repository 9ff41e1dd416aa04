/** Counts of the traffic in a network, for reports. */
import type { NetworkEngine } from '@tessera/chip';
import type { NetworkSpec } from './network-spec.ts';
import { PACKET_CHANNELS } from './packet-network.ts';
import type { RouteTable } from './route-table.ts';
import type { Topology } from './topologies/topology.ts';

/** Traffic over a link in its direction. */
export interface LinkTraffic {
  readonly name: string;
  readonly packets: number;
  /** Number of bytes that entered the link, headers included. */
  readonly sentBytes: number;
  /** Number of bytes that left the buffers at its end; of complete packets at a chiplet. */
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

/** Returns the names of the virtual channels, such as `request 0`. */
export function namesOfVirtualChannels(topology: Topology, spec: NetworkSpec): readonly string[] {
  return PACKET_CHANNELS.flatMap((channel) =>
    Array.from({ length: topology.levelCount * spec.lanes }, (_, i) => `${channel} ${i}`),
  );
}

/** Traffic of a network from its start. */
export class NetworkTraffic {
  readonly #engine: NetworkEngine;
  readonly #routes: RouteTable;
  readonly #virtualChannels: readonly string[];

  constructor(engine: NetworkEngine, routes: RouteTable, virtualChannels: readonly string[]) {
    this.#engine = engine;
    this.#routes = routes;
    this.#virtualChannels = virtualChannels;
  }

  /** Cycles that packets waited at their senders to enter the network. */
  get sourceWaitCycles(): number {
    return this.#engine.sourceWaitCycles;
  }

  /** Returns the traffic of each link that carried a packet. */
  listLinks(): readonly LinkTraffic[] {
    return this.#routes.links
      .map(({ name, bytesPerCycle }, link) => ({
        name,
        packets: this.#engine.packetCountOf(link),
        sentBytes: this.#engine.sentBytesOf(link),
        receivedBytes: this.#engine.receivedBytesOf(link),
        busyCycles: Math.ceil(this.#engine.sentBytesOf(link) / bytesPerCycle),
      }))
      .filter(({ packets }) => packets > 0);
  }

  /** Returns the waits by virtual channel. */
  listVirtualChannels(): readonly VirtualChannelTraffic[] {
    const maxBytes = this.#virtualChannels.map(() => 0);
    for (const { virtualChannel, number } of this.#routes.buffers) {
      if (virtualChannel < 0) continue;
      maxBytes[virtualChannel] = Math.max(
        maxBytes[virtualChannel]!,
        this.#engine.maxBytesOf(number),
      );
    }
    return this.#virtualChannels.map((name, i) => ({
      name,
      waitCycles: this.#engine.waitCyclesOf(i),
      maxBytes: maxBytes[i]!,
    }));
  }
}
