/**
 * `npm run bench -- cycle`: CPU time of whole frames at 1280×720 with every unit simulated to the cycle, simulated
 * cycles per second of CPU time, and the slowdown against the modelled clock.
 */
import { availableParallelism, cpus, loadavg } from 'node:os';
import type { Frame } from '@tessera/frame';
import { DEFAULT_CHIPLET_SPEC } from '@tessera/gpu';
import { terrainFrame, texturedQuadFrame } from '@tessera/scenes';
import { LocalGpu } from '../local-gpu.ts';
import { measureInterleaved } from './measure.ts';

const ROUNDS = 7;
const WARM_UP_ROUNDS = 2;
const SIZE = { widthPx: 1280, heightPx: 720 } as const;
const BIN_COUNT = 32;

const SCENES: Readonly<Record<string, Frame>> = {
  'terrain, 100352 triangles': terrainFrame({ ...SIZE, triangles: 100_352 }),
  'textured quad, fragment bound': texturedQuadFrame(SIZE),
};

/** Measures and prints the table. */
export async function runCycleBench(): Promise<void> {
  const gpu = new LocalGpu(1);
  const { clockHz } = DEFAULT_CHIPLET_SPEC;
  process.stdout.write(
    `Tessera bench, timing=cycle, ${SIZE.widthPx}×${SIZE.heightPx}, one process, one chiplet, ${BIN_COUNT} coarse bins\n` +
      `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, ` +
      `load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}\n\n`,
  );
  process.stdout.write(
    'scene                                     cycles   CPU ms median   CPU ms min   Mcycles/s   slowdown\n',
  );
  for (const [name, frame] of Object.entries(SCENES)) {
    const render = (timing: 'cycle' | 'functional') =>
      gpu.render(frame, {
        policy: 'dynamic',
        binCount: BIN_COUNT,
        visibilityShader: 'minimal',
        timing,
      });
    const cycles = (await render('cycle')).report.totals.cycles!;
    const results = await measureInterleaved(
      { cycle: () => render('cycle'), functional: () => render('functional') },
      ROUNDS,
      WARM_UP_ROUNDS,
    );
    for (const timing of ['cycle', 'functional'] as const) {
      const { medianCpuMs, minCpuMs } = results[timing];
      const isTimed = timing === 'cycle';
      const rate = isTimed ? (cycles / medianCpuMs / 1000).toFixed(2) : '';
      const slowdown = isTimed ? (medianCpuMs / ((cycles * 1000) / clockHz)).toFixed(0) : '';
      process.stdout.write(
        `${`${name}, ${timing}`.padEnd(42)}${(isTimed ? String(cycles) : '').padStart(6)}` +
          `${medianCpuMs.toFixed(1).padStart(16)}${minCpuMs.toFixed(1).padStart(13)}` +
          `${rate.padStart(12)}${slowdown.padStart(11)}\n`,
      );
    }
  }
}
