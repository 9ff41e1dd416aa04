/**
 * `npm run bench -- peers [FOLDER] [--only NAME,…] [--rounds N]`: the same captures replayed by Mesa's
 * llvmpipe and softpipe (`glretrace -b`) and rendered here, functional and cycle timing, one chiplet, in one run.
 *
 * Mesa's time of a frame is that of a long replay less that of a short one, over the frames between: start-up,
 * shader compilation and uploads are not in it, and neither are they in ours (the frame is prepared and its
 * programs are compiled before). Its swap of the window is in it. All figures are CPU time of the process, user and system, main and
 * helper threads; llvmpipe rasterizes on its calling thread (`LP_NUM_THREADS=0`).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Frame, Timing } from '@tessera/frame';
import { integerOption, parseOptions } from '../command-options.ts';
import { DEFAULT_LOCAL_RENDER_OPTIONS, LocalGpu } from '../local-gpu.ts';
import { readCapture } from '../read-capture.ts';
import { type BenchResult, saveResults } from './bench-results.ts';
import { printMachine } from './machine.ts';
import { median } from './measure.ts';

const CAPTURES = resolve(import.meta.dirname, '../../../../../shared/captures');
const REPLAY_WITHIN_MS = 120_000;
/** A long replay takes about this much CPU time, so that clock ticks and start-up noise are small in it. */
const REPLAY_CPU_MS = { llvmpipe: 600, softpipe: 1500 } as const;
const MOST_FRAMES = 400;
const WARM_UP_FRAMES = 4;

type Renderer = keyof typeof REPLAY_CPU_MS;

interface Row {
  readonly name: string;
  readonly llvmpipeMs: number;
  readonly softpipeMs: number;
  readonly functionalMs: number;
  readonly cycleMs: number;
  readonly cycles: number;
}

/** Measures, prints the table and, where asked, writes the CSV. @throws {Error} If Mesa's replayer is missing. */
export async function runPeersBench(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    only: { type: 'string' },
    rounds: { type: 'string' },
  });
  const folder = positionals[0] ?? CAPTURES;
  const rounds = integerOption('--rounds', values.rounds ?? '3', 1, 99);
  for (const tool of ['glretrace', 'xvfb-run']) {
    if (spawnSync('sh', ['-c', 'command -v "$1"', 'sh', tool]).status !== 0) {
      throw new Error(
        `bench peers: ${tool} is not installed (Debian: apt install apitrace xvfb xauth)`,
      );
    }
  }
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
  for (const name of names) {
    const row = await measureCapture(name, join(folder, name, 'trace.trace'), rounds);
    rows.push(row);
    printRow(row);
  }
  const mean = (of: (row: Row) => number): string =>
    Math.exp(rows.reduce((sum, row) => sum + Math.log(of(row)), 0) / rows.length).toFixed(2);
  process.stdout.write(
    `\ngeometric means over ${rows.length} captures\n` +
      `functional, speed against llvmpipe   ${mean((row) => row.llvmpipeMs / row.functionalMs)}×\n` +
      `functional, speed against softpipe   ${mean((row) => row.softpipeMs / row.functionalMs)}×\n` +
      `with cycles, speed against softpipe  ${mean((row) => row.softpipeMs / row.cycleMs)}×\n` +
      `simulated Mcycles per CPU second     ${mean((row) => row.cycles / row.cycleMs / 1000)}\n`,
  );
  if (wanted === undefined)
    saveResults(
      'peers',
      rows.flatMap((row) => resultsOf(row, rounds)),
    );
}

async function measureCapture(name: string, path: string, rounds: number): Promise<Row> {
  const gpu = new LocalGpu(1);
  const { frame } = readCapture(readFileSync(path), 0, gpu.programs);
  const { report } = await gpu.render(frame, { ...DEFAULT_LOCAL_RENDER_OPTIONS, timing: 'cycle' });
  for (let round = 0; round < WARM_UP_FRAMES; round++) await renderCpuMs(gpu, frame, 'functional');
  const frames = {
    llvmpipe: chooseReplayLength('llvmpipe', path),
    softpipe: chooseReplayLength('softpipe', path),
  };
  const samples = { llvmpipe: [], softpipe: [], functional: [], cycle: [] } as Record<
    Renderer | Timing,
    number[]
  >;
  for (let round = 0; round < rounds; round++) {
    for (const renderer of ['llvmpipe', 'softpipe'] as const) {
      const long = replayCpuMs(renderer, path, frames[renderer] + 1);
      const short = replayCpuMs(renderer, path, 1);
      samples[renderer].push(Math.max(0.01, (long - short) / frames[renderer]));
    }
    for (const timing of ['functional', 'cycle'] as const) {
      const repeats = timing === 'functional' ? 5 : 1;
      for (let repeat = 0; repeat < repeats; repeat++) {
        samples[timing].push(await renderCpuMs(gpu, frame, timing));
      }
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
  await gpu.render(frame, { ...DEFAULT_LOCAL_RENDER_OPTIONS, timing });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Frames of a replay that takes long enough to be measured. */
function chooseReplayLength(renderer: Renderer, path: string): number {
  const one = replayCpuMs(renderer, path, 1);
  const three = replayCpuMs(renderer, path, 3);
  const frameMs = Math.max(1, (three - one) / 2);
  return Math.max(2, Math.min(MOST_FRAMES, Math.round(REPLAY_CPU_MS[renderer] / frameMs)));
}

/** CPU time of a whole replay that draws the capture's last frame `frames` times; X server not included. */
function replayCpuMs(renderer: Renderer, path: string, frames: number): number {
  const script = 'glretrace -b "--loop=$1" "$2" > /dev/null 2>&1 || exit 1; times';
  const output = execFileSync(
    'xvfb-run',
    ['-a', '-s', '-screen 0 1280x1024x24', 'sh', '-c', script, 'sh', String(frames), path],
    {
      env: {
        ...process.env,
        LIBGL_ALWAYS_SOFTWARE: '1',
        GALLIUM_DRIVER: renderer,
        LP_NUM_THREADS: '0',
      },
      timeout: REPLAY_WITHIN_MS,
      encoding: 'utf8',
    },
  );
  const children = output.trim().split('\n').at(-1)!;
  const times = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  if (times.length !== 2) throw new Error(`bench peers: the shell's times say '${children}'`);
  return times.reduce((sum, [, min, s]) => sum + 60_000 * Number(min) + 1000 * Number(s), 0);
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
