/**
 * `npm run bench -- coupling [SCENE,…] [--rounds N]`: CPU time of a frame on four chiplets with
 * isolated bins, and with coupled chiplets that have copies of all resources or share them, in
 * turns. Without names it measures `terrain` and every capture that exists here.
 */
import { DEFAULT_PLACEMENT } from '@tessera/frame';
import { type FrameOptions, LocalGpu } from '@tessera/local-gpu';
import { parsePlacement } from '@tessera/multi-chiplet';
import { integerOption, parseOptions } from '../terminal/command-options.ts';
import { type BenchResult, saveResults } from './bench-results.ts';
import { chooseScenes, existingCaptures, type Scene } from './bench-scenes.ts';
import { printMachine } from './machine.ts';
import { type Measurement, measureInterleaved } from './measure.ts';
import { ALL_CAPTURES, printTargets } from './targets.ts';

const CHIPLET_COUNT = 4;
const WARM_UP_ROUNDS = 2;

const VARIANTS = {
  isolated: { coupling: 'none' },
  replicated: { coupling: 'exact', placement: DEFAULT_PLACEMENT },
  interleaved: { coupling: 'exact', placement: parsePlacement('interleaved') },
} as const satisfies Readonly<Record<string, FrameOptions>>;

type Variant = keyof typeof VARIANTS;

/** Measures, prints, and writes the CSV. */
export async function runCouplingBench(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, { rounds: { type: 'string' } });
  const rounds = integerOption('--rounds', values.rounds ?? '5', 1, 99);
  printMachine(`Tessera: CPU ms of a frame on ${CHIPLET_COUNT} chiplets, cycle timing; medians`);
  const results: BenchResult[] = [];
  const sums: Record<Variant, number> = { isolated: 0, replicated: 0, interleaved: 0 };
  for (const [scene, make] of chooseScenes(
    positionals[0]?.split(',') ?? ['terrain', ...existingCaptures()],
  )) {
    const measured = await measureScene(make, rounds);
    results.push(...resultsOf(scene, measured, rounds));
    for (const variant of Object.keys(sums) as Variant[]) {
      sums[variant] += measured[variant].medianCpuMs;
    }
  }
  results.push(...ratiosOf(ALL_CAPTURES, sums, rounds));
  printTargets(results);
  saveResults('coupling', results);
}

async function measureScene(make: Scene, rounds: number): Promise<Record<Variant, Measurement>> {
  const render = (options: FrameOptions) => {
    const gpu = new LocalGpu({ chipletCount: CHIPLET_COUNT });
    const frame = make(gpu);
    return () => gpu.render(frame, { timing: 'cycle', ...options });
  };
  return await measureInterleaved(
    {
      isolated: render(VARIANTS.isolated),
      replicated: render(VARIANTS.replicated),
      interleaved: render(VARIANTS.interleaved),
    },
    rounds,
    WARM_UP_ROUNDS,
  );
}

function resultsOf(
  scene: string,
  measured: Record<Variant, Measurement>,
  rounds: number,
): BenchResult[] {
  const medians = {
    isolated: measured.isolated.medianCpuMs,
    replicated: measured.replicated.medianCpuMs,
    interleaved: measured.interleaved.medianCpuMs,
  };
  process.stdout.write(
    `${scene}: ${medians.isolated.toFixed(0)} ms isolated, ` +
      `replicated ${(medians.replicated / medians.isolated).toFixed(2)} times, ` +
      `interleaved ${(medians.interleaved / medians.isolated).toFixed(2)} times\n`,
  );
  const times = (Object.keys(VARIANTS) as Variant[]).map((variant) => ({
    scene,
    quantity: `${variant}: CPU`,
    unit: 'ms',
    median: measured[variant].medianCpuMs,
    least: measured[variant].minCpuMs,
    rounds,
  }));
  return [...times, ...ratiosOf(scene, medians, rounds)];
}

function ratiosOf(
  scene: string,
  { isolated, replicated, interleaved }: Record<Variant, number>,
  rounds: number,
): BenchResult[] {
  const ratio = { scene, unit: '×', rounds } as const;
  return [
    { ...ratio, quantity: 'replicated against isolated', median: replicated / isolated },
    { ...ratio, quantity: 'interleaved against isolated', median: interleaved / isolated },
  ];
}
