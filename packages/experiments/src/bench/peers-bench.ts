/**
 * `npm run bench -- peers [FOLDER] [--only NAME,…] [--rounds N]`: replays the same captures with
 * Mesa's llvmpipe and softpipe (`glretrace -b`), and renders them here with functional and cycle
 * timing on one chiplet, in one run.
 *
 * Mesa's time per frame is that of a long replay minus that of a short one, divided by the frames
 * between them. It therefore excludes start-up, shader compilation and uploads, but includes the
 * swap of the window. Ours excludes the same, because the frame is prepared and its programs are
 * compiled before. All figures are CPU time of the process, user and system, of the main thread and
 * helper threads. llvmpipe rasterizes on its calling thread (`LP_NUM_THREADS=0`).
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Frame, Timing } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { readCapture } from '../inputs/read-capture.ts';
import { integerOption, parseOptions } from '../terminal/command-options.ts';
import { type BenchResult, saveResults } from './bench-results.ts';
import { printMachine } from './machine.ts';
import { median } from './measure.ts';
import { type MesaDriver, MesaReplayer } from './mesa-replayer.ts';
import { ALL_CAPTURES, printTargets } from './targets.ts';

const CAPTURES = resolve(import.meta.dirname, '../../../../../shared/captures');
/**
 * Approximate CPU time of a long replay in milliseconds, long enough to make clock ticks and
 * start-up noise small.
 */
const REPLAY_CPU_MS = { llvmpipe: 600, softpipe: 1500 } as const;
const MOST_FRAMES = 400;
/**
 * Frames until V8 has compiled the code of a frame, as Mesa's compiler has by its second frame. CPU
 * time includes helper threads.
 */
const WARM_UP_FRAMES = { cycle: 14, functional: 20 } as const;
/**
 * Number of functional frames per round. One more before them collects the garbage of a frame with
 * cycles.
 */
const FUNCTIONAL_FRAMES = 5;
const CYCLE_FRAMES = 2;

interface Row {
  readonly name: string;
  readonly llvmpipeMs: number;
  readonly softpipeMs: number;
  readonly functionalMs: number;
  readonly cycleMs: number;
  readonly cycles: number;
}

/**
 * Measures, prints the table and, if requested, writes the CSV.
 *
 * @throws {Error} If Mesa's replayer is missing.
 */
export async function runPeersBench(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    only: { type: 'string' },
    rounds: { type: 'string' },
  });
  const folder = positionals[0] ?? CAPTURES;
  const rounds = integerOption('--rounds', values.rounds ?? '3', 1, 99);
  const wanted = values.only?.split(',');
  const names = readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'trace.trace')))
    .filter((name) => wanted === undefined || wanted.includes(name))
    .sort();
  if (names.length === 0) throw new Error(`bench peers: ${folder} has no captures`);

  printMachine('Tessera beside Mesa: CPU ms a frame, medians, start-up taken off');
  process.stdout.write(
    'capture                     llvmpipe  softpipe functional     cycle   Mcycles/s  fn/llvm  fn/soft  cyc/soft\n',
  );
  const rows: Row[] = [];
  const mesa = new MesaReplayer();
  try {
    for (const name of names) {
      const row = await measureCapture(mesa, name, join(folder, name, 'trace.trace'), rounds);
      rows.push(row);
      printRow(row);
    }
  } finally {
    await mesa.stop();
  }
  const means = meansOf(rows, rounds);
  process.stdout.write(`\ngeometric means over ${rows.length} captures\n`);
  for (const { quantity, unit, median: mean } of means) {
    process.stdout.write(`${quantity.padEnd(32)} ${mean.toFixed(2)} ${unit}\n`);
  }
  if (wanted !== undefined) return;
  printTargets(means);
  saveResults('peers', [...means, ...rows.flatMap((row) => resultsOf(row, rounds))]);
}

/** Returns the geometric means over the captures. */
function meansOf(rows: readonly Row[], rounds: number): BenchResult[] {
  const mean = (quantity: string, unit: string, of: (row: Row) => number): BenchResult => ({
    scene: ALL_CAPTURES,
    quantity,
    unit,
    rounds,
    median: Math.exp(rows.reduce((sum, row) => sum + Math.log(of(row)), 0) / rows.length),
  });
  return [
    mean('functional against llvmpipe', '×', (row) => row.llvmpipeMs / row.functionalMs),
    mean('functional against softpipe', '×', (row) => row.softpipeMs / row.functionalMs),
    mean('with cycles against softpipe', '×', (row) => row.softpipeMs / row.cycleMs),
    mean('simulated cycles a CPU second', 'M', (row) => row.cycles / row.cycleMs / 1000),
  ];
}

