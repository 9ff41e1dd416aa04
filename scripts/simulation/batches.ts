/** Runs seeds in processes of their own, a few seeds each, and yields their outcomes. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { SeedResult } from './run-seed.ts';

/** Seeds to run. */
export interface BatchOptions {
  readonly seed: number;
  readonly seeds: number;
  readonly events: number;
  readonly without?: readonly string[];
  readonly clients?: number | undefined;
  /** Name of a fault that is put in by hand. */
  readonly fault?: string | undefined;
  /** Whether the logs of all processes go to standard error. */
  readonly log?: boolean;
}

/** Outcome with the processor time that it took. */
export type TimedResult = SeedResult & { readonly cpuMs: number };

/** Seeds per process. More need too much memory, fewer load the services too often. */
const SEEDS_PER_PROCESS = 25;
const BATCH_URL = new URL('./run-batch.ts', import.meta.url);

/**
 * Yields the outcome of each seed, in order.
 *
 * @throws {Error} If a process ends before its seeds.
 */
export async function* runSeeds(options: BatchOptions): AsyncGenerator<TimedResult> {
  for (let done = 0; done < options.seeds; done += SEEDS_PER_PROCESS) {
    const seeds = Math.min(SEEDS_PER_PROCESS, options.seeds - done);
    yield* runBatch({ ...options, seed: options.seed + done, seeds });
  }
}

async function* runBatch(options: BatchOptions): AsyncGenerator<TimedResult> {
  const { seed, seeds, events, without = [], clients, fault, log = false } = options;
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      BATCH_URL.pathname,
      ...['--seed', String(seed), '--seeds', String(seeds), '--events', String(events)],
      ...(without.length === 0 ? [] : ['--without', without.join(',')]),
      ...(clients === undefined ? [] : ['--clients', String(clients)]),
      ...(fault === undefined ? [] : ['--fault', fault]),
      ...(log ? ['--log'] : []),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let count = 0;
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      count++;
      yield JSON.parse(line) as TimedResult;
    }
    if (count < seeds) throw new Error(`the process of seed ${seed + count} ended by itself`);
  } finally {
    child.kill();
  }
}
