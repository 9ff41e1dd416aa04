/** Latency of a packet in an empty network. */
import type { NetworkSpec } from './network-spec.ts';
import type { Packet } from './packet-network.ts';
import type { Topology } from './topologies/topology.ts';

/** Returns the cycles from the injection of one packet to its delivery, in an empty network. */
export function zeroLoadCycles(
  topology: Topology,
  { portBytesPerCycle, headerBytes, routerCycles }: NetworkSpec,
  { from, to, bytes }: Pick<Packet, 'from' | 'to' | 'bytes'>,
): number {
  const wireBytes = headerBytes + bytes;
  let duration = Math.ceil(wireBytes / portBytesPerCycle);
  let cycles = 0;
  const leave = (bytesPerCycle: number, latencyCycles: number) => {
    const next = Math.ceil(wireBytes / bytesPerCycle);
    // The packet leaves when it can do so without a gap.
    cycles += latencyCycles + routerCycles + Math.max(0, duration - next);
    duration = next;
  };
  let latencyCycles = 0;
  for (let node = from, level = 0; node !== to; ) {
    const hop = topology.hop(node, to, level);
    const link = topology.links[hop.link]!;
    leave(link.bytesPerCycle, latencyCycles);
    latencyCycles = link.latencyCycles;
    node = topology.inputs[hop.input]!.node;
    level = hop.level;
  }
  leave(portBytesPerCycle, latencyCycles);
  return cycles + duration;
}