async function measureCapture(
  mesa: MesaReplayer,
  name: string,
  path: string,
  rounds: number,
): Promise<Row> {
  const gpu = new LocalGpu({ chipletCount: 1 });
  const { frame } = readCapture(readFileSync(path), 0, gpu.programs);
  const { report } = await gpu.render(frame, { timing: 'cycle' });
  for (const timing of ['cycle', 'functional'] as const) {
    for (let i = 0; i < WARM_UP_FRAMES[timing]; i++) await renderCpuMs(gpu, frame, timing);
  }
  const replays = {
    llvmpipe: await chooseReplay(mesa, 'llvmpipe', path),
    softpipe: await chooseReplay(mesa, 'softpipe', path),
  };
  const samples = { llvmpipe: [], softpipe: [], functional: [], cycle: [] } as Record<
    MesaDriver | Timing,
    number[]
  >;
  for (let round = 0; round < rounds; round++) {
    for (const driver of ['llvmpipe', 'softpipe'] as const) {
      const { frames, shortMs } = replays[driver];
      const longMs = await mesa.replayCpuMs(driver, path, frames + 1);
      samples[driver].push(Math.max(0.01, (longMs - shortMs) / frames));
    }
    await renderCpuMs(gpu, frame, 'functional');
    for (let i = 0; i < FUNCTIONAL_FRAMES; i++) {
      samples.functional.push(await renderCpuMs(gpu, frame, 'functional'));
    }
    for (let i = 0; i < CYCLE_FRAMES; i++) {
      samples.cycle.push(await renderCpuMs(gpu, frame, 'cycle'));
    }
  }
  return {
    name,
    llvmpipeMs: median(samples.llvmpipe),
    softpipeMs: median(samples.softpipe),
    functionalMs: median(samples.functional),
    cycleMs: median(samples.cycle),
    cycles: report.totals.cycles!,
  };
}

async function renderCpuMs(gpu: LocalGpu, frame: Frame, timing: Timing): Promise<number> {
  const before = process.cpuUsage();
  await gpu.render(frame, { timing });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** A replay that is long enough to be measured. */
interface Replay {
  readonly frames: number;
  /** CPU time in milliseconds of a replay that draws one frame, which includes start-up. */
  readonly shortMs: number;
}

async function chooseReplay(mesa: MesaReplayer, driver: MesaDriver, path: string): Promise<Replay> {
  const shortMs = await mesa.replayCpuMs(driver, path, 1);
  const frameMs = Math.max(1, ((await mesa.replayCpuMs(driver, path, 3)) - shortMs) / 2);
  const wanted = Math.round(REPLAY_CPU_MS[driver] / frameMs);
  return { shortMs, frames: Math.max(2, Math.min(MOST_FRAMES, wanted)) };
}

function printRow(row: Row): void {
  const { name, llvmpipeMs, softpipeMs, functionalMs, cycleMs, cycles } = row;
  const cells = [llvmpipeMs, softpipeMs, functionalMs, cycleMs].map((ms) =>
    ms.toFixed(1).padStart(10),
  );
  const ratios = [
    cycles / cycleMs / 1000,
    llvmpipeMs / functionalMs,
    softpipeMs / functionalMs,
    softpipeMs / cycleMs,
  ].map((ratio) => ratio.toFixed(2).padStart(9));
  process.stdout.write(`${name.padEnd(26)}${cells.join('')}  ${ratios.join('')}\n`);
}

function resultsOf(row: Row, rounds: number): BenchResult[] {
  const { name, llvmpipeMs, softpipeMs, functionalMs, cycleMs, cycles } = row;
  const cpu = {
    llvmpipe: llvmpipeMs,
    softpipe: softpipeMs,
    functional: functionalMs,
    cycle: cycleMs,
  };
  return [
    ...Object.entries(cpu).map(([what, median]) => ({
      scene: name,
      quantity: `${what}: CPU`,
      unit: 'ms',
      median,
      rounds,
    })),
    { scene: name, quantity: 'simulated cycles', unit: '', median: cycles, rounds: 1 },
  ];
}
