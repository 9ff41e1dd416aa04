/**
 * Deterministic simulation of a service: `npm run simulate -- --seeds 1000 --events 10000`. Prints
 * what the seeds did and, for each that violated a law, the command that repeats it.
 */
import { parseArgs } from 'node:util';
import { type BatchOptions, runSeeds, type TimedResult } from './batches.ts';
import { FAULTS } from './planted-faults.ts';
import { shrinkSeed } from './shrink-seed.ts';
import { SimulationTotals } from './totals.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '20' },
    events: { type: 'string', default: '10000' },
    clients: { type: 'string' },
    without: { type: 'string', default: '' },
    jobs: { type: 'string', default: '1' },
    fault: { type: 'string' },
    faults: { type: 'boolean', default: false },
    log: { type: 'boolean', default: false },
    'no-shrink': { type: 'boolean', default: false },
  },
});

const options: BatchOptions = {
  seed: Number(values.seed),
  seeds: Number(values.seeds),
  events: Number(values.events),
  clients: values.clients === undefined ? undefined : Number(values.clients),
  without: values.without.split(',').filter((kind) => kind !== ''),
  fault: values.fault,
  log: values.log,
};

process.exitCode = values.faults ? await findFaults() : await runAll();

/** Runs all seeds, some at the same time. Returns the exit status. */
async function runAll(): Promise<number> {
  const totals = new SimulationTotals();
  const jobs = Number(values.jobs);
  const perJob = Math.ceil(options.seeds / jobs);
  const runJob = async (job: number): Promise<void> => {
    const first = job * perJob;
    const seeds = Math.min(perJob, options.seeds - first);
    if (seeds <= 0) return;
    for await (const result of runSeeds({ ...options, seed: options.seed + first, seeds })) {
      totals.add(result);
      if (result.violations.length > 0) await reportFailure(result);
    }
  };
  await Promise.all(Array.from({ length: jobs }, (_, job) => runJob(job)));
  console.log(totals.describe());
  return totals.failedSeeds.length === 0 ? 0 : 1;
}

async function reportFailure(failed: TimedResult): Promise<void> {
  for (const { law, detail } of failed.violations)
    console.log(`seed ${failed.seed}: ${law}: ${detail}`);
  if (values['no-shrink']) return;
  const { options: small, result } = await shrinkSeed(options, failed);
  const { clients, without = [], fault } = small;
  const words = [
    `npm run simulate -- --seed ${small.seed} --seeds 1 --events ${small.events}`,
    ...(clients === undefined ? [] : [`--clients ${clients}`]),
    ...(without.length === 0 ? [] : [`--without '${without.join(',')}'`]),
    ...(fault === undefined ? [] : [`--fault ${fault}`]),
  ];
  console.log(`  ${result.events} events: ${words.join(' ')} --log`);
}

/** Searches for each fault that is put in by hand. Returns the exit status. */
async function findFaults(): Promise<number> {
  let missed = 0;
  for (const { name, meaning } of FAULTS) {
    let cpuMs = 0;
    let found: TimedResult | null = null;
    for await (const result of runSeeds({ ...options, fault: name })) {
      cpuMs += result.cpuMs;
      if (result.violations.length === 0) continue;
      found = result;
      break;
    }
    if (found === null) missed++;
    const outcome =
      found === null
        ? `not found in ${options.seeds} seeds`
        : `seed ${found.seed}: ${found.violations[0]!.law}`;
    console.log(`${name} | ${meaning} | ${outcome} | ${(cpuMs / 1000).toFixed(1)} s`);
  }
  return missed === 0 ? 0 : 1;
}
