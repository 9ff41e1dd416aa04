/** Network of packets between chiplets in simulated time, for accesses of remote memory. */
import type { ChipletId } from '@tessera/frame';

/** Channels of packets. Replies never wait for requests, so no cycle of waits can form. */
export type PacketChannel = 'request' | 'reply';

/** One packet. */
export interface Packet {
  readonly from: ChipletId;
  readonly to: ChipletId;
  readonly channel: PacketChannel;
  /** Size with header. */
  readonly bytes: number;
  /** Number that the sender recognizes the packet by. */
  readonly tag: number;
}

/** Packet that arrives in a cycle. */
export interface PacketDelivery {
  readonly packet: Packet;
  readonly cycle: number;
}

/** Simulates packets. */
export interface PacketNetwork {
  /** Least number of cycles from the injection of a packet to its delivery; at least 1. */
  readonly lookaheadCycles: number;
  /** Injects a packet in a cycle, not before those of earlier calls. */
  inject(packet: Packet, cycle: number): void;
  /**
   * Simulates up to cycle `untilCycle`, not included, and returns the deliveries in the order of
   * (cycle, receiver, injection). Packets that are injected later have a cycle of at least
   * `untilCycle − lookaheadCycles`, so none of them can arrive before.
   */
  advance(untilCycle: number): readonly PacketDelivery[];
}
