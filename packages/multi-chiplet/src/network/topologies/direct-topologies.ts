/**
 * Topologies without switches: the routers of the chiplets are joined by links.
 *
 *     ring   0 ⇄ 1 ⇄ 2 ⇄ 3 ⇄ 0        mesh   0 ⇄ 1 ⇄ 2        full   0 ⇄ 1, 0 ⇄ 2, 0 ⇄ 3, …
 *                                            ⇅   ⇅   ⇅
 *                                            3 ⇄ 4
 */
import type { ChipletId } from '@tessera/frame';
import { LinkGraph } from './link-graph.ts';
import type { Step, Topology, TopologyShape } from './topology.ts';

/**
 * Returns a ring. Packets take the shorter way. Halfway round, even senders send up and odd ones
 * down, so both directions carry the same load.
 *
 * A packet changes to level 1 when it crosses the dateline, the link between the last chiplet and
 * chiplet 0. Without a second level, packets that each hold a buffer and wait for the next one
 * could fill the ring and stop (Dally and Seitz, 1987).
 */
export function makeRing(shape: TopologyShape): Topology {
  const { chipletCount } = shape;
  const graph = new LinkGraph(chipletCount, 2, (node, to, level) =>
    stepOnRing(chipletCount, node, to, level),
  );
  for (let node = 0; node < chipletCount && chipletCount > 1; node++) {
    graph.connect(node, (node + 1) % chipletCount, shape);
  }
  // Two chiplets have one link in each direction.
  for (let node = 0; node < chipletCount && chipletCount > 2; node++) {
    graph.connect((node + 1) % chipletCount, node, shape);
  }
  return graph;
}

function stepOnRing(count: number, node: number, to: ChipletId, level: number): Step {
  const up = (to - node + count) % count;
  const down = count - up;
  const isUp = up < down || (up === down && node % 2 === 0);
  const next = (node + (isUp ? 1 : count - 1)) % count;
  const isDateline = isUp ? next === 0 : node === 0;
  return { node: next, level: isDateline ? 1 : level };
}

/**
 * Returns a mesh of ⌈√N⌉ columns, whose last row may be short. Packets travel along the row, then
 * along the column (dimension-order routing: Dally and Towles, chapter 8).
 *
 * A packet from the short row to a column that the row does not have leaves the row upward first.
 * No packet that moved down turns, so channels cannot wait for each other in a circle.
 */
export function makeMesh(shape: TopologyShape): Topology {
  const { chipletCount } = shape;
  const columns = Math.ceil(Math.sqrt(chipletCount));
  const graph = new LinkGraph(chipletCount, 1, (node, to, level) => {
    const [column, row] = [node % columns, Math.floor(node / columns)];
    const target = to % columns;
    if (column === target) {
      const isUp = Math.floor(to / columns) < row;
      return { node: isUp ? node - columns : node + columns, level };
    }
    const next = column < target ? node + 1 : node - 1;
    const hasColumn = row * columns + target < chipletCount;
    return { node: hasColumn ? next : node - columns, level };
  });
  for (let node = 0; node < chipletCount; node++) {
    for (const [other, isJoined] of [
      [node + 1, (node + 1) % columns !== 0],
      [node + columns, true],
    ] as const) {
      if (!isJoined || other >= chipletCount) continue;
      graph.connect(node, other, shape);
      graph.connect(other, node, shape);
    }
  }
  return graph;
}

/** Returns a link from each chiplet to each other. */
export function makeFull(shape: TopologyShape): Topology {
  const { chipletCount } = shape;
  const graph = new LinkGraph(chipletCount, 1, (_node, to, level) => ({ node: to, level }));
  for (let from = 0; from < chipletCount; from++) {
    for (let to = 0; to < chipletCount; to++) if (to !== from) graph.connect(from, to, shape);
  }
  return graph;
}
