/** CPU time of this process: user and system, main and helper threads. Wall time misleads on shared machines. */

export interface Measurement {
  readonly medianCpuMs: number;
  readonly minCpuMs: number;
  readonly medianWallMs: number;
  readonly rounds: number;
}

/**
 * Measures several variants interleaved, one round after the other, so that a machine whose speed
 * drifts treats all alike.
 *
 * @param rounds Rounds counted, after `warmUpRounds` that are not.
 */
export async function measureInterleaved<Name extends string>(
  variants: Readonly<Record<Name, () => Promise<unknown>>>,
  rounds: number,
  warmUpRounds: number,
): Promise<Record<Name, Measurement>> {
  const names = Object.keys(variants) as Name[];
  const samples = new Map(
    names.map((name) => [name, { cpu: [] as number[], wall: [] as number[] }]),
  );
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const name of names) {
      const cpuBefore = process.cpuUsage();
      const wallBefore = performance.now();
      await variants[name]();
      const cpu = process.cpuUsage(cpuBefore);
      const wallMs = performance.now() - wallBefore;
      if (round < 0) continue;
      const sample = samples.get(name)!;
      sample.cpu.push((cpu.user + cpu.system) / 1000);
      sample.wall.push(wallMs);
    }
  }
  return Object.fromEntries(
    names.map((name) => {
      const { cpu, wall } = samples.get(name)!;
      return [
        name,
        {
          medianCpuMs: median(cpu),
          minCpuMs: Math.min(...cpu),
          medianWallMs: median(wall),
          rounds,
        },
      ];
    }),
  ) as Record<Name, Measurement>;
}

/** The middle of the values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
