/** Prints the results of a comparison with Chromium. */
import { type CallList, formatCall } from './calls/call-list.ts';
import type { ChromiumSide } from './chromium-side.ts';
import { type Comparison, type DifferenceClass, titleOf } from './compare-outcomes.ts';
import { EXPLAINED_DIFFERENCES } from './explained-differences.ts';
import { formatList } from './own-exceptions.ts';
import { shrinkCalls } from './shrink-calls.ts';
import type { SkippedExtensions } from './skipped-extensions.ts';
import { runInTessera } from './tessera-side.ts';

/** Number of classes of differences that are listed, and of those with a reduced list. */
const LISTED_CLASSES = 40;
const REDUCED_CLASSES = 12;
const LISTED_VALUES = 20;

/** Prints shares, explained differences and the most frequent other differences. */
export async function printComparison(
  comparison: Comparison,
  chromium: ChromiumSide,
  skipped: SkippedExtensions,
): Promise<void> {
  const { callCount, equalCount, failedCount, equalFailedCount } = comparison;
  const { valueCount, equalValueCount } = comparison;
  print(
    `compared with Chromium: ${callCount} calls; the error code or exception is equal for ` +
      `${percent(equalCount, callCount)} of all calls, and for ${percent(equalFailedCount, failedCount)} ` +
      `of the ${failedCount} calls that fail in at least one of the two`,
  );
  print(`results without an error: ${percent(equalValueCount, valueCount)} of ${valueCount} equal`);
  for (const version of [1, 2] as const) {
    print(
      `extensions of one side only, not enabled, WebGL ${version}: ${skipped[version].join(', ')}`,
    );
  }
  print('explained differences:');
  for (const { name, reason } of EXPLAINED_DIFFERENCES) {
    print(`  ${comparison.explained.get(name) ?? 0} × ${name}: ${reason}`);
  }
  const classes = [...comparison.classes.values()].sort((a, b) => b.count - a.count);
  print('other differences, Tessera / Chromium; in parentheses: as first difference of a list');
  for (const { title, count, firstCount, example } of classes.slice(0, LISTED_CLASSES)) {
    const call = formatCall(example.list.calls[example.callIndex]!);
    print(`  ${count} (${firstCount}) × ${title}\n      WebGL ${example.list.version}: ${call}`);
  }
  const firsts = [...classes].sort((a, b) => b.firstCount - a.firstCount);
  for (const difference of firsts.slice(0, REDUCED_CLASSES)) {
    const reduced = await reduceExample(difference, chromium, skipped);
    print(`reduced list, ${difference.title}\n${formatList(reduced)}`);
  }
  print('results that differ, Tessera / Chromium:');
  const values = [...comparison.values].sort(([, a], [, b]) => b.count - a.count);
  for (const [name, { count, example }] of values.slice(0, LISTED_VALUES)) {
    print(`  ${count} × ${name}\n      ${example}`);
  }
}

/** Returns the example without calls that the difference does not need. */
function reduceExample(
  { title, example }: DifferenceClass,
  chromium: ChromiumSide,
  skipped: SkippedExtensions,
): Promise<CallList> {
  const { list, callIndex } = example;
  const ofVersion = skipped[list.version];
  const start = { ...list, calls: list.calls.slice(0, callIndex + 1) };
  return shrinkCalls(start, async (shorter) => {
    const ours = runInTessera(shorter, { skippedExtensions: ofVersion }).outcomes.at(-1)!;
    const theirs = (await chromium.run(shorter, ofVersion))?.at(-1);
    return theirs !== undefined && titleOf(shorter.calls.at(-1)!, ours, theirs) === title;
  });
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
