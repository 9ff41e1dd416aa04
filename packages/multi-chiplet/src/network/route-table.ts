/**
 * Routes of packets through the parts of a network. A route is a tree: its branches divide where
 * receivers of a multicast are reached over different links. Routes are built when they are first
 * used, and kept.
 */
import type { NetworkEngine } from '@tessera/chip';
import type { ChipletId } from '@tessera/frame';
import type { NetworkSpec } from './network-spec.ts';
import { PACKET_CHANNELS, type PacketChannel } from './packet-network.ts';
import type { Topology, TopologyLink } from './topologies/topology.ts';

/** Upper bound of the number of virtual channels: 2 channels, 2 levels, 8 lanes. */
const MAX_VIRTUAL_CHANNELS = 32;

/** Buffer at the end of a link. */
interface InputBuffer {
  /** Number in the engine. */
  readonly number: number;
  readonly link: number;
  /** Index of the virtual channel; −1 for a receiver. */
  readonly virtualChannel: number;
  /** Number of the lane of the packets that need this buffer alone. */
  readonly lane: number;
}

/** Continuation of a route behind a buffer. */
interface RouteEnd {
  readonly number: number;
  readonly isReceiver: boolean;
  /** Least number of cycles from the one in which a packet can leave the buffer to a delivery. */
  readonly leastCycles: number;
}

/** Link that a packet takes next, and what is behind the buffers that it reaches. */
interface RouteBranch {
  readonly number: number;
  readonly link: number;
  readonly ends: readonly RouteEnd[];
}

/** Links and routes of one network, as parts of its engine. */
export class RouteTable {
  /** Injection links, then the links of the topology, then ejection links. */
  readonly links: readonly TopologyLink[];
  readonly #topology: Topology;
  readonly #spec: NetworkSpec;
  readonly #receiverBytes: number;
  readonly #engine: NetworkEngine;
  /**
   * Number of the end that a route starts with, by sender, receiver and channel; −1 if not built.
   */
  readonly #routes: Int32Array;
  readonly #bufferByKey = new Map<number, InputBuffer>();
  readonly #branchesByPlace = new Map<number, readonly RouteBranch[]>();
  /** Numbers of the lanes of several buffers, by the numbers of these. */
  readonly #sharedLanes = new Map<string, number>();

  /**
   * @param receiverBytes Room of each chiplet for the packets of a channel that it has received.
   */
  constructor(engine: NetworkEngine, topology: Topology, spec: NetworkSpec, receiverBytes: number) {
    this.#engine = engine;
    this.#topology = topology;
    this.#spec = spec;
    this.#receiverBytes = receiverBytes;
    const port = { bytesPerCycle: spec.portBytesPerCycle, latencyCycles: 0 };
    const ids = Array.from({ length: topology.chipletCount }, (_, id) => id);
    this.links = [
      ...ids.map((id) => ({ name: `${id}→network`, ...port })),
      ...topology.links,
      ...ids.map((id) => ({ name: `network→${id}`, ...port })),
    ];
    for (const link of this.links) engine.addLink(link.bytesPerCycle, link.latencyCycles);
    this.#routes = new Int32Array(2 * topology.chipletCount ** 2).fill(-1);
  }

  /** Buffers that were used so far. */
  get buffers(): Iterable<InputBuffer> {
    return this.#bufferByKey.values();
  }

  /**
   * Returns the number of the end that a route starts with: the source queue.
   *
   * @param to Receiver; the sender itself for a multicast to all others.
   * @param channel Index in PACKET_CHANNELS.
   */
  routeOf(from: ChipletId, to: ChipletId, channel: number): number {
    const key = (from * this.#topology.chipletCount + to) * 2 + channel;
    const known = this.#routes[key]!;
    if (known >= 0) return known;
    const route = this.#makeRoute(from, to, PACKET_CHANNELS[channel]!);
    this.#routes[key] = route;
    return route;
  }

  /** Returns the buffer in which a chiplet receives the packets of a channel. */
  receiverOf(id: ChipletId, channel: PacketChannel): InputBuffer {
    const { chipletCount, links, inputs } = this.#topology;
    const key = bufferKey(inputs.length + chipletCount + id, classOf(channel));
    const link = chipletCount + links.length + id;
    return this.#bufferAt(key, link, -1, this.#receiverBytes);
  }

  #makeRoute(from: ChipletId, to: ChipletId, channel: PacketChannel): number {
    const { chipletCount, inputs } = this.#topology;
    const ids = Array.from({ length: chipletCount }, (_, id) => id);
    const receivers = to === from ? ids.filter((id) => id !== from) : [to];
    const lane = from % this.#spec.lanes;
    const place: Place = { node: from, level: 0, channel, lane };
    const injection = this.#inputBuffer(inputs.length + from, place);
    const ends = [this.#endOf(this.#branchesAt(place, receivers))];
    return this.#endOf([this.#branchOf([injection], ends)]).number;
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
        const number = this.#engine.addEnd(to, 0, []);
        const ends = [{ number, isReceiver: true, leastCycles: 0 }];
        branches.push(this.#branchOf([this.receiverOf(to, channel)], ends));
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
      branches.push(this.#branchOf(buffers, ends));
    }
    return branches;
  }

  #endOf(branches: readonly RouteBranch[]): RouteEnd {
    const leastCycles = this.#leastCycles(branches);
    const parts = branches.map(({ number }) => number);
    return { number: this.#engine.addEnd(-1, leastCycles, parts), isReceiver: false, leastCycles };
  }

  #branchOf(buffers: readonly InputBuffer[], ends: readonly RouteEnd[]): RouteBranch {
    const parts = ends.map(({ number }) => number);
    const number = this.#engine.addBranch(this.#laneOf(buffers), parts);
    return { number, link: buffers[0]!.link, ends };
  }

  /** Returns the least number of cycles from the one in which a packet leaves to a delivery. */
  #leastCycles(branches: readonly RouteBranch[]): number {
    let least = Number.POSITIVE_INFINITY;
    for (const { link, ends } of branches) {
      const hopCycles = this.links[link]!.latencyCycles + this.#spec.routerCycles;
      for (const { isReceiver, leastCycles } of ends) {
        least = Math.min(least, isReceiver ? 1 : hopCycles + leastCycles);
      }
    }
    return least;
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
    return this.#bufferAt(key, link, virtualChannel, bufferBytes);
  }

  #bufferAt(key: number, link: number, virtualChannel: number, capacityBytes: number): InputBuffer {
    let buffer = this.#bufferByKey.get(key);
    if (buffer === undefined) {
      const number = this.#engine.addBuffer(link, virtualChannel, capacityBytes);
      buffer = { number, link, virtualChannel, lane: this.#engine.addLane(link, [number]) };
      this.#bufferByKey.set(key, buffer);
    }
    return buffer;
  }

  /** Returns the number of the lane of buffers at the end of one link. */
  #laneOf(buffers: readonly InputBuffer[]): number {
    const [first] = buffers as [InputBuffer];
    if (buffers.length === 1) return first.lane;
    // Lanes of several buffers are those of multicasts on a bus, one for each sender and channel.
    const numbers = buffers.map(({ number }) => number);
    const key = numbers.join();
    const lane = this.#sharedLanes.get(key) ?? this.#engine.addLane(first.link, numbers);
    this.#sharedLanes.set(key, lane);
    return lane;
  }
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
