/**
 * The process that handles fuzzed inputs. fuzz.ts starts it with kind, seed, first number and
 * count. The number of the current input is in a file, so that it is known if this process dies.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { seededRandom } from '@tessera/scenes/seeded-random';
import { FUZZ_KINDS } from './fuzz-kind.ts';

/** Messages of this process to its parent. */
export type FuzzNews =
  | { readonly kind: 'finding'; readonly number: number; readonly reason: string }
  | {
      readonly kind: 'progress';
      readonly done: number;
      readonly outcomes: Readonly<Record<string, number>>;
      /** Memory in use after a garbage collection, and resident memory. */
      readonly usedBytes: number;
      readonly rssBytes: number;
      readonly slowestMs: number;
    };

/** Maximum CPU time of one input. */
const MOST_CPU_MS = 2000;
const NEWS_EVERY = 2000;

/** Returns the random numbers of one input, independent of previous inputs. */
export function randomOf(seed: number, number: number) {
  return seededRandom((Math.imul(seed, 0x9e3779b1) + Math.imul(number, 0x85ebca6b)) >>> 0);
}

async function run(kindName: string, seed: number, first: number, count: number, place: string) {
  const kind = await FUZZ_KINDS[kindName]!();
  const file = openSync(place, 'w');
  const at = Buffer.alloc(8);
  let outcomes: Record<string, number> = {};
  let slowestMs = 0;
  for (let number = first; number < first + count; number++) {
    at.writeDoubleLE(number);
    writeSync(file, at, 0, 8, 0);
    const input = kind.make(randomOf(seed, number));
    const before = process.cpuUsage();
    try {
      const outcome = await kind.follow(input);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    } catch (error) {
      tell({ kind: 'finding', number, reason: (error as Error).stack ?? String(error) });
    }
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1000;
    slowestMs = Math.max(slowestMs, ms);
    if (ms > MOST_CPU_MS) {
      tell({ kind: 'finding', number, reason: `${Math.round(ms)} ms of CPU time` });
    }
    const done = number - first + 1;
    if (done % NEWS_EVERY !== 0 && done !== count) continue;
    await letOthersRun();
    globalThis.gc?.();
    const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
    const usedBytes = heapUsed + Math.max(external, arrayBuffers);
    tell({ kind: 'progress', done, outcomes, usedBytes, rssBytes: rss, slowestMs });
    outcomes = {};
  }
  closeSync(file);
}

function tell(news: FuzzNews): void {
  process.send?.(news);
}

if (process.send !== undefined) {
  const [kind, seed, first, count, place] = process.argv.slice(2);
  await run(kind!, Number(seed), Number(first), Number(count), place!);
  process.disconnect?.();
}
