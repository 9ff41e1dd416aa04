/**
 * Routes of packets through the parts of a network. A route is a tree: its branches divide where
 * receivers of a multicast are reached over different links. Routes are built when they are first
 * used, and kept.
 */
import type { ChipletId } from '@tessera/frame';
import {
  InputBuffer,
  type Lane,
  NetworkLink,
  type RouteBranch,
  type RouteEnd,
} from './network-parts.ts';
import type { NetworkSpec } from './network-spec.ts';
import { PACKET_CHANNELS, type PacketChannel } from './packet-network.ts';
import type { Topology, TopologyLink } from './topologies/topology.ts';

/** Upper bound of the number of virtual channels: 2 channels, 2 levels, 8 lanes. */
const MAX_VIRTUAL_CHANNELS = 32;

/** Links and routes of one network. */
export class RouteTable {
  /** Injection links, then the links of the topology, then ejection links. */
  readonly links: readonly NetworkLink[];
  /** Names of the virtual channels, such as `request 0`. */
  readonly virtualChannels: readonly string[];
  readonly #topology: Topology;
  readonly #spec: NetworkSpec;
  readonly #receiverBytes: number;
  readonly #routes = new Map<number, RouteEnd>();
  readonly #bufferByKey = new Map<number, InputBuffer>();
  readonly #branchesByPlace = new Map<number, readonly RouteBranch[]>();
  readonly #sharedLanes: Lane[] = [];

  /**
   * @param receiverBytes Room of each chiplet for the packets of a channel that it has received.
   */
  constructor(topology: Topology, spec: NetworkSpec, receiverBytes: number) {
    this.#topology = topology;
    this.#spec = spec;
    this.#receiverBytes = receiverBytes;
    const port = { bytesPerCycle: spec.portBytesPerCycle, latencyCycles: 0 };
    const ids = Array.from({ length: topology.chipletCount }, (_, id) => id);
    const links: TopologyLink[] = [
      ...ids.map((id) => ({ name: `${id}→network`, ...port })),
      ...topology.links,
      ...ids.map((id) => ({ name: `network→${id}`, ...port })),
    ];
    this.links = links.map((link, index) => new NetworkLink(index, link));
    this.virtualChannels = PACKET_CHANNELS.flatMap((channel) =>
      Array.from({ length: topology.levelCount * spec.lanes }, (_, i) => `${channel} ${i}`),
    );
  }

  /** Buffers that were used so far. */
  get buffers(): Iterable<InputBuffer> {
    return this.#bufferByKey.values();
  }

  /** Returns the route between two chiplets, which starts in the source queue. */
  routeTo(from: ChipletId, to: ChipletId, channel: PacketChannel): RouteEnd {
    return this.#routeOf(from, to, channel, [to]);
  }

  /** Returns the route from a chiplet to all others. */
  routeToAll(from: ChipletId, channel: PacketChannel): RouteEnd {
    const { chipletCount } = this.#topology;
    const others = Array.from({ length: chipletCount }, (_, id) => id).filter((id) => id !== from);
    return this.#routeOf(from, from, channel, others);
  }

  /** Returns the buffer in which a chiplet receives the packets of a channel. */
  receiverOf(id: ChipletId, channel: PacketChannel): InputBuffer {
    const { chipletCount, links, inputs } = this.#topology;
    const key = bufferKey(inputs.length + chipletCount + id, classOf(channel));
    const link = this.links[chipletCount + links.length + id]!;
    return this.#bufferAt(key, link, -1, this.#receiverBytes);
  }

