/**
 * `npm run conformance:piglit -- --tests 1500 --seed 1`: runs a seeded sample of an installed
 * piglit's tests on Mesa's softpipe, captures those that pass, and compares our image of each
 * capture with those of Mesa. Needs piglit, apitrace and an X server (`xvfb-run`).
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Progress } from '../progress.ts';
import { runCases } from '../run-cases.ts';
import { drawSample, findPiglit, listTests, type PiglitTest } from './list-tests.ts';
import type { PiglitResult } from './piglit-result.ts';
import { formatCauses, formatGroups, formatResults } from './piglit-totals.ts';
import type { PiglitArguments } from './piglit-worker.ts';

const CASES_PER_PROCESS = 200;
const TIMEOUT_MS = 120_000;

const { values } = parseArgs({
  options: {
    tests: { type: 'string', default: '1500' },
    seed: { type: 'string', default: '1' },
    filter: { type: 'string', default: '' },
    jobs: { type: 'string', default: '2' },
    json: { type: 'string' },
    csv: { type: 'string' },
    keep: { type: 'string' },
  },
});
const piglit = findPiglit();
if (piglit === null) {
  process.stdout.write('skipped: piglit is not installed\n');
} else {
  process.exitCode = await run(piglit);
}

async function run(folder: string): Promise<number> {
  const pattern = new RegExp(values.filter);
  const listed = listTests(folder, values.seed).filter(({ name }) => pattern.test(name));
  const cases = drawSample(listed, Number(values.tests));
  process.stdout.write(`piglit: ${cases.length} of ${listed.length} tests, seed ${values.seed}\n`);
  const argument: PiglitArguments = { piglit: folder, keep: values.keep ?? null };
  const progress = new Progress(cases.length, false);
  const results = await runCases<PiglitTest, PiglitResult>({
    worker: new URL('./piglit-worker.ts', import.meta.url),
    argument,
    isVerbose: false,
    cases,
    casesPerProcess: CASES_PER_PROCESS,
    jobs: Number(values.jobs),
    timeoutMs: TIMEOUT_MS,
    lose: ({ name, folder: group }, outcome, message) => ({
      name,
      folder: group,
      outcome,
      messages: [message],
    }),
    onResult: (result) => progress.note(result),
  });
  progress.end();
  if (values.json !== undefined) {
    writeFileSync(values.json, `${JSON.stringify(results, null, 1)}\n`);
  }
  if (values.csv !== undefined) writeFileSync(values.csv, formatResults(results));
  process.stdout.write(`${formatGroups(results)}\n\n${formatCauses(results)}\n`);
  const isBad = ({ outcome }: PiglitResult) => outcome === 'wrong' || outcome === 'crash';
  return results.some(isBad) ? 1 : 0;
}
