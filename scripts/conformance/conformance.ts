/**
 * `npm run conformance -- --filter textures --jobs 2`: runs a WebGL conformance suite on
 * `@tessera/webgl`, with cases in separate processes that may crash. Prints totals by folder, pages
 * that make fewer assertions than in a browser, failures that are not in the baseline, and cases of
 * the baseline that pass. The exit status is 1 if a case fails that is not in the baseline, and 2
 * for invalid arguments.
 */
import { fileURLToPath } from 'node:url';
import { AssertionCounts } from './assertion-counts.ts';
import { compareWithBaseline, readBaseline } from './baseline.ts';
import { formatCountComparison, judgeHollowPass } from './compare-counts.ts';
import { listNpmSuite } from './npm-suite.ts';
import { type Options, readOptions } from './options.ts';
import { listPageSuite } from './page-suite.ts';
import { Progress } from './progress.ts';
import { ResultsFile } from './results-file.ts';
import { runSuite } from './run-suite.ts';
import type { SuiteChoice } from './suites.ts';
import { formatTotals } from './totals.ts';
import type { Verdict } from './verdict.ts';

const FOLDER = fileURLToPath(new URL('../../test/webgl/conformance/', import.meta.url));

const options = readOptions();
process.exitCode = options === null ? 2 : await run(options);

async function run(options: Options): Promise<number> {
  const { suite: folder, webgl2: isWebGL2, pattern, verbose: isVerbose, context } = options;
  const listed = folder === undefined ? listNpmSuite() : listPageSuite(folder, isWebGL2);
  if (listed === null) {
    process.stdout.write(
      folder === undefined
        ? 'skipped: the package gl-conformance is not installed\n'
        : `skipped: ${folder} has no 00_test_list.txt\n`,
    );
    return 0;
  }
  const suite: SuiteChoice =
    folder === undefined ? { kind: 'npm' } : { kind: 'pages', folder, isWebGL2 };
  const counts = readCounts(options);
  const cases = listed.cases.filter(({ name }) => pattern.test(name));
  process.stdout.write(`${listed.title}: ${cases.length} of ${listed.cases.length} cases\n`);

  const file = options.json === undefined ? null : new ResultsFile(options.json, options.resume);
  const verdictByName = new Map<string, Verdict>();
  const progress = new Progress(cases.length, isVerbose);
  const note = (verdict: Verdict): void => {
    const judged = judgeHollowPass(verdict, counts);
    verdictByName.set(judged.name, judged);
    progress.note(judged);
    file?.set(judged);
  };
  for (const { name } of cases) {
    const earlier = file?.find(name);
    if (earlier !== undefined) note(earlier);
  }
  await runSuite({
    suite,
    context,
    isVerbose,
    cases: cases.filter(({ name }) => !verdictByName.has(name)),
    casesPerProcess: listed.casesPerProcess,
    jobs: options.jobs,
    timeoutMs: options.timeoutMs,
    onResult: note,
  });
  progress.end();
  file?.write();
  const all = cases.map(({ name }) => verdictByName.get(name)!);
  process.stdout.write(`${formatTotals(all)}\n`);
  if (counts !== null) process.stdout.write(`${formatCountComparison(all, counts)}\n`);
  return printComparison(options.baseline ?? `${FOLDER}baseline.json`, all);
}

/**
 * Reads the counts of a browser. The cases of the npm package have other names, so they are not
 * compared.
 *
 * @throws {Error} If the counts are of the other WebGL version.
 */
function readCounts({ suite, compare, webgl2: isWebGL2 }: Options): AssertionCounts | null {
  if (suite === undefined || compare === 'none') return null;
  const version = isWebGL2 ? 2 : 1;
  const counts = AssertionCounts.read(compare ?? `${FOLDER}chromium-webgl${version}.json`);
  if (counts !== null && counts.origin.webgl !== version)
    throw new Error(`${compare}: has counts of WebGL ${counts.origin.webgl}`);
  return counts;
}

/** Prints the comparison with the baseline and returns the exit status. */
function printComparison(path: string, verdicts: readonly Verdict[]): number {
  const baseline = path === 'none' ? {} : readBaseline(path);
  const { unexpected, fixed, known } = compareWithBaseline(verdicts, baseline);
  for (const { name, outcome, failed, messages } of unexpected) {
    process.stdout.write(`${outcome.toUpperCase()} ${name} (${failed})\n`);
    for (const message of messages.slice(0, 3)) {
      process.stdout.write(`  ${message.split('\n').slice(0, 6).join('\n  ')}\n`);
    }
  }
  for (const { name } of fixed) {
    process.stdout.write(`UNEXPECTED PASS ${name}: remove it from the baseline\n`);
  }
  const countOf = (outcome: string): number =>
    verdicts.filter((verdict) => verdict.outcome === outcome).length;
  process.stdout.write(
    `${countOf('pass')} pass, ${countOf('skipped')} skipped, ${known.length} known failures, ${unexpected.length} unexpected failures\n`,
  );
  return unexpected.length === 0 ? 0 : 1;
}
