/** Comparison of the assertions of a run with those that a browser makes on the same pages. */
import type { AssertionCounts, PageCount } from './assertion-counts.ts';
import type { Verdict } from './verdict.ts';

/**
 * Returns the verdict `skipped` for a pass on which assertions were left out: the page lacked a
 * feature that it asked for, and a browser makes more assertions. Returns other verdicts unchanged.
 */
export function judgeHollowPass(verdict: Verdict, counts: AssertionCounts | null): Verdict {
  const count = counts?.find(verdict.name) ?? null;
  const isHollow =
    verdict.outcome === 'pass' &&
    verdict.missing.length > 0 &&
    count !== null &&
    verdict.assertions < count.assertions;
  return isHollow ? { ...verdict, outcome: 'skipped' } : verdict;
}

/**
 * Pages of dEQP whose number of assertions says how far an image is from the ideal one. They run
 * their verifier, which makes the assertions, only for pixels that differ from it
 * (`computeTextureLookupDiff2D` and its siblings in glsTextureTestUtil.js of the suite).
 */
const COUNTS_DIFFERENCES = /^deqp\/.*\/(texturefiltering|textureshadow)\//;

/**
 * Formats the comparison: each page that makes fewer assertions than in the browser, and the share
 * of the browser's assertions that is made on pages where neither fails. A page counts at most with
 * the browser's number, because some pages make an assertion for each difference that they find.
 * Pages whose number says nothing else are summed on a line of their own.
 */
export function formatCountComparison(
  verdicts: readonly Verdict[],
  counts: AssertionCounts,
): string {
  const held = verdicts.flatMap((verdict) => {
    const count = counts.find(verdict.name);
    return count !== null && isHeld(verdict) && isHeld(count) ? [{ verdict, count }] : [];
  });
  const isInexact = ({ verdict }: (typeof held)[number]) => COUNTS_DIFFERENCES.test(verdict.name);
  const [compared, inexact] = [held.filter((page) => !isInexact(page)), held.filter(isInexact)];
  const fewer = compared.filter(({ verdict, count }) => verdict.assertions < count.assertions);
  const lines = fewer.map(({ verdict: { name, outcome, assertions, missing }, count }) => {
    const reason = missing.length === 0 ? 'nothing seems to be missing' : missing.join(', ');
    return `  ${name}: ${outcome}, ${assertions} of ${count.assertions} (${reason})`;
  });
  const sum = (sizes: number[]): number => sizes.reduce((total, size) => total + size, 0);
  const made = compared.map(({ verdict, count }) => Math.min(verdict.assertions, count.assertions));
  const all = compared.map(({ count }) => count.assertions);
  const shares = all.map((size, page) => (size === 0 ? 1 : made[page]! / size));
  return [
    `pages with fewer assertions than in ${counts.origin.browser}: ${fewer.length} of ${compared.length} without failures in both`,
    ...lines,
    `assertions made on these pages: ${sum(made)} of ${sum(all)}, ${percent(sum(made), sum(all))}; mean of the pages ${percent(sum(shares), shares.length)}`,
    ...(inexact.length === 0
      ? []
      : [
          `pages that assert once more for each inexact pixel: ${inexact.length}, with ${sum(inexact.map(({ verdict }) => verdict.assertions))} assertions, ${sum(inexact.map(({ count }) => count.assertions))} in the browser`,
        ]),
  ].join('\n');
}

/** Whether no assertion failed. */
function isHeld({ outcome }: Pick<PageCount, 'outcome'>): boolean {
  return outcome === 'pass' || outcome === 'skipped';
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 100 : ((100 * part) / whole).toFixed(2)} %`;
}
