/**
 * Messages of machines that share their memories, over links with two ends: each chiplet has a port
 * for sending and one for receiving, with the bandwidth of a channel of the crosslink. A packet
 * occupies both for ⌈bytes ÷ bytesPerCycle⌉ cycles and takes the latency of the link in between.
 * Its first byte is forwarded as soon as it arrives. The channels share the ports in the order of
 * injection and arrival, and ports hold any number of packets.
 */

import type { InterconnectSpec } from '../interconnect/interconnect-spec.ts';
import type { Delivery, Packet } from './packet-network.ts';

/** Packet on its way. */
interface FlyingPacket {
  readonly packet: Packet;
  /** Number of the packet in the order of injection. */
  readonly number: number;
  /** Cycle in which the first byte reaches the port of the receiver. */
  readonly arrival: number;
}

/** Links from every chiplet to every other one. */
export class MessageLink {
  /** Least number of cycles from the injection of a packet to its delivery; at least 1. */
  readonly lookaheadCycles: number;
  readonly #bytesPerCycle: number;
  readonly #latencyCycles: number;
  readonly #sendFreeAt: number[];
  readonly #receiveFreeAt: number[];
  #flying: FlyingPacket[] = [];
  /** Deliveries that are known and were not returned. */
  readonly #known: Delivery[] = [];
  #count = 0;

  constructor({ bytesPerCycle, latencyCycles }: InterconnectSpec, chipletCount: number) {
    this.#bytesPerCycle = bytesPerCycle;
    this.#latencyCycles = latencyCycles;
    this.lookaheadCycles = latencyCycles + 1;
    this.#sendFreeAt = new Array<number>(chipletCount).fill(0);
    this.#receiveFreeAt = new Array<number>(chipletCount).fill(0);
  }

  /** Injects a packet in a cycle, not before those of earlier calls. */
  inject(packet: Packet, cycle: number): void {
    const start = Math.max(cycle, this.#sendFreeAt[packet.from]!);
    this.#sendFreeAt[packet.from] = start + this.#cyclesFor(packet);
    const arrival = start + this.#latencyCycles;
    this.#flying.push({ packet, number: this.#count++, arrival });
  }

  /**
   * Simulates up to cycle `untilCycle`, not included, and returns the deliveries in the order of
   * (cycle, receiver, injection). Packets that are injected later have a cycle of at least
   * `untilCycle − lookaheadCycles`, so none of them can arrive before. In contrast, the packet
   * network takes no packets from before the cycle that it was simulated to.
   */
  advance(untilCycle: number): readonly Delivery[] {
    // A later packet reaches its receiver at least a cycle before it is delivered.
    const arrived: FlyingPacket[] = [];
    const flying: FlyingPacket[] = [];
    for (const each of this.#flying) (each.arrival < untilCycle - 1 ? arrived : flying).push(each);
    this.#flying = flying;
    arrived.sort((a, b) => a.arrival - b.arrival || a.number - b.number);
    for (const { packet, arrival } of arrived) {
      const start = Math.max(arrival, this.#receiveFreeAt[packet.to]!);
      const cycle = start + this.#cyclesFor(packet);
      this.#receiveFreeAt[packet.to] = cycle;
      this.#known.push({ packet, cycle });
    }
    // Cycles of one receiver ascend, so no two of its deliveries are equal.
    this.#known.sort((a, b) => a.cycle - b.cycle || a.packet.to - b.packet.to);
    const late = this.#known.findIndex(({ cycle }) => cycle >= untilCycle);
    return this.#known.splice(0, late < 0 ? this.#known.length : late);
  }

  #cyclesFor({ bytes }: Packet): number {
    return Math.ceil(bytes / this.#bytesPerCycle);
  }
}
