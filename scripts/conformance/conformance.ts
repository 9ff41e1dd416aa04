/**
 * `npm run conformance -- --filter textures --jobs 2`: runs a WebGL conformance suite on
 * `@tessera/webgl`, with cases in separate processes that may crash. Prints totals by folder,
 * failures that are not in the baseline, and cases of the baseline that pass. The exit status is 1
 * if a case fails that is not in the baseline, and 2 for invalid arguments.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareWithBaseline, readBaseline } from './baseline.ts';
import { listNpmSuite } from './npm-suite.ts';
import { listPageSuite } from './page-suite.ts';
import { Progress } from './progress.ts';
import { runSuite } from './run-suite.ts';
import type { SuiteChoice } from './suites.ts';
import { formatTotals } from './totals.ts';
import type { Verdict } from './verdict.ts';

const BASELINE = fileURLToPath(
  new URL('../../test/webgl/conformance/baseline.json', import.meta.url),
);
const USAGE = `npm run conformance -- [options]
  --suite DIR      run pages of a checkout of the Khronos suite instead of the npm package gl-conformance
  --webgl2         run the suite's pages for WebGL 2
  --filter TEXT    run only cases whose name matches this regular expression
  --jobs N         number of concurrent processes (default 2)
  --timeout S      time limit of a case in seconds (default 300)
  --json FILE      write the verdicts of all cases
  --baseline FILE  compare with these known failures; \`none\` for no comparison
  --context NAME   test another package or file with createContext(width, height, attributes), such as gl
  --verbose        print the output of cases and the messages of all failures`;

const options = readOptions();
process.exitCode = options === null ? 2 : await run(options);

type Options = NonNullable<ReturnType<typeof readOptions>>;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        suite: { type: 'string' },
        webgl2: { type: 'boolean', default: false },
        filter: { type: 'string', default: '' },
        jobs: { type: 'string', default: '2' },
        timeout: { type: 'string', default: '300' },
        json: { type: 'string' },
        baseline: { type: 'string' },
        context: { type: 'string', default: '@tessera/webgl' },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      process.stdout.write(`${USAGE}\n`);
      return null;
    }
    const jobs = Number(values.jobs);
    const timeoutMs = Number(values.timeout) * 1000;
    if (!(Number.isInteger(jobs) && jobs > 0))
      throw new Error(`--jobs: ${values.jobs} is not a positive integer`);
    if (!(timeoutMs > 0))
      throw new Error(`--timeout: ${values.timeout} is not a positive number of seconds`);
    return { ...values, jobs, timeoutMs, pattern: new RegExp(values.filter) };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}\n`);
    return null;
  }
}

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
  const cases = listed.cases.filter(({ name }) => pattern.test(name));
  process.stdout.write(`${listed.title}: ${cases.length} of ${listed.cases.length} cases\n`);
  const progress = new Progress(cases.length, isVerbose);
  const verdicts = await runSuite({
    suite,
    context,
    isVerbose,
    cases,
    casesPerProcess: listed.casesPerProcess,
    jobs: options.jobs,
    timeoutMs: options.timeoutMs,
    onResult: (verdict) => progress.note(verdict),
  });
  progress.end();
  process.stdout.write(`${formatTotals(verdicts)}\n`);
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify(verdicts, null, 1)}\n`);
  }
  return printComparison(options.baseline ?? BASELINE, verdicts);
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
  process.stdout.write(
    `${verdicts.length - unexpected.length - known.length} pass, ${known.length} known failures, ${unexpected.length} unexpected failures\n`,
  );
  return unexpected.length === 0 ? 0 : 1;
}
