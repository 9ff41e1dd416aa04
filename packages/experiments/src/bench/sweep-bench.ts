/**
 * `npm run bench -- sweep [SCENE,…] [--rounds N]`: CPU time of a frame that is measured with twenty
 * specifications at once, and of twenty frames of their own, in turns. The specifications differ in
 * the size of the second-level cache and in the number of memory channels.
 */
import { DEFAULT_CHIPLET_SPEC, withSettings } from '@tessera/chiplet-spec';
import { LocalGpu } from '@tessera/local-gpu';
import { integerOption, parseOptions } from '../terminal/command-options.ts';
import { type BenchResult, saveResults } from './bench-results.ts';
import { chooseScenes, type Scene } from './bench-scenes.ts';
import { printMachine } from './machine.ts';
import { measureInterleaved } from './measure.ts';
import { printTargets } from './targets.ts';

const SPECS = [65_536, 131_072, 262_144, 524_288, 1_048_576].flatMap((l2CacheBytes) =>
  [1, 2, 4, 8].map((dramChannels) =>
    withSettings(DEFAULT_CHIPLET_SPEC, { l2CacheBytes, dramChannels }),
  ),
);

/** Measures, prints, and writes the CSV. */
export async function runSweepBench(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, { rounds: { type: 'string' } });
  const rounds = integerOption('--rounds', values.rounds ?? '3', 1, 99);
  printMachine(`Tessera: CPU ms of ${SPECS.length} specifications, cycle timing; medians`);
  const results: BenchResult[] = [];
  for (const [scene, make] of chooseScenes(positionals[0]?.split(','))) {
    results.push(...(await measureSweep(scene, make, rounds)));
  }
  printTargets(results);
  saveResults('sweep', results);
}

async function measureSweep(scene: string, make: Scene, rounds: number): Promise<BenchResult[]> {
  const gpus = SPECS.map((spec) => new LocalGpu({ chipletCount: 1, spec }));
  const first = gpus[0]!;
  const frame = make(first);
  const options = { timing: 'cycle', coupling: 'none' } as const;
  const { together, apart } = await measureInterleaved(
    {
      together: () => first.render(frame, { ...options, alternativeSpecs: SPECS.slice(1) }),
      apart: async () => {
        for (const gpu of gpus) await gpu.render(frame, options);
      },
    },
    rounds,
    1,
  );
  const frameCpuMs = apart.medianCpuMs / SPECS.length;
  const ratio = together.medianCpuMs / frameCpuMs;
  process.stdout.write(
    `${scene}: ${together.medianCpuMs.toFixed(0)} ms together, ${apart.medianCpuMs.toFixed(0)} ms apart, ` +
      `${frameCpuMs.toFixed(0)} ms a frame: as much as ${ratio.toFixed(1)} frames\n`,
  );
  return [
    { scene, quantity: 'together: CPU', unit: 'ms', median: together.medianCpuMs, rounds },
    { scene, quantity: 'apart: CPU', unit: 'ms', median: apart.medianCpuMs, rounds },
    { scene, quantity: 'together against one frame', unit: '×', median: ratio, rounds },
  ];
}
