/**
 * Topologies in which chiplets are joined by a shared medium or by switches.
 *
 *     bus  0 ═══╤═══╤═══╤═══    switch  0 ⇄ ╔═╗ ⇄ 2    packages  0, 1 ⇄ ╔═╗ ⇄⇄ ╔═╗ ⇄ 4, 5
 *               1   2   3               1 ⇄ ╚═╝ ⇄ 3              2, 3 ⇄ ╚═╝    ╚═╝ ⇄ 6, 7
 */
import { LinkGraph } from './link-graph.ts';
import type { Topology, TopologyShape } from './topology.ts';

/** Returns one link that all chiplets share. It ends at an input of each chiplet. */
export function makeBus({ chipletCount, bytesPerCycle, latencyCycles }: TopologyShape): Topology {
  return {
    chipletCount,
    levelCount: 1,
    links: [{ name: 'bus', bytesPerCycle, latencyCycles }],
    inputs: Array.from({ length: chipletCount }, (_, node) => ({ link: 0, node })),
    hop: (_node, to, level) => ({ link: 0, input: to, level }),
  };
}

/** Returns a crossbar: a switch with a link from and to each chiplet. */
export function makeSwitch(shape: TopologyShape): Topology {
  const { chipletCount } = shape;
  const center = chipletCount;
  const graph = new LinkGraph(chipletCount, 1, (node, to, level) => ({
    node: node === center ? to : center,
    level,
  }));
  for (let id = 0; id < chipletCount; id++) {
    graph.connect(id, center, shape, `${id}→switch`);
    graph.connect(center, id, shape, `switch→${id}`);
  }
  return graph;
}

/**
 * Returns packages of chiplets with a switch in each. Slower links join the switch of each package
 * to that of each other. The last package may have fewer chiplets.
 */
export function makePackages(shape: TopologyShape): Topology {
  const { chipletCount, chipletsPerPackage } = shape;
  const packageCount = Math.ceil(chipletCount / chipletsPerPackage);
  const switchOf = (id: number) => chipletCount + Math.floor(id / chipletsPerPackage);
  const graph = new LinkGraph(chipletCount, 1, (node, to, level) => {
    if (node < chipletCount) return { node: switchOf(node), level };
    return { node: node === switchOf(to) ? to : switchOf(to), level };
  });
  for (let id = 0; id < chipletCount; id++) {
    const packageName = `package ${switchOf(id) - chipletCount}`;
    graph.connect(id, switchOf(id), shape, `${id}→${packageName}`);
    graph.connect(switchOf(id), id, shape, `${packageName}→${id}`);
  }
  const { packageBytesPerCycle: bytesPerCycle, packageLatencyCycles: latencyCycles } = shape;
  for (let from = 0; from < packageCount; from++) {
    for (let to = 0; to < packageCount; to++) {
      if (to === from) continue;
      const figures = { bytesPerCycle, latencyCycles };
      const name = `package ${from}→package ${to}`;
      graph.connect(chipletCount + from, chipletCount + to, figures, name);
    }
  }
  return graph;
}
