/** Networks with the least room: the buffers of links and receivers have room for one packet. */
import { ChipletNetwork, type ChipletNetworkOptions } from '../chiplet-network.ts';
import { defineNetwork } from '../network-spec.ts';
import type { NetworkTopologyName } from '../topologies/topologies.ts';
import type { Topology } from '../topologies/topology.ts';

/** Options of {@link makeTightNetwork}. */
export interface TightNetworkOptions {
  readonly topology: NetworkTopologyName;
  readonly chipletCount: number;
  readonly latencyCycles: number;
  /** Bytes of the largest packet without its header; 16 by default. */
  readonly packetBytes?: number;
  /** Topology in place of the one that `topology` names. */
  readonly made?: Topology | undefined;
  readonly makeEngine?: ChipletNetworkOptions['makeEngine'];
}

const HEADER_BYTES = 8;

/** Makes a network whose buffers and receivers have room for one packet. */
export function makeTightNetwork(options: TightNetworkOptions): ChipletNetwork {
  const { topology, chipletCount, latencyCycles, packetBytes = 16, made, makeEngine } = options;
  const bufferBytes = HEADER_BYTES + packetBytes;
  const spec = defineNetwork({
    topology,
    bytesPerCycle: 8,
    latencyCycles,
    portBytesPerCycle: 32,
    headerBytes: HEADER_BYTES,
    packetBytes,
    bufferBytes,
    packageLatencyCycles: 2 * latencyCycles,
    packageBytesPerCycle: 4,
  });
  return new ChipletNetwork({
    chipletCount,
    spec,
    receiverBytes: bufferBytes,
    topology: made,
    makeEngine,
  });
}
