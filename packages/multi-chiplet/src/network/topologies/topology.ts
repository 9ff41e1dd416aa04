/**
 * Topology of a network: nodes, links and a routing function. Nodes 0 … N − 1 are the routers of
 * the chiplets. Further nodes are switches.
 *
 * A link carries packets in one direction. It ends at an input, which has the buffers of its
 * receiver. A bus is one link with an input at every chiplet.
 */
import type { ChipletId } from '@tessera/frame';

/** Link of a topology. */
export interface TopologyLink {
  /** Name for reports, such as `2→3`. */
  readonly name: string;
  readonly bytesPerCycle: number;
  /** Cycles from a byte sent to the byte received. */
  readonly latencyCycles: number;
}

/** Receiving end of a link. */
export interface TopologyInput {
  /** Index of the link. */
  readonly link: number;
  /** Node that has the buffers. */
  readonly node: number;
}

/** Step of a route. */
export interface Hop {
  readonly link: number;
  readonly input: number;
  /** Dateline level of the virtual channel at the input. */
  readonly level: number;
}

/** Graph and routing function. */
export interface Topology {
  readonly chipletCount: number;
  readonly links: readonly TopologyLink[];
  readonly inputs: readonly TopologyInput[];
  /** Number of dateline levels: 2 if routes cross a dateline, otherwise 1. */
  readonly levelCount: number;
  /**
   * Returns the next hop of a packet. The route is a function of these values, so packets between
   * two chiplets never overtake each other.
   *
   * @param node Node that the packet is at; not `to`.
   * @param level Level of the buffer that holds the packet; 0 at the sender.
   */
  hop(node: number, to: ChipletId, level: number): Hop;
}

/** Figures that the topologies need. */
export interface TopologyShape {
  readonly chipletCount: number;
  readonly bytesPerCycle: number;
  readonly latencyCycles: number;
  readonly chipletsPerPackage: number;
  readonly packageBytesPerCycle: number;
  readonly packageLatencyCycles: number;
}

/** Node and level after a hop. */
export interface Step {
  readonly node: number;
  readonly level: number;
}
