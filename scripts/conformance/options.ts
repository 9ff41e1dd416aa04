/** Command line of `npm run conformance`. */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

const USAGE = `npm run conformance -- [options]
  --suite DIR      run pages of a checkout of the Khronos suite instead of the npm package gl-conformance
  --webgl2         run the suite's pages for WebGL 2
  --filter TEXT    run only cases whose name matches this regular expression
  --jobs N         number of concurrent processes (default 2)
  --timeout S      time limit of a case in seconds (default 120)
  --json FILE      write the verdicts of all cases, also while the run continues
  --resume         keep the verdicts of the --json file and run the other cases
  --compare FILE   compare the numbers of assertions with these counts of a browser (default: those of
                   Chromium in test/webgl/conformance); \`none\` for no comparison
  --baseline FILE  compare with these known failures; \`none\` for no comparison
  --context NAME   test another package or file with createContext(width, height, attributes), such as gl
  --verbose        print the output of cases, and the reasons of all failed and skipped cases`;

/** Options of a run. */
export type Options = NonNullable<ReturnType<typeof readOptions>>;

/** Reads the options, or prints the usage and returns `null`. */
export function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        suite: { type: 'string' },
        webgl2: { type: 'boolean', default: false },
        filter: { type: 'string', default: '' },
        jobs: { type: 'string', default: '2' },
        timeout: { type: 'string', default: '120' },
        json: { type: 'string' },
        resume: { type: 'boolean', default: false },
        compare: { type: 'string' },
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
    if (values.compare !== undefined && values.compare !== 'none' && !existsSync(values.compare))
      throw new Error(`--compare: ${values.compare} does not exist`);
    if (values.resume && values.json === undefined) throw new Error('--resume needs --json FILE');
    return { ...values, jobs, timeoutMs, pattern: new RegExp(values.filter) };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}\n`);
    return null;
  }
}
