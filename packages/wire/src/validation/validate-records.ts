/**
 * Checks the records of a run in a message: types, numbers and sizes. Words of records are not
 * checked here: a simulated chip reads them in a sandbox, and two hosts must agree on them.
 */
import { countRunBytes, MAX_RUN_BYTES, type RecordedRun, runInSharedMemory } from '@tessera/frame';
import {
  array,
  type Check,
  integer,
  MalformedError,
  nullable,
  object,
  oneOf,
  string,
  typedArray,
} from './field-checks.ts';

const MAX_PLAN_WORDS = 64;
const MAX_WORDS = MAX_RUN_BYTES / 4;
/** Upper bound on vertex programs that log, lookups and loops of one, and calls of one draw's. */
const MAX_PROGRAMS = 262_144;
const MAX_SITES = 65_536;
const MAX_LOOPS = 64;
const MAX_LOGS = 2 ** 22;

const words = typedArray(Int32Array, MAX_WORDS);
const count = integer(0, Number.MAX_SAFE_INTEGER);
/** The part behind a section is subtracted, so costs may be negative. */
const work = integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
const cost = object({ instructions: work, issueCycles: work, stallCycles: work });
const site = object({
  kind: oneOf(['lookup', 'loop', 'section']),
  slot: integer(-1, 255),
  loops: array(integer(0, MAX_SITES), MAX_LOOPS),
  costs: array(cost, MAX_LOOPS + 1),
  roundCost: cost,
  lookupsInFlight: count,
});
const keys = object({ vertex: string(0, 200), fragment: string(0, 200) });

const fields = object({
  plan: typedArray(Int32Array, MAX_PLAN_WORDS),
  outputBytes: count,
  streamBytes: count,
  commands: words,
  entries: words,
  blocks: words,
  fragmentTraces: words,
  fragmentTraceWords: words,
  vertices: words,
  draws: words,
  arrays: typedArray(Float64Array, MAX_WORDS / 2),
  programs: nullable(object({ first: keys, last: keys })),
  pageHeads: words,
  vertexSites: array(object({ sites: array(site, MAX_SITES), cost }), MAX_PROGRAMS),
  drawSites: words,
  vertexLogs: array(object({ first: count, count, words, order: words, starts: words }), MAX_LOGS),
});

/** Checks for the records of a run. They are returned in shared memory. */
export const recordedRun: Check<RecordedRun> = (value) => {
  const run = fields(value);
  const bytes = countRunBytes(run);
  if (bytes > MAX_RUN_BYTES) {
    throw new MalformedError('', `${bytes} bytes of records; at most ${MAX_RUN_BYTES}`);
  }
  return runInSharedMemory(run);
};
