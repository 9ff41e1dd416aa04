/**
 * CPU time of this process: user and system, of the main thread and helper threads. Wall time is
 * misleading on shared machines.
 */

import { performance } from 'node:perf_hooks';

/** Result of one variant. */
export interface Measurement {
  readonly medianCpuMs: number;
  readonly minCpuMs: number;
  readonly medianWallMs: number;
  /** Share of the wall time in which the event loop was not idle. */
  readonly utilization: number;
  readonly rounds: number;
}

/**
 * Measures several variants interleaved, one round after the other, so that drift in the machine's
 * speed affects all alike.
 *
 * @param rounds Number of counted rounds, which follow `warmUpRounds` that are not counted.
 */
export async function measureInterleaved<Name extends string>(
  variants: Readonly<Record<Name, () => Promise<unknown>>>,
  rounds: number,
  warmUpRounds: number,
): Promise<Record<Name, Measurement>> {
  const names = Object.keys(variants) as Name[];
  const samples = new Map(
    names.map((name) => [
      name,
      { cpu: [] as number[], wall: [] as number[], busy: [] as number[] },
    ]),
  );
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const name of names) {
      const cpuBefore = process.cpuUsage();
      const loopBefore = performance.eventLoopUtilization();
      const wallBefore = performance.now();
      await variants[name]();
      const cpu = process.cpuUsage(cpuBefore);
      const wallMs = performance.now() - wallBefore;
      const { utilization } = performance.eventLoopUtilization(loopBefore);
      if (round < 0) continue;
      const sample = samples.get(name)!;
      sample.cpu.push((cpu.user + cpu.system) / 1000);
      sample.wall.push(wallMs);
      sample.busy.push(utilization);
    }
  }
  return Object.fromEntries(
    names.map((name) => {
      const { cpu, wall, busy } = samples.get(name)!;
      return [
        name,
        {
          medianCpuMs: median(cpu),
          minCpuMs: Math.min(...cpu),
          medianWallMs: median(wall),
          utilization: median(busy),
          rounds,
        },
      ];
    }),
  ) as Record<Name, Measurement>;
}

/** Returns the median of the values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
