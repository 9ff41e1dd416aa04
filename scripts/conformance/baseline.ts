/** Baseline of known failures, each with its reason, and comparison of a run with it. */
import { readFileSync } from 'node:fs';
import type { Verdict } from './verdict.ts';

/** Reason why a case does not pass, by the name of the case. */
export type Baseline = Readonly<Record<string, string>>;

/** Verdicts of a run, grouped by their relation to the baseline. */
export interface BaselineComparison {
  /** Cases that fail, for any reason, and are not in the baseline. Skipped cases do not fail. */
  readonly unexpected: readonly Verdict[];
  /** Cases that pass although the baseline lists them. */
  readonly fixed: readonly Verdict[];
  /** Cases that do not pass, as the baseline says. */
  readonly known: readonly Verdict[];
}

/**
 * Reads a baseline file.
 *
 * @throws {Error} If a reason is missing.
 */
export function readBaseline(path: string): Baseline {
  const baseline = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  for (const [name, reason] of Object.entries(baseline)) {
    if (typeof reason !== 'string' || reason.trim().length < 10) {
      throw new Error(`${path}: ${name} needs a reason of at least 10 characters`);
    }
  }
  return baseline as Baseline;
}

/** Groups verdicts by their relation to the baseline. */
export function compareWithBaseline(
  verdicts: readonly Verdict[],
  baseline: Baseline,
): BaselineComparison {
  const isKnown = ({ name }: Verdict): boolean => Object.hasOwn(baseline, name);
  const isPass = ({ outcome }: Verdict): boolean => outcome === 'pass';
  const isSkipped = ({ outcome }: Verdict): boolean => outcome === 'skipped';
  return {
    unexpected: verdicts.filter(
      (verdict) => !isPass(verdict) && !isSkipped(verdict) && !isKnown(verdict),
    ),
    fixed: verdicts.filter((verdict) => isPass(verdict) && isKnown(verdict)),
    known: verdicts.filter((verdict) => !isPass(verdict) && isKnown(verdict)),
  };
}
