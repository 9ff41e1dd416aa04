/**
 * `npm run bench -- service [--rounds N]`: the service as `npm start` starts it. Measures CPU time
 * of the coordinator for a frame of 1280×720 on 4 workers, memory of a worker on the largest
 * capture, and wall time of 4 workers against 1 and of coupled chiplets against isolated bins,
 * which is meaningful only on a quiet machine. Linux only.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { encodePng } from '@tessera/frame/png';
import { LocalGpu } from '@tessera/local-gpu';
import { importGltf } from '@tessera/scenes';
import { integerOption, parseOptions } from '../terminal/command-options.ts';
import { type BenchResult, saveResults } from './bench-results.ts';
import { printMachine } from './machine.ts';
import { median } from './measure.ts';
import { MeasuredService } from './measured-service.ts';
import { readCpuTime, readMemoryMb } from './process-usage.ts';
import { LARGEST_CAPTURE, printTargets } from './targets.ts';
import { makeTerrainModel, moveCorner } from './terrain-model.ts';

const CAPTURES = resolve(import.meta.dirname, '../../../../../shared/captures');
const WORKERS = 4;
/** Frames until V8 has compiled the code of a frame. */
const WARM_UP_FRAMES = 20;
/**
 * Frames before the speed-up is measured. Each of 4 workers gets a quarter of a frame, so
 * optimization takes longer.
 */
const SPEED_UP_WARM_UP_FRAMES = 8;
const SPEED_UP_ROUNDS = 5;
/** Number of frames per sample of CPU time, because a tick of /proc is 10 ms. */
const FRAMES_PER_SAMPLE = 10;
const SIZE = 'width=1280&height=720';
const GLB = 'model/gltf-binary';

/** Measures, prints, and writes the CSV. */
export async function runServiceBench(args: readonly string[]): Promise<void> {
  const { values } = parseOptions(args, { rounds: { type: 'string' } });
  const rounds = integerOption('--rounds', values.rounds ?? '3', 1, 99);
  printMachine(`Tessera, the service: ${WORKERS} workers, medians`);
  const model = makeTerrainModel();
  const results: BenchResult[] = [
    ...(await measureFour(model, rounds)),
    ...(await measureSpeedUp(model, Math.max(rounds, SPEED_UP_ROUNDS))),
  ];
  for (const { scene, quantity, unit, median: value, least } of results) {
    const best = least === undefined ? '' : `, least ${least.toFixed(1)}`;
    process.stdout.write(
      `${scene.padEnd(22)} ${quantity.padEnd(46)} ${value.toFixed(2)} ${unit}${best}\n`,
    );
  }
  printTargets(results);
  saveResults('service', results);
}

/** Measures memory and CPU time of the coordinator with 4 workers. */
async function measureFour(model: Uint8Array, rounds: number): Promise<BenchResult[]> {
  const service = await MeasuredService.start(WORKERS);
  try {
    const results: BenchResult[] = [];
    for (const timing of ['functional', 'cycle'] as const) {
      results.push(...(await measureCoordinator(service, model, timing, rounds)));
    }
    results.push(...(await measureCouplings(service, model, Math.max(rounds, SPEED_UP_ROUNDS))));
    const capture = findLargestCapture();
    if (capture !== null) {
      const bytes = readFileSync(capture.path);
      await service.render(bytes, 'application/vnd.apitrace', 'timing=cycle');
      const most = Math.max(...service.workers.map((pid) => readMemoryMb(pid).most));
      results.push(row(LARGEST_CAPTURE, 'memory of a worker, most', 'MB', [most]));
    }
    return results;
  } finally {
    await service.stop();
  }
}

async function measureCoordinator(
  service: MeasuredService,
  model: Uint8Array,
  timing: 'functional' | 'cycle',
  rounds: number,
): Promise<BenchResult[]> {
  const query = `${SIZE}&timing=${timing}`;
  // Every model differs, because the service does not write a known one again.
  const direction = timing === 'cycle' ? -1 : 1;
  let posted = 0;
  const renderNext = async () => {
    moveCorner(model, (direction * ++posted) / 1000);
    await service.render(model, GLB, query);
  };
  for (let frame = 0; frame < WARM_UP_FRAMES; frame++) await renderNext();
  const all: number[] = [];
  const main: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = readCpuTime(service.coordinator);
    for (let frame = 0; frame < FRAMES_PER_SAMPLE; frame++) await renderNext();
    const after = readCpuTime(service.coordinator);
    all.push((after.processMs - before.processMs) / FRAMES_PER_SAMPLE);
    main.push((after.mainThreadMs - before.mainThreadMs) / FRAMES_PER_SAMPLE);
  }
  const scene = `terrain, ${timing}`;
  const results = [
    row(scene, 'coordinator a frame, CPU', 'ms', all),
    row(scene, 'coordinator a frame, CPU of its main thread', 'ms', main),
  ];
  if (timing === 'cycle') return results;
  const own = await measureInProcess(model, rounds);
  return [
    ...results,
    row(scene, 'in process: import and encode, CPU', 'ms', own.outside),
    row(scene, 'in process: render, CPU', 'ms', own.render),
    // Cost of the service itself, because import and encoding are the same work in any process.
    row(scene, 'coordinator a frame, less import and encode in process', 'ms', [
      median(all) - median(own.outside),
    ]),
  ];
}

