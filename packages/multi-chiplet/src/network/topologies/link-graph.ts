/** Topology whose links each join two nodes. */
import type { ChipletId } from '@tessera/frame';
import type { Hop, Step, Topology, TopologyInput, TopologyLink } from './topology.ts';

/** Bandwidth and latency of a link. */
export type LinkFigures = Pick<TopologyLink, 'bytesPerCycle' | 'latencyCycles'>;

/** Links between pairs of nodes, and the routing function over the nodes. */
export class LinkGraph implements Topology {
  readonly chipletCount: number;
  readonly levelCount: number;
  readonly links: TopologyLink[] = [];
  readonly inputs: TopologyInput[] = [];
  readonly #linkByNodes = new Map<number, number>();
  readonly #step: (node: number, to: ChipletId, level: number) => Step;

  constructor(
    chipletCount: number,
    levelCount: number,
    step: (node: number, to: ChipletId, level: number) => Step,
  ) {
    this.chipletCount = chipletCount;
    this.levelCount = levelCount;
    this.#step = step;
  }

  /** Adds the link from one node to another. */
  connect(from: number, to: number, figures: LinkFigures, name = `${from}→${to}`): void {
    const link = this.links.length;
    this.#linkByNodes.set(keyOf(from, to), link);
    this.links.push({ name, ...figures });
    this.inputs.push({ link, node: to });
  }

  hop(node: number, to: ChipletId, level: number): Hop {
    const next = this.#step(node, to, level);
    const link = this.#linkByNodes.get(keyOf(node, next.node));
    if (link === undefined) {
      throw new Error(`topology: no link joins nodes ${node} and ${next.node}`);
    }
    // Each link has one input, which has its number.
    return { link, input: link, level: next.level };
  }
}

/** Numbers of nodes are below 2^16. */
function keyOf(from: number, to: number): number {
  return from * 65_536 + to;
}
