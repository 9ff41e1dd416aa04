/**
 * `npm run fuzz -- chromium --calls 200000 --seed 1`: executes generated WebGL calls in Tessera and
 * in Chromium and compares their error codes and results. A finding is an exception of Tessera that
 * WebGL does not prescribe, or an internal failure. Its reduced list of calls is printed and saved
 * under out/fuzz. `--replay FILE` executes a saved list in Tessera.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from '../../webgl/chromium-images.ts';
import { type CallList, formatCall } from './calls/call-list.ts';
import { type ChromiumSide, startChromiumSide } from './chromium-side.ts';
import { Comparison, describeStatus } from './compare-outcomes.ts';
import { generateCalls } from './generate-calls.ts';
import { findOwnExceptions, formatList, hasCause, untilException } from './own-exceptions.ts';
import { printComparison } from './print-comparison.ts';
import { shrinkCalls } from './shrink-calls.ts';
import { listSkippedExtensions } from './skipped-extensions.ts';
import { runInTessera } from './tessera-side.ts';

/** Wall time after which a list counts as slow. */
const SLOW_MS = 20_000;

/** Options of the command. */
export interface ComparisonOptions {
  readonly callCount: number;
  readonly seed: number;
  /** Folder of saved findings. */
  readonly outFolder: string;
}

/**
 * Executes lists until the number of calls is reached. Returns the number of findings.
 *
 * @throws {Error} If Chromium is not installed.
 */
export async function compareWithChromium(options: ComparisonOptions): Promise<number> {
  const { callCount, seed } = options;
  const chromium = await startChromium();
  const skipped = await listSkippedExtensions(chromium);
  const comparison = new Comparison();
  const causes = new Map<string, number>();
  const startMs = performance.now();
  let [executed, successes, listCount] = [0, 0, 0];
  for (; executed < callCount; listCount++) {
    const list = generateCalls(seed, listCount);
    const ofVersion = skipped[list.version];
    const listMs = performance.now();
    const run = runInTessera(list, { skippedExtensions: ofVersion });
    const tookMs = performance.now() - listMs;
    if (tookMs > SLOW_MS) countCause(`list ${listCount} takes seconds`);
    const made = run.outcomes.filter(({ status }) => status !== null);
    executed += made.length;
    successes += made.filter(({ status }) => status === 0).length;
    for (const exception of findOwnExceptions(list, run)) {
      if (countCause(exception.cause) > 1) continue;
      process.stdout.write(`FINDING in list ${listCount} of seed ${seed}: ${exception.message}\n`);
      const reduced = await shrinkCalls(untilException(list, exception), (shorter) =>
        hasCause(shorter, exception.cause, ofVersion),
      );
      save(options, listCount, reduced);
    }
    const theirs = await chromium.run(list, ofVersion);
    if (theirs !== null) comparison.add(list, run.outcomes, theirs);
    else process.stdout.write(`list ${listCount} of seed ${seed} crashes Chromium\n`);
  }
  function countCause(cause: string): number {
    const count = (causes.get(cause) ?? 0) + 1;
    causes.set(cause, count);
    return count;
  }
  const seconds = Math.round((performance.now() - startMs) / 1000);
  const share = Math.round((100 * successes) / executed);
  process.stdout.write(
    `webgl: ${executed} calls of seed ${seed} in ${listCount} contexts and ${seconds} s; ` +
      `${share} % without an error\n${causes.size} causes of exceptions that WebGL does not prescribe\n`,
  );
  for (const [cause, count] of causes) process.stdout.write(`  ${count} × ${cause}\n`);
  await printComparison(comparison, chromium, skipped);
  await chromium.close();
  return causes.size;
}

/** Executes a saved list and prints the outcome of each call. */
export function replayCalls(path: string): void {
  const list = JSON.parse(readFileSync(path, 'utf8')) as CallList;
  const run = runInTessera(list);
  run.outcomes.forEach(({ status, value, message }, index) => {
    const details = message ?? (value === undefined ? '' : JSON.stringify(value));
    process.stdout.write(
      `${formatCall(list.calls[index]!)}\n    ${describeStatus(status)} ${details}\n`,
    );
  });
  for (const { message } of findOwnExceptions(list, run)) {
    process.stdout.write(`FINDING ${message}\n`);
  }
}

function save({ seed, outFolder }: ComparisonOptions, index: number, list: CallList): void {
  mkdirSync(outFolder, { recursive: true });
  const path = join(outFolder, `webgl-${seed}-${index}-${list.calls.length}.json`);
  writeFileSync(path, JSON.stringify(list));
  process.stdout.write(`  reduced list, saved as ${path}:\n${formatList(list)}\n`);
}

async function startChromium(): Promise<ChromiumSide> {
  const path = findChromium();
  if (path === null) throw new Error('chromium is not installed');
  return startChromiumSide(path);
}