/** Measures the wall time of frames with coupled and with isolated chiplets, in turns. */
async function measureCouplings(
  service: MeasuredService,
  model: Uint8Array,
  rounds: number,
): Promise<BenchResult[]> {
  const samples = { exact: [] as number[], none: [] as number[] };
  for (let round = -SPEED_UP_WARM_UP_FRAMES; round < rounds; round++) {
    for (const coupling of ['exact', 'none'] as const) {
      // A model that was not posted before.
      moveCorner(model, 3 + (2 * round + (coupling === 'exact' ? 1 : 0)) / 1000);
      const before = performance.now();
      const query = `${SIZE}&timing=cycle&chiplets=${WORKERS}&coupling=${coupling}`;
      await service.render(model, GLB, query);
      if (round >= 0) samples[coupling].push(performance.now() - before);
    }
  }
  const { exact, none } = samples;
  const ratio = median(exact) / median(none);
  return [
    row('terrain, cycle', `${WORKERS} workers, coupled chiplets, wall`, 'ms', exact),
    row('terrain, cycle', `${WORKERS} workers, isolated bins, wall`, 'ms', none),
    row('terrain, cycle', `${WORKERS} workers, coupled against isolated, wall`, '×', [ratio]),
  ];
}

/** Measures the coordinator's work and the chiplets' work on the same frame without a service. */
async function measureInProcess(model: Uint8Array, rounds: number) {
  const gpu = new LocalGpu({ chipletCount: 1 });
  const outside: number[] = [];
  const render: number[] = [];
  for (let round = -WARM_UP_FRAMES; round < rounds * FRAMES_PER_SAMPLE; round++) {
    const start = process.cpuUsage();
    const { frame } = await importGltf(
      { kind: 'glb', bytes: model },
      { widthPx: 1280, heightPx: 720 },
    );
    const imported = process.cpuUsage(start);
    const { image } = await gpu.render(frame);
    const rendered = process.cpuUsage(start);
    await encodePng(image);
    const encoded = process.cpuUsage(start);
    if (round < 0) continue;
    const ms = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000;
    outside.push(ms(imported) + ms(encoded) - ms(rendered));
    render.push(ms(rendered) - ms(imported));
  }
  return { outside, render };
}

/**
 * Measures the wall time of bins of a demanding frame on 1 and on 4 workers; chiplet 0 renders
 * none.
 */
async function measureSpeedUp(model: Uint8Array, rounds: number): Promise<BenchResult[]> {
  const samples = new Map<number, number[]>();
  for (const workers of [1, WORKERS]) {
    const service = await MeasuredService.start(workers, false);
    try {
      const wall: number[] = [];
      for (let round = -SPEED_UP_WARM_UP_FRAMES; round < rounds; round++) {
        const { wall: spent } = await service.render(model, GLB, `${SIZE}&timing=cycle&chiplets=5`);
        if (round >= 0) wall.push(spent.binsMs);
      }
      samples.set(workers, wall);
    } finally {
      await service.stop();
    }
  }
  const [one, four] = [samples.get(1)!, samples.get(WORKERS)!];
  return [
    row('terrain, cycle', 'bins on 1 worker, wall', 'ms', one),
    row('terrain, cycle', `bins on ${WORKERS} workers, wall`, 'ms', four),
    row('terrain, cycle', `${WORKERS} workers against 1, wall`, '×', [median(one) / median(four)]),
  ];
}

function row(
  scene: string,
  quantity: string,
  unit: string,
  values: readonly number[],
): BenchResult {
  const least = values.length > 1 ? Math.min(...values) : undefined;
  return { scene, quantity, unit, median: median(values), least, rounds: values.length };
}

function findLargestCapture(): { readonly name: string; readonly path: string } | null {
  if (!existsSync(CAPTURES)) return null;
  const files = readdirSync(CAPTURES)
    .map((name) => ({ name, path: join(CAPTURES, name, 'trace.trace') }))
    .filter(({ path }) => existsSync(path));
  const sizes = new Map(files.map((file) => [file, statSync(file.path).size]));
  return files.sort((a, b) => sizes.get(b)! - sizes.get(a)!)[0] ?? null;
}
