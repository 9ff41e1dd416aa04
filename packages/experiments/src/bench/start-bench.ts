/**
 * `npm run bench -- start [--rounds N]`: time from `npm start` until all chiplets are ready, with 4
 * workers, the memory of an idle worker, and the CPU time of a help text. The first start fills
 * the cache of compiled modules and is not counted. Linux only.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { COMMANDS } from '../commands/commands.ts';
import { integerOption, parseOptions } from '../terminal/command-options.ts';
import { type BenchResult, saveResults } from './bench-results.ts';
import { printMachine } from './machine.ts';
import { median } from './measure.ts';
import { MeasuredService } from './measured-service.ts';
import { readChildrenCpuMs, readCpuTime, readMemoryMb } from './process-usage.ts';
import { printTargets } from './targets.ts';

const WORKERS = 4;
const CLI = resolve(import.meta.dirname, '../cli.ts');

/** Measures, prints, and writes the CSV. */
export async function runStartBench(args: readonly string[]): Promise<void> {
  const { values } = parseOptions(args, { rounds: { type: 'string' } });
  const rounds = integerOption('--rounds', values.rounds ?? '5', 1, 99);
  printMachine(`Tessera, npm start: a visibility chiplet and ${WORKERS} workers, medians`);
  const readyMs: number[] = [];
  const idleMb: number[] = [];
  const coordinatorMs: number[] = [];
  const workerMs: number[] = [];
  const helpMs: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const service = await MeasuredService.start(WORKERS);
    if (round >= 0) {
      readyMs.push(service.readyMs);
      coordinatorMs.push(readCpuTime(service.coordinator).processMs);
      workerMs.push(...service.workers.map((pid) => readCpuTime(pid).processMs));
      idleMb.push(...service.workers.map((pid) => readMemoryMb(pid).now));
    }
    await service.stop();
    if (round >= 0) helpMs.push(measureHelpMs());
  }
  const row = (scene: string, quantity: string, unit: string, sample: number[]): BenchResult => ({
    scene,
    quantity,
    unit,
    median: median(sample),
    least: Math.min(...sample),
    rounds,
  });
  const results = [
    row('service', 'npm start to ready, wall', 'ms', readyMs),
    row('service', 'coordinator until then, CPU', 'ms', coordinatorMs),
    row('service', 'a worker until then, CPU', 'ms', workerMs),
    row('idle', 'memory of a worker', 'MB', idleMb),
    row('command', 'help text, CPU', 'ms', helpMs),
  ];
  for (const { scene, quantity, unit, median: value, least } of results) {
    process.stdout.write(
      `${scene.padEnd(10)} ${quantity.padEnd(32)} ${value.toFixed(0)} ${unit}, least ${least?.toFixed(0)}\n`,
    );
  }
  printTargets(results);
  saveResults('start', results);
}

/** Returns the mean CPU time of `tessera --help` and the help texts of all commands. */
function measureHelpMs(): number {
  const commandLines = [[], ...Object.keys(COMMANDS).map((name) => [name])];
  const beforeMs = readChildrenCpuMs();
  for (const command of commandLines) {
    const { status } = spawnSync(process.execPath, [CLI, ...command, '--help']);
    if (status !== 0) throw new Error(`bench: the help text of '${command}' has status ${status}`);
  }
  return (readChildrenCpuMs() - beforeMs) / commandLines.length;
}
