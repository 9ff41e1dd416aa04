/**
 * Freedom from deadlock, in two ways: the channel dependency graph has no cycle (Dally and Seitz,
 * 1987), and random requests and replies with buffers of one packet never stop.
 */
import { describe, expect, it } from 'vitest';
import { defineNetwork } from './network-spec.ts';
import { makeDraw } from './testing/make-draw.ts';
import { runRequestReply } from './testing/request-reply.ts';
import { makeTightNetwork } from './testing/tight-network.ts';
import {
  NETWORK_TOPOLOGIES,
  NETWORK_TOPOLOGY_NAMES,
  type NetworkTopologyName,
} from './topologies/topologies.ts';
import type { Topology } from './topologies/topology.ts';

/** Cycles of random traffic. `npm run deadlock` runs longer. */
const CYCLES = 4_000;
const CHIPLET_COUNTS = [2, 3, 4, 5, 7, 8, 12, 16, 23, 64];

function makeTopology(name: NetworkTopologyName, chipletCount: number): Topology {
  return NETWORK_TOPOLOGIES[name].make({ ...defineNetwork({ topology: name }), chipletCount });
}

/** Returns a ring whose packets stay on level 0. */
function makeRingWithoutDateline(chipletCount: number): Topology {
  const ring = makeTopology('ring', chipletCount);
  return {
    chipletCount,
    links: ring.links,
    inputs: ring.inputs,
    levelCount: 2,
    hop: (node, to) => ({ ...ring.hop(node, to, 0), level: 0 }),
  };
}

/** Graph of buffers: those that a packet in a buffer may wait for. */
type WaitGraph = Map<string, Set<string>>;

function addWait(graph: WaitGraph, buffer: string, next: string): void {
  const nexts = graph.get(buffer) ?? new Set();
  graph.set(buffer, nexts.add(next));
}

/**
 * Returns the channel dependency graph of all routes, with the replies that requests wait for.
 *
 * @param classes Buffers of requests and of replies: two sets of buffers, or twice the same.
 */
function buildGraph(topology: Topology, classes: readonly [string, string]): WaitGraph {
  const graph: WaitGraph = new Map();
  const { chipletCount, inputs } = topology;
  for (const own of new Set(classes)) {
    for (let from = 0; from < chipletCount; from++) {
      for (let to = 0; to < chipletCount; to++) {
        if (to === from) continue;
        let buffer = `${own} sender ${from}`;
        for (let node = from, level = 0; node !== to; ) {
          const hop = topology.hop(node, to, level);
          const next = `${own} input ${hop.input} level ${hop.level}`;
          addWait(graph, buffer, next);
          buffer = next;
          node = inputs[hop.input]!.node;
          level = hop.level;
        }
        addWait(graph, buffer, `${own} receiver ${to}`);
      }
    }
  }
  // A chiplet frees a request when it can send the reply.
  const [request, reply] = classes;
  for (let id = 0; id < chipletCount; id++) {
    addWait(graph, `${request} receiver ${id}`, `${reply} sender ${id}`);
  }
  return graph;
}

/** Removes buffers that wait for nothing until none is left. What remains contains a cycle. */
function hasCycle(graph: WaitGraph): boolean {
  const waiters = new Map<string, string[]>();
  const counts = new Map<string, number>();
  for (const [buffer, nexts] of graph) {
    counts.set(buffer, nexts.size);
    for (const next of nexts) {
      waiters.set(next, [...(waiters.get(next) ?? []), buffer]);
      if (!graph.has(next)) counts.set(next, 0);
    }
  }
  const free = [...counts].filter(([, count]) => count === 0).map(([buffer]) => buffer);
  for (const buffer of free) {
    for (const waiter of waiters.get(buffer) ?? []) {
      const count = counts.get(waiter)! - 1;
      counts.set(waiter, count);
      if (count === 0) free.push(waiter);
    }
  }
  return free.length < counts.size;
}

describe('channel dependency graph', () => {
  it.each(NETWORK_TOPOLOGY_NAMES)('has no cycle: %s of 2 to 64 chiplets', (name) => {
    const cyclic = Array.from({ length: 63 }, (_, i) => i + 2).filter((chipletCount) =>
      hasCycle(buildGraph(makeTopology(name, chipletCount), ['request', 'reply'])),
    );
    expect(cyclic).toEqual([]);
  });

  it('has a cycle in a ring without dateline, and if replies share the buffers of requests', () => {
    expect(hasCycle(buildGraph(makeRingWithoutDateline(5), ['request', 'reply']))).toBe(true);
    expect(hasCycle(buildGraph(makeTopology('mesh', 6), ['both', 'both']))).toBe(true);
  });
});

describe('requests and replies with buffers of one packet', () => {
  const cases = NETWORK_TOPOLOGY_NAMES.flatMap((name) =>
    CHIPLET_COUNTS.map((chipletCount) => [name, chipletCount] as const),
  );
  it.each(cases)('never stop: %s of %i chiplets', (name, chipletCount) => {
    const result = runRequestReply(
      makeTightNetwork({ topology: name, chipletCount, latencyCycles: 12 }),
      {
        chipletCount,
        untilCycle: CYCLES,
        drawInteger: makeDraw(chipletCount),
      },
    );
    expect(result.replies).toBe(result.requests);
    expect(result.requests).toBeGreaterThan(CYCLES / 100);
  });

  it('stop in a ring without dateline', () => {
    const network = makeTightNetwork({
      ...{ topology: 'ring', chipletCount: 5, latencyCycles: 1 },
      made: makeRingWithoutDateline(5),
    });
    const options = { chipletCount: 5, untilCycle: 100_000, drawInteger: makeDraw(1) };
    expect(runRequestReply(network, options).isDeadlocked).toBe(true);
  });

  it('stop if replies share the buffers of requests', () => {
    const network = makeTightNetwork({ topology: 'mesh', chipletCount: 6, latencyCycles: 1 });
    const options = { chipletCount: 6, untilCycle: 100_000, drawInteger: makeDraw(1) };
    const result = runRequestReply(network, { ...options, replyChannel: 'request' });
    expect(result.isDeadlocked).toBe(true);
  });
});
