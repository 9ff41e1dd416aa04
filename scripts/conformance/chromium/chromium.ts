/**
 * `node scripts/conformance/chromium/chromium.ts --suite DIR --counts FILE`: runs pages of the
 * Khronos suite in Debian's Chromium with SwiftShader and writes the number of assertions and the
 * outcome of each page into FILE, with which `npm run conformance -- --compare FILE` compares.
 * Pages that FILE has are not run again, so an interrupted run continues. Pages that did not end in
 * time, or crashed, are run again.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { findChromium } from '../../webgl/chromium-images.ts';
import { startFolderServer } from '../../webgl/folder-server.ts';
import { AssertionCounts, type PageCount } from '../assertion-counts.ts';
import { listPageSuite, pageQuery } from '../page-suite.ts';
import { Progress } from '../progress.ts';
import { BrowserPages } from './browser-pages.ts';

const USAGE = `npm run conformance:chromium -- --suite DIR --counts FILE [options]
  --suite DIR      checkout of the Khronos suite
  --counts FILE    file with the counts; pages that ended are not run again
  --webgl2         run the suite's pages for WebGL 2
  --filter TEXT    run only pages whose name matches this regular expression
  --timeout S      time limit of a page in seconds (default 120)
  --revision REV   revision of the suite, for a suite that is not a clone`;

const options = readOptions();
if (options === null) process.exitCode = 2;
else await run(options);

type Options = NonNullable<ReturnType<typeof readOptions>>;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        suite: { type: 'string' },
        counts: { type: 'string' },
        webgl2: { type: 'boolean', default: false },
        filter: { type: 'string', default: '' },
        timeout: { type: 'string', default: '120' },
        revision: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    const { suite, counts, help, ...others } = values;
    if (help || suite === undefined || counts === undefined) {
      process.stdout.write(`${USAGE}\n`);
      return null;
    }
    const timeoutMs = Number(values.timeout) * 1000;
    if (!(timeoutMs > 0))
      throw new Error(`--timeout: ${values.timeout} is not a positive number of seconds`);
    return { ...others, suite, counts, timeoutMs, pattern: new RegExp(values.filter) };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}\n`);
    return null;
  }
}

async function run({ suite, counts: file, webgl2: isWebGL2, ...options }: Options): Promise<void> {
  const executablePath = findChromium();
  const listed = listPageSuite(suite, isWebGL2);
  if (executablePath === null || listed === null) {
    const missing = listed === null ? `${suite} has no 00_test_list.txt` : 'Chromium is missing';
    process.stdout.write(`skipped: ${missing}\n`);
    return;
  }
  const counts =
    AssertionCounts.read(file) ??
    new AssertionCounts({
      suite: options.revision ?? revisionOf(suite),
      browser: `${versionOf(executablePath)}, SwiftShader`,
      webgl: isWebGL2 ? 2 : 1,
      command: `npm run conformance:chromium -- --suite DIR${isWebGL2 ? ' --webgl2' : ''}`,
    });
  const cases = listed.cases.filter(
    ({ name }) => options.pattern.test(name) && !hasEnded(counts.find(name)),
  );
  process.stdout.write(`${listed.title}: ${cases.length} of ${listed.cases.length} pages\n`);
  const server = await startFolderServer(listed.root);
  const pages = new BrowserPages(executablePath, server.url, pageQuery(isWebGL2));
  const progress = new Progress(cases.length, true);
  try {
    for (const testCase of cases) {
      const verdict = await pages.run(testCase, options.timeoutMs);
      progress.note(verdict);
      counts.add(verdict);
      counts.write(file);
    }
  } finally {
    progress.end();
    await pages.close();
    await server.close();
  }
}

/** Whether a page was measured and ended. */
function hasEnded(count: PageCount | null): boolean {
  return count !== null && count.outcome !== 'timeout' && count.outcome !== 'crash';
}

function revisionOf(folder: string): string {
  return execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
}

/** Returns name and version of the browser, such as `Chromium 156.0.8078.108`. */
function versionOf(executablePath: string): string {
  const text = execFileSync(executablePath, ['--version'], { encoding: 'utf8' });
  return /^\S+ \S+/.exec(text)![0];
}
