/**
 * `npm run bench`: CPU time of whole frames at 1280×720, functional, one process, variants interleaved,
 * medians. `-- cycle`, `-- shader` and `-- peers` measure what the files of these names say.
 */
import { availableParallelism, cpus, loadavg } from 'node:os';
import { terrainFrame } from '@tessera/scenes';
import { LocalGpu } from '../local-gpu.ts';
import { runCycleBench } from './cycle-bench.ts';
import { measureInterleaved } from './measure.ts';
import { runPeersBench } from './peers-bench.ts';
import { runShaderBench } from './shader-bench.ts';

const ROUNDS = 15;
const WARM_UP_ROUNDS = 6;
const WIDTH_PX = 1280;
const HEIGHT_PX = 720;

async function runFunctionalBench(): Promise<void> {
  const frame = terrainFrame({ widthPx: WIDTH_PX, heightPx: HEIGHT_PX, triangles: 100_352 });
  const binCounts = [1, 4, 32] as const;
  const gpu = new LocalGpu(1);

  process.stdout.write(
    `Tessera bench, functional, ${WIDTH_PX}×${HEIGHT_PX}, one process, one chiplet\n` +
      `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, ` +
      `load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}\n`,
  );

  const render = (binCount: number) =>
    gpu.render(frame, { policy: 'dynamic', binCount, visibilityShader: 'minimal' });
  const { totals } = (await render(32)).report;
  process.stdout.write(
    `terrain: ${totals.primitives} primitives listed, ${totals.fragments} fragments covered\n\n`,
  );

  const results = await measureInterleaved(
    Object.fromEntries(
      binCounts.map((binCount) => [`terrain, ${binCount} coarse bins`, () => render(binCount)]),
    ),
    ROUNDS,
    WARM_UP_ROUNDS,
  );
  process.stdout.write(
    'scene                        CPU ms median   CPU ms min   wall ms median\n',
  );
  for (const [name, { medianCpuMs, minCpuMs, medianWallMs }] of Object.entries(results)) {
    process.stdout.write(
      `${name.padEnd(28)} ${medianCpuMs.toFixed(1).padStart(13)} ${minCpuMs.toFixed(1).padStart(12)} ${medianWallMs.toFixed(1).padStart(16)}\n`,
    );
  }
}

const [name, ...args] = process.argv.slice(2);
if (name === undefined) await runFunctionalBench();
else if (name === 'cycle') await runCycleBench();
else if (name === 'shader') await runShaderBench();
else if (name === 'peers') await runPeersBench(args);
else throw new Error(`bench: '${name}' is none of cycle, shader, peers`);
