/**
 * Packet network between chiplets. Routes, names and reports are made here; packets are simulated
 * by the compiled model of `@tessera/chip` (packages/chip/src/network).
 *
 * docs/network.md describes the model and argues that it is free of deadlock.
 */
import {
  DELIVERY,
  DELIVERY_WORDS,
  INJECTION,
  NetworkEngine,
  type NetworkEngineOptions,
} from '@tessera/chip';
import type { ChipletId } from '@tessera/frame';
import type { NetworkSpec } from './network-spec.ts';
import { NetworkTraffic, namesOfVirtualChannels } from './network-traffic.ts';
import {
  type Delivery,
  type LinkUse,
  PACKET_CHANNELS,
  type Packet,
  type PacketChannel,
  type PacketNetwork,
} from './packet-network.ts';
import { RouteTable } from './route-table.ts';
import { NETWORK_TOPOLOGIES } from './topologies/topologies.ts';
import type { Topology } from './topologies/topology.ts';
import { zeroLoadCycles } from './zero-load.ts';

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
  /** Function that creates the model; the compiled one by default. */
  readonly makeEngine?: ((options: NetworkEngineOptions) => NetworkEngine) | undefined;
}

/** Network of one simulation. */
export class ChipletNetwork implements PacketNetwork {
  readonly lookaheadCycles: number;
  /** Traffic up to the last bound of {@link advance}. */
  readonly traffic: NetworkTraffic;
  readonly #engine: NetworkEngine;
  readonly #spec: NetworkSpec;
  readonly #chipletCount: number;
  readonly #isBounded: boolean;
  readonly #routes: RouteTable;
  #bound = 0;

  constructor(options: ChipletNetworkOptions) {
    const { chipletCount, spec, receiverBytes, topology, makeEngine } = options;
    const used = topology ?? NETWORK_TOPOLOGIES[spec.topology].make({ ...spec, chipletCount });
    const virtualChannels = namesOfVirtualChannels(used, spec);
    this.#spec = spec;
    this.#chipletCount = chipletCount;
    this.#isBounded = receiverBytes !== undefined;
    const virtualChannelCount = virtualChannels.length;
    const figures = { ...spec, chipletCount, virtualChannelCount };
    const engine = makeEngine?.(figures) ?? new NetworkEngine(figures);
    this.#engine = engine;
    this.#routes = new RouteTable(engine, used, spec, receiverBytes ?? Number.MAX_SAFE_INTEGER);
    this.traffic = new NetworkTraffic(engine, this.#routes, virtualChannels);
    const latencies = Array.from({ length: chipletCount - 1 }, (_, i) =>
      zeroLoadCycles(used, spec, { from: 0, to: i + 1, bytes: 0 }),
    );
    this.lookaheadCycles = Math.min(...latencies);
  }

  /**
   * Sends a packet; see {@link PacketNetwork}.
   *
   * @param recordsUses Whether {@link usesOf} lists the links that were used.
   */
  inject(packet: Packet, cycle: number, recordsUses = false): void {
    const { from, to } = packet;
    if (to === from) throw new Error(`network: chiplet ${from} sends to itself`);
    this.#inject(packet, to, cycle, recordsUses);
  }

  /**
   * Sends a packet to all other chiplets. It crosses each link at most once, if the routes to the
   * receivers are a tree.
   */
  injectToAll(packet: Omit<Packet, 'to'>, cycle: number, recordsUses = false): void {
    if (this.#chipletCount > 1) this.#inject(packet, packet.from, cycle, recordsUses);
  }

  #inject(packet: Omit<Packet, 'to'>, to: ChipletId, cycle: number, recordsUses: boolean): void {
    const { from, channel, bytes, tag, priority = 0 } = packet;
    if (priority >= this.#spec.priorities) {
      throw new Error(`network: priority ${priority} is not below ${this.#spec.priorities}`);
    }
    // Parts of two messages could fill a receiver, and neither would become complete.
    if (this.#isBounded && bytes > this.#spec.packetBytes) {
      throw new Error(`network: ${bytes} bytes are more than one packet for a bounded receiver`);
    }
    const channelIndex = PACKET_CHANNELS.indexOf(channel);
    const at = this.#addMessage(from, to, channelIndex, priority, bytes, cycle, tag);
    if (recordsUses) this.#engine.injections[at + INJECTION.isRecorded] = 1;
  }

  /**
   * Sends a message about a line of memory.
   *
   * @param channel Index in PACKET_CHANNELS.
   * @param tag Number by which the caller knows its deliveries, from 0 on.
   * @param line Number that is delivered with it, as `home` is.
   */
  injectLine(
    from: ChipletId,
    to: ChipletId,
    channel: number,
    priority: number,
    bytes: number,
    cycle: number,
    tag: number,
    line: number,
    home: number,
  ): void {
    const at = this.#addMessage(from, to, channel, priority, bytes, cycle, tag);
    const words = this.#engine.injections;
    words[at + INJECTION.line] = line;
    words[at + INJECTION.home] = home;
  }

  /** Returns the place of a message among the words of injections. */
  #addMessage(
    from: ChipletId,
    to: ChipletId,
    channel: number,
    priority: number,
    bytes: number,
    cycle: number,
    tag: number,
  ): number {
    if (cycle < this.#bound || !Number.isInteger(cycle)) {
      throw new Error(`network: cycle ${cycle} is before ${this.#bound}`);
    }
    const start = this.#routes.routeOf(from, to, channel);
    const at = this.#engine.addInjection();
    const words = this.#engine.injections;
    words[at + INJECTION.start] = start;
    words[at + INJECTION.from] = from;
    words[at + INJECTION.to] = to;
    words[at + INJECTION.channel] = channel;
    words[at + INJECTION.priority] = priority;
    words[at + INJECTION.isRecorded] = 0;
    words[at + INJECTION.bytes] = bytes;
    words[at + INJECTION.cycle] = cycle;
    words[at + INJECTION.tag] = tag;
    words[at + INJECTION.line] = 0;
    words[at + INJECTION.home] = 0;
    return at;
  }

