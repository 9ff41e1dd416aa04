/**
 * Cases of `npm run deadlock`: parts of the simulated GPU with the least room and random traffic.
 */
import { REMOTE_CACHES } from '@tessera/chip/records';
import { defineChipletSpec } from '@tessera/chiplet-spec';
import type { PlacementName } from '@tessera/frame';
import { runSharedMemories } from '@tessera/gpu/testing';
import type { NETWORK_TOPOLOGIES } from '@tessera/multi-chiplet';
import { makeDraw, makeTightNetwork, runRequestReply } from '@tessera/multi-chiplet/testing';
import { NetworkCarrier } from './network-carrier.ts';

/** A part of the GPU with random traffic. */
export interface DeadlockCase {
  /**
   * `network`: requests and replies of any chiplets. `memories`: the memory systems of all
   * chiplets, which share their memories over that network.
   */
  readonly part: 'network' | 'memories';
  readonly topology: keyof typeof NETWORK_TOPOLOGIES;
  readonly chipletCount: number;
  /** Placement of the lines that memories share; null for the network alone. */
  readonly placement: PlacementName | null;
}

/** Result of a case that ended. */
export interface DeadlockResult {
  readonly cycles: number;
  readonly requests: number;
}

/**
 * Cycles after which memories restart with other lines, caches and clients. Pages that are placed
 * by their first access then get new homes.
 */
const ROUND_CYCLES = 1_000_000;
/** Cycles in which the last requests must be answered, per chiplet. */
const END_CYCLES = 100_000;
const LINE_COUNTS = [16, 200, 3_000];

/**
 * Runs a case.
 *
 * @param seed Seed of the traffic.
 * @throws {Error} If requests are never answered.
 */
export function runDeadlockCase(
  deadlockCase: DeadlockCase,
  cycles: number,
  seed: number,
): DeadlockResult {
  return deadlockCase.part === 'network'
    ? runNetwork(deadlockCase, cycles, seed)
    : runMemories(deadlockCase, cycles, seed);
}

function runNetwork(
  { topology, chipletCount }: DeadlockCase,
  cycles: number,
  seed: number,
): DeadlockResult {
  const network = makeTightNetwork({ topology, chipletCount, latencyCycles: 12 });
  const { requests, replies, isDeadlocked } = runRequestReply(network, {
    chipletCount,
    untilCycle: cycles,
    drawInteger: makeDraw(seed),
  });
  if (isDeadlocked) throw new Error(`${requests - replies} of ${requests} requests have no reply`);
  return { cycles, requests };
}

function runMemories(deadlockCase: DeadlockCase, cycles: number, seed: number): DeadlockResult {
  const { chipletCount, placement } = deadlockCase;
  const drawInteger = makeDraw(seed);
  let done = 0;
  let requests = 0;
  for (let round = 0; done < cycles; round++) {
    const stopCycle = Math.min(ROUND_CYCLES, cycles - done);
    const result = runSharedMemories(
      {
        spec: defineChipletSpec({
          l2MissEntries: 2,
          l2CacheWays: 1,
          l2CacheBytes: 4096,
          l2WaitersPerMiss: 1 + drawInteger(2),
          remoteReadEntries: 1 + drawInteger(2),
          remoteWriteEntries: 1 + drawInteger(2),
          remoteServerEntries: 1 + drawInteger(2),
          remoteCache: REMOTE_CACHES[round % REMOTE_CACHES.length]!,
          remoteCacheBytes: 4096,
          remoteCacheWays: 1,
          placementPageBytes: 64 << (2 * drawInteger(3)),
        }),
        chipletCount,
        placement: placement!,
        lineCount: LINE_COUNTS[drawInteger(LINE_COUNTS.length)]!,
        clientCount: 1 + drawInteger(3),
        requestCount: 2 ** 31 - 1,
        latencyCycles: 1,
        seed: drawInteger(2 ** 30),
        stopCycle,
        carrier: new NetworkCarrier(deadlockCase),
      },
      stopCycle + END_CYCLES * chipletCount,
    );
    const { readsSent, readsServed, writesSent, writesServed } = result;
    if (readsSent !== readsServed || writesSent !== writesServed) {
      throw new Error(`${readsSent} reads and ${writesSent} writes were not served once each`);
    }
    done += stopCycle;
    requests += readsSent + writesSent;
  }
  return { cycles: done, requests };
}
