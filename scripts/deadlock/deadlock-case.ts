/**
 * Cases of `npm run deadlock`: parts of the simulated GPU with the least room and random traffic.
 */
import { REMOTE_CACHES } from '@tessera/chip/records';
import { type ChipletSpec, defineChipletSpec } from '@tessera/chiplet-spec';
import { type PlacementName, RenderError } from '@tessera/frame';
import { runSharedMemories } from '@tessera/gpu/testing';
import { LocalGpu } from '@tessera/local-gpu';
import {
  defineInterconnect,
  type NETWORK_TOPOLOGIES,
  parsePlacement,
  requireLink,
} from '@tessera/multi-chiplet';
import { makeDraw, makeTightNetwork, runRequestReply } from '@tessera/multi-chiplet/testing';
import { randomTrianglesFrame, terrainFrame } from '@tessera/scenes';
import { NetworkCarrier } from './network-carrier.ts';

/** A part of the GPU with random traffic. */
export interface DeadlockCase {
  /**
   * `network`: requests and replies of any chiplets. `memories`: the memory systems of all
   * chiplets, which share their memories over that network. `machines`: whole chiplets that draw
   * random frames over the link of frames.
   */
  readonly part: 'network' | 'memories' | 'machines';
  readonly topology: keyof typeof NETWORK_TOPOLOGIES;
  readonly chipletCount: number;
  /** Placement of the lines in the memories; null for the network alone. */
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
export async function runDeadlockCase(
  deadlockCase: DeadlockCase,
  cycles: number,
  seed: number,
): Promise<DeadlockResult> {
  switch (deadlockCase.part) {
    case 'network':
      return runNetwork(deadlockCase, cycles, seed);
    case 'memories':
      return runMemories(deadlockCase, cycles, seed);
    case 'machines':
      return await runMachines(deadlockCase, cycles, seed);
  }
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
        spec: makeTightSpec(round, drawInteger),
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

async function runMachines(
  deadlockCase: DeadlockCase,
  cycles: number,
  seed: number,
): Promise<DeadlockResult> {
  const drawInteger = makeDraw(seed);
  let done = 0;
  let requests = 0;
  for (let round = 0; done < cycles; round++) {
    const size = { widthPx: 128, heightPx: 96, seed: drawInteger(2 ** 30) };
    const frame =
      drawInteger(2) === 0
        ? randomTrianglesFrame({ ...size, count: 1 + drawInteger(100) })
        : terrainFrame({ ...size, triangles: 64 + drawInteger(512) });
    const spec = makeTightSpec(round, drawInteger);
    const gpu = new LocalGpu({ chipletCount: deadlockCase.chipletCount, spec });
    const { report } = await gpu.render(frame, {
      ...machineOptions(deadlockCase, 8 << drawInteger(4)),
      grid: { kind: 'bins', count: 1 + drawInteger(64) },
    });
    done += report.totals.cycles!;
    const { reads, writes } = report.link.remote ?? { reads: [], writes: [] };
    requests += [...reads, ...writes].reduce((sum, count) => sum + count, 0);
  }
  return { cycles: done, requests };
}

/** Whether whole chiplets can have a placement with a topology. */
export function canRunMachines(
  topology: DeadlockCase['topology'],
  placement: PlacementName,
): boolean {
  try {
    requireLink(machineOptions({ topology, placement }, 8));
    return true;
  } catch (error) {
    if (error instanceof RenderError) return false;
    throw error;
  }
}

function machineOptions(
  { topology, placement }: Pick<DeadlockCase, 'topology' | 'placement'>,
  bytesPerCycle: number,
) {
  return {
    timing: 'cycle',
    coupling: 'exact',
    interconnect: defineInterconnect({ topology, bytesPerCycle }),
    placement: parsePlacement(placement!),
  } as const;
}

/** Returns a chiplet with the least room for what waits for memory. */
function makeTightSpec(round: number, drawInteger: (bound: number) => number): ChipletSpec {
  return defineChipletSpec({
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
  });
}