  #routeOf(
    from: ChipletId,
    to: ChipletId,
    channel: PacketChannel,
    receivers: readonly ChipletId[],
  ): RouteEnd {
    const { chipletCount } = this.#topology;
    const key = (from * chipletCount + to) * 2 + classOf(channel);
    let route = this.#routes.get(key);
    if (route === undefined) {
      const lane = from % this.#spec.lanes;
      const place: Place = { node: from, level: 0, channel, lane };
      const { lane: injection } = this.#inputBuffer(this.#topology.inputs.length + from, place);
      const ends = [this.#endOf(this.#branchesAt(place, receivers))];
      route = this.#endOf([{ lane: injection, ends }]);
      this.#routes.set(key, route);
    }
    return route;
  }

  /** Returns how packets leave a node for their receivers. */
  #branchesAt(place: Place, receivers: readonly ChipletId[]): readonly RouteBranch[] {
    if (receivers.length > 1) return this.#makeBranches(place, receivers);
    // Routes to one receiver share their ends, because the next hop depends on the place alone.
    const key = this.#placeKey(place, receivers[0]!);
    let branches = this.#branchesByPlace.get(key);
    if (branches === undefined) {
      branches = this.#makeBranches(place, receivers);
      this.#branchesByPlace.set(key, branches);
    }
    return branches;
  }

  #makeBranches(place: Place, receivers: readonly ChipletId[]): RouteBranch[] {
    const { node, level, channel } = place;
    const branches: RouteBranch[] = [];
    const groups = new Map<number, Map<number, { level: number; receivers: ChipletId[] }>>();
    for (const to of receivers) {
      if (to === node) {
        const ends: RouteEnd[] = [{ receiver: to, branches: [], leastCycles: 0 }];
        branches.push({ lane: this.#laneOf([this.receiverOf(to, channel)]), ends });
        continue;
      }
      const hop = this.#topology.hop(node, to, level);
      const byInput = groups.get(hop.link) ?? new Map();
      groups.set(hop.link, byInput);
      const group = byInput.get(hop.input) ?? { level: hop.level, receivers: [] };
      byInput.set(hop.input, group);
      group.receivers.push(to);
    }
    for (const byInput of groups.values()) {
      const buffers: InputBuffer[] = [];
      const ends: RouteEnd[] = [];
      for (const [input, group] of byInput) {
        const next = { ...place, node: this.#topology.inputs[input]!.node, level: group.level };
        buffers.push(this.#inputBuffer(input, next));
        ends.push(this.#endOf(this.#branchesAt(next, group.receivers)));
      }
      branches.push({ lane: this.#laneOf(buffers), ends });
    }
    return branches;
  }

  #endOf(branches: readonly RouteBranch[]): RouteEnd {
    return { receiver: -1, branches, leastCycles: leastCycles(branches, this.#spec) };
  }

  #placeKey({ node, level, channel, lane }: Place, to: ChipletId): number {
    const { chipletCount, levelCount } = this.#topology;
    const virtualChannel = (classOf(channel) * levelCount + level) * this.#spec.lanes + lane;
    return (node * chipletCount + to) * MAX_VIRTUAL_CHANNELS + virtualChannel;
  }

  /** Inputs of the topology come first, then those at which packets leave their senders. */
  #inputBuffer(input: number, { channel, level, lane }: Omit<Place, 'node'>): InputBuffer {
    const { chipletCount, inputs, levelCount } = this.#topology;
    const { lanes, bufferBytes } = this.#spec;
    const virtualChannel = (classOf(channel) * levelCount + level) * lanes + lane;
    const isOfTopology = input < inputs.length;
    const link = isOfTopology ? chipletCount + inputs[input]!.link : input - inputs.length;
    const key = bufferKey(input, virtualChannel);
    return this.#bufferAt(key, this.links[link]!, virtualChannel, bufferBytes);
  }

  #bufferAt(
    key: number,
    link: NetworkLink,
    virtualChannel: number,
    capacityBytes: number,
  ): InputBuffer {
    let buffer = this.#bufferByKey.get(key);
    if (buffer === undefined) {
      buffer = new InputBuffer(link, virtualChannel, capacityBytes);
      this.#bufferByKey.set(key, buffer);
    }
    return buffer;
  }

  /** Returns the lane of buffers at the end of one link. */
  #laneOf(buffers: readonly InputBuffer[]): Lane {
    const [first] = buffers as [InputBuffer];
    if (buffers.length === 1) return first.lane;
    // Lanes of several buffers are those of multicasts on a bus, one for each sender and channel.
    const found = this.#sharedLanes.find(
      (lane) =>
        lane.buffers.length === buffers.length &&
        lane.buffers.every((each, i) => each === buffers[i]),
    );
    if (found !== undefined) return found;
    const lane: Lane = { link: first.link, buffers, candidates: [] };
    this.#sharedLanes.push(lane);
    return lane;
  }
}

/** Returns the least number of cycles from the one in which a packet leaves to a delivery. */
function leastCycles(
  branches: readonly RouteBranch[],
  { routerCycles }: Pick<NetworkSpec, 'routerCycles'>,
): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { lane, ends } of branches) {
    for (const end of ends) {
      const isReceiver = end.receiver >= 0;
      const cycles = isReceiver ? 1 : lane.link.latencyCycles + routerCycles + end.leastCycles;
      least = Math.min(least, cycles);
    }
  }
  return least;
}

/** Place of a packet on its way. */
interface Place {
  readonly node: number;
  readonly level: number;
  readonly channel: PacketChannel;
  readonly lane: number;
}

function bufferKey(input: number, virtualChannel: number): number {
  return input * MAX_VIRTUAL_CHANNELS + virtualChannel;
}

function classOf(channel: PacketChannel): number {
  return channel === 'request' ? 0 : 1;
}