  /** Returns room to the receiver of a packet that was delivered, at a cycle from now on. */
  release({ to, channel, bytes }: Packet, cycle: number): void {
    this.#engine.release(this.#routes.receiverOf(to, channel).number, cycle, bytes);
  }

  /** Returns the number of bytes that wait at a chiplet to enter the network. */
  waitingBytes(from: ChipletId, channel: PacketChannel): number {
    return this.#engine.waitingBytes(from, PACKET_CHANNELS.indexOf(channel));
  }

  /** Next cycle in which something happens; infinite if the network is empty. */
  get nextCycle(): number {
    return this.#engine.nextCycle;
  }

  /**
   * Cycle before which no message whose uses are recorded is delivered, unless it is injected
   * later. Infinite if there is none.
   */
  get nextRecordedCycle(): number {
    return this.#engine.nextRecordedCycle;
  }

  advance(untilCycle: number): readonly Delivery[] {
    const words = this.advanceWords(untilCycle);
    const deliveries: Delivery[] = [];
    for (let at = 0; at < words.length; at += DELIVERY_WORDS) {
      const packet = {
        from: words[at + DELIVERY.from]!,
        to: words[at + DELIVERY.to]!,
        channel: PACKET_CHANNELS[words[at + DELIVERY.channel]!]!,
        bytes: words[at + DELIVERY.bytes]!,
        tag: words[at + DELIVERY.tag]!,
      };
      deliveries.push({ packet, cycle: words[at + DELIVERY.cycle]! });
    }
    return deliveries;
  }

  /**
   * Simulates like {@link advance}. Returns deliveries as words of DELIVERY, which are valid until
   * the next call.
   */
  advanceWords(untilCycle: number): Float64Array {
    if (untilCycle > this.#bound) this.#bound = untilCycle;
    return this.#engine.advance(untilCycle);
  }

  /**
   * Returns the links that a message has used, if they are recorded.
   *
   * @param message Word of a delivery of the last call of {@link advanceWords}.
   * @param bytes Number of data bytes.
   */
  usesOf(message: number, bytes: number): readonly LinkUse[] {
    const { packetBytes, headerBytes } = this.#spec;
    const wireBytes = bytes + Math.max(1, Math.ceil(bytes / packetBytes)) * headerBytes;
    const words = this.#engine.intervalsOf(message);
    return Array.from({ length: words.length / 3 }, (_, i) => {
      const { name, bytesPerCycle } = this.#routes.links[words[3 * i]!]!;
      return {
        channel: name,
        startCycle: words[3 * i + 1]!,
        endCycle: words[3 * i + 2]!,
        busyCycles: Math.ceil(wireBytes / bytesPerCycle),
      };
    });
  }
}
