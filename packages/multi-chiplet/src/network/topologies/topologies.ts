/** Table of the topologies of the packet network. */
import { makeFull, makeMesh, makeRing } from './direct-topologies.ts';
import { makeBus, makePackages, makeSwitch } from './switched-topologies.ts';
import type { Topology, TopologyShape } from './topology.ts';

/** Topologies by name, with what their links are. */
export const NETWORK_TOPOLOGIES = {
  bus: { links: 'one link that all chiplets share', make: makeBus },
  ring: { links: 'a link in each direction between neighbors', make: makeRing },
  full: { links: 'a link from each chiplet to each other', make: makeFull },
  mesh: { links: 'a link in each direction between neighbors in rows and columns', make: makeMesh },
  switch: { links: 'a link from and to a central crossbar for each chiplet', make: makeSwitch },
  packages: {
    links: 'a crossbar in each package, and slower links from each package to each other',
    make: makePackages,
  },
} as const satisfies Record<
  string,
  { readonly links: string; readonly make: (shape: TopologyShape) => Topology }
>;

/** Name of a topology of the packet network. */
export type NetworkTopologyName = keyof typeof NETWORK_TOPOLOGIES;

/** Names of the topologies, in the order of the table. */
export const NETWORK_TOPOLOGY_NAMES = Object.keys(
  NETWORK_TOPOLOGIES,
) as readonly NetworkTopologyName[];
