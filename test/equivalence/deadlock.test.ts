/**
 * Memories of several chiplets over the packet network with buffers of one message, 2 misses of the
 * second-level cache and one way a set: every request is answered. `npm run deadlock` runs longer.
 */
import { defineChipletSpec } from '@tessera/chiplet-spec';
import { PLACEMENTS } from '@tessera/frame';
import { runSharedMemories } from '@tessera/gpu/testing';
import { NETWORK_TOPOLOGIES } from '@tessera/multi-chiplet';
import { describe, expect, it } from 'vitest';
import {
  canRunMachines,
  type DeadlockCase,
  runDeadlockCase,
} from '../../scripts/deadlock/deadlock-case.ts';
import { NetworkCarrier } from '../../scripts/deadlock/network-carrier.ts';

const TOPOLOGIES = Object.keys(NETWORK_TOPOLOGIES) as DeadlockCase['topology'][];
const SHARED = PLACEMENTS.filter((name) => name !== 'replicated');
const CYCLES = 6_000;

describe('whole chiplets with the least room', () => {
  it.each(TOPOLOGIES)('draw random frames with each placement: %s', async (topology) => {
    const possible = PLACEMENTS.filter((placement) => canRunMachines(topology, placement));
    expect(possible).toContain('replicated');
    for (const [index, placement] of possible.entries()) {
      const chipletCount = [2, 5, 16, 3][index]!;
      const each = { part: 'machines', topology, chipletCount, placement } as const;
      const { cycles, requests } = await runDeadlockCase(each, CYCLES, index);
      expect(cycles).toBeGreaterThanOrEqual(CYCLES);
      expect(requests > 0).toBe(placement !== 'replicated');
    }
  });
});

describe('memories over the packet network with the least room', () => {
  it.each(TOPOLOGIES)('answer every request of random traffic: %s', async (topology) => {
    for (const chipletCount of [2, 5, 16]) {
      for (const placement of SHARED) {
        const each = { part: 'memories', topology, chipletCount, placement } as const;
        const { cycles, requests } = await runDeadlockCase(each, CYCLES, chipletCount);
        expect(cycles).toBe(CYCLES);
        expect(requests).toBeGreaterThan(20);
      }
    }
  });

  it('stop if replies wait behind requests', () => {
    const spec = defineChipletSpec({
      l2MissEntries: 2,
      remoteReadEntries: 8,
      remoteServerEntries: 1,
    });
    const carrier = new NetworkCarrier({ topology: 'mesh', chipletCount: 6 }, 'request');
    const options = { placement: 'interleaved', lineCount: 3_000, clientCount: 3 } as const;
    expect(() =>
      runSharedMemories(
        {
          ...options,
          spec,
          chipletCount: 6,
          requestCount: 500,
          latencyCycles: 1,
          seed: 5,
          carrier,
        },
        1_000_000,
      ),
    ).toThrow('open requests in cycle');
  });
});
