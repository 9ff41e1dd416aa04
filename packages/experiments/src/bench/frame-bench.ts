/**
 * `npm run bench [-- frames SCENE,…] [--rounds N]`: CPU time of whole frames, functional and cycle
 * timing interleaved, and the share of each stage. Scenes are `terrain` and `quad`, which are
 * generated at 1280×720, and captures by name.
 */
import type { Image, Timing } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { LocalGpu } from '@tessera/local-gpu';
import { integerOption, parseOptions } from '../terminal/command-options.ts';
import { type BenchResult, saveResults } from './bench-results.ts';
import { chooseScenes, type Scene } from './bench-scenes.ts';
import { printMachine } from './machine.ts';
import { type Measurement, measureInterleaved } from './measure.ts';
import { profileStages, STAGES, type Stage } from './stage-profile.ts';
import { printTargets } from './targets.ts';

/**
 * Rounds until V8 has compiled the code of a small frame. CPU time includes V8's helper threads.
 */
const WARM_UP_ROUNDS = 10;
const PROFILED_FRAMES = { functional: 8, cycle: 2 } as const;

/** Measures, prints, and writes the CSV. */
export async function runFrameBench(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, { rounds: { type: 'string' } });
  const rounds = integerOption('--rounds', values.rounds ?? '7', 1, 999);
  const scenes = chooseScenes(positionals[0]?.split(','));
  printMachine('Tessera: CPU ms a frame, one chiplet, 32 coarse bins; medians');
  const results: BenchResult[] = [];
  for (const [scene, make] of scenes) results.push(...(await measureScene(scene, make, rounds)));
  printTargets(results);
  saveResults('frames', results);
}

async function measureScene(scene: string, make: Scene, rounds: number): Promise<BenchResult[]> {
  const gpu = new LocalGpu({ chipletCount: 1 });
  const frame = make(gpu);
  const render = async (timing: Timing): Promise<Image> => {
    const { image } = await gpu.render(frame, { timing });
    return image;
  };
  const { report } = await gpu.render(frame, { timing: 'cycle' });
  const cycles = report.totals.cycles!;
  const image = await render('functional');
  const measured = await measureInterleaved(
    {
      parse: async () => make(new LocalGpu({ chipletCount: 1 })),
      // Not part of any result: it collects the garbage of parsing and of the frame with cycles.
      between: () => render('functional'),
      functional: () => render('functional'),
      cycle: () => render('cycle'),
      encode: () => encodePng(image),
    },
    rounds,
    WARM_UP_ROUNDS,
  );
  const results: BenchResult[] = [];
  process.stdout.write(`${scene}: ${frame.widthPx}×${frame.heightPx}, ${cycles} cycles\n`);
  for (const step of ['parse', 'encode'] as const) {
    const { medianCpuMs, minCpuMs } = measured[step];
    const quantity = step === 'parse' ? 'parse, compile, prepare: CPU' : 'encode: CPU';
    results.push({ scene, quantity, unit: 'ms', median: medianCpuMs, least: minCpuMs, rounds });
    process.stdout.write(
      `  ${step.padEnd(11)} ${medianCpuMs.toFixed(1)} ms median, ${minCpuMs.toFixed(1)} least\n`,
    );
  }
  for (const timing of ['functional', 'cycle'] as const) {
    const measurement = measured[timing];
    const shares = await profileStages(async () => {
      for (let i = 0; i < PROFILED_FRAMES[timing]; i++) await render(timing);
    });
    results.push(...rowsOf(scene, timing, measurement, shares));
    const { medianCpuMs, minCpuMs, medianWallMs, utilization } = measurement;
    const rate = (cycles / minCpuMs / 1000).toFixed(2);
    process.stdout.write(
      `  ${timing.padEnd(11)} ${medianCpuMs.toFixed(1)} ms median, ${minCpuMs.toFixed(1)} least; ` +
        `wall ${medianWallMs.toFixed(1)} ms, loop busy ${(100 * utilization).toFixed(0)} %` +
        `${timing === 'cycle' ? `, ${rate} Mcycles/s at best` : ''}\n` +
        `    ${describeShares(shares)}\n`,
    );
  }
  return results;
}

function rowsOf(
  scene: string,
  timing: Timing,
  { medianCpuMs, minCpuMs, medianWallMs, rounds, utilization }: Measurement,
  shares: Record<Stage, number>,
): BenchResult[] {
  return [
    { scene, quantity: `${timing}: CPU`, unit: 'ms', median: medianCpuMs, least: minCpuMs, rounds },
    { scene, quantity: `${timing}: wall`, unit: 'ms', median: medianWallMs, rounds },
    { scene, quantity: `${timing}: event loop busy`, unit: '%', median: 100 * utilization, rounds },
    ...STAGES.map((stage) => ({
      scene,
      quantity: `${timing}: ${stage}`,
      unit: 'ms',
      median: medianCpuMs * shares[stage],
      rounds: PROFILED_FRAMES[timing],
    })),
  ];
}

function describeShares(shares: Record<Stage, number>): string {
  return STAGES.filter((stage) => shares[stage] >= 0.005)
    .map((stage) => `${stage} ${(100 * shares[stage]).toFixed(0)} %`)
    .join(', ');
}
