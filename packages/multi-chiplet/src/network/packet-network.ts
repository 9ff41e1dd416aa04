/** Interface between the chiplets and the network that joins them. */
import type { ChipletId } from '@tessera/frame';

/** Kind of message that a packet belongs to. Replies never wait for requests. */
export type PacketChannel = 'request' | 'reply';

/** Channels, in the order of their virtual channels. */
export const PACKET_CHANNELS = ['request', 'reply'] as const satisfies readonly PacketChannel[];

/** Data from one chiplet to another. The network splits it if it is too large for one packet. */
export interface Packet {
  readonly from: ChipletId;
  readonly to: ChipletId;
  readonly channel: PacketChannel;
  /** Number of data bytes; 0 for a header alone. */
  readonly bytes: number;
  /** Number by which the caller knows the packet. */
  readonly tag: number;
  /** Priority from 0, the lowest, to the number of priorities − 1. Default 0. */
  readonly priority?: number;
}

/** Arrival of the last byte of a packet. */
export interface Delivery {
  readonly packet: Packet;
  /** Cycle from which the receiver can use the packet. */
  readonly cycle: number;
}

/** Use of a link by a packet. */
export interface LinkUse {
  /** Name of the link. */
  readonly channel: string;
  /** Cycle in which the first byte entered the link. */
  readonly startCycle: number;
  /** Cycle after the one in which the last byte entered it. */
  readonly endCycle: number;
  /**
   * Cycles of the bytes at the bandwidth of the link. The rest of the interval has others, or
   * waits.
   */
  readonly busyCycles: number;
}

/** Network that carries packets in simulated time. */
export interface PacketNetwork {
  /** Least number of cycles between an injection and its delivery. */
  readonly lookaheadCycles: number;
  /**
   * Sends a packet.
   *
   * @param cycle Cycle of the request, not before the bound of the last `advance`.
   */
  inject(packet: Packet, cycle: number): void;
  /**
   * Simulates all cycles before `untilCycle`.
   *
   * @returns New deliveries before that cycle, in the order of cycle, receiver, sender and
   *   injection.
   */
  advance(untilCycle: number): readonly Delivery[];
}
