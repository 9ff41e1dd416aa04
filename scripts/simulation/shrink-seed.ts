/**
 * Shrinks a failing seed: fewer events, kinds of disturbances and clients that still violate the
 * same law.
 */
import { type BatchOptions, runSeeds, type TimedResult } from './batches.ts';
import { DISTURBANCES } from './nemesis.ts';

/** Smallest run that was found. */
export interface ShrunkSeed {
  readonly options: BatchOptions;
  readonly result: TimedResult;
}

/**
 * Returns the smallest run of a seed that violates the same law as `failed`.
 *
 * @param run Runs seeds.
 */
export async function shrinkSeed(
  options: BatchOptions,
  failed: TimedResult,
  run: typeof runSeeds = runSeeds,
): Promise<ShrunkSeed> {
  const { law } = failed.violations[0]!; // Only failed seeds are shrunk.
  let shrunk: ShrunkSeed = { options: { ...options, seed: failed.seed, seeds: 1 }, result: failed };
  const attempt = async (change: Partial<BatchOptions>): Promise<boolean> => {
    const tried = { ...shrunk.options, ...change };
    for await (const result of run(tried)) {
      if (!result.violations.some((violation) => violation.law === law)) continue;
      shrunk = { options: tried, result };
      return true;
    }
    return false;
  };
  for (const clients of [1, 2, 3]) if (await attempt({ clients })) break;
  for (const kind of DISTURBANCES) {
    const { without = [] } = shrunk.options;
    if (kind in shrunk.result.disturbances) await attempt({ without: [...without, kind] });
  }
  while (shrunk.options.events > 100) {
    if (!(await attempt({ events: Math.floor(shrunk.options.events / 2) }))) break;
  }
  return shrunk;
}
