/** Random numbers of pages: the same in Chromium and in Tessera. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';

/** Text of an expression: a function that returns the random numbers of a seed. */
export const SEEDED_RANDOM = readFileSync(
  join(import.meta.dirname, '../seeded-random.js'),
  'utf8',
).replace(/;\s*$/, '');

/** Returns a function that has the random numbers of a seed, from 0 to 1 without 1. */
export const seededRandom = runInThisContext(SEEDED_RANDOM) as (seed: number) => () => number;

/** Time at which `Date` starts in pages, in milliseconds: 2026-01-01 10:08:30 UTC. */
export const PAGE_START_MS = Date.UTC(2026, 0, 1, 10, 8, 30);
