/** Known failures, each with its reason in words, and what a run has beside them. */
import { readFileSync } from 'node:fs';
import type { Verdict } from './verdict.ts';

/** By the name of the case: why it does not pass. */
export type Baseline = Readonly<Record<string, string>>;

export interface BaselineComparison {
  /** Do not pass, and the baseline does not know. */
  readonly unexpected: readonly Verdict[];
  /** Pass, and the baseline says that they do not. */
  readonly fixed: readonly Verdict[];
  /** Do not pass, as the baseline says. */
  readonly known: readonly Verdict[];
}

/** @throws {Error} If a reason is missing. */
export function readBaseline(path: string): Baseline {
  const baseline = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  for (const [name, reason] of Object.entries(baseline)) {
    if (typeof reason !== 'string' || reason.trim().length < 10) {
      throw new Error(`${path}: ${name} has no reason`);
    }
  }
  return baseline as Baseline;
}

export function compareWithBaseline(
  verdicts: readonly Verdict[],
  baseline: Baseline,
): BaselineComparison {
  const isKnown = ({ name }: Verdict): boolean => Object.hasOwn(baseline, name);
  const isPass = ({ outcome }: Verdict): boolean => outcome === 'pass';
  return {
    unexpected: verdicts.filter((verdict) => !isPass(verdict) && !isKnown(verdict)),
    fixed: verdicts.filter((verdict) => isPass(verdict) && isKnown(verdict)),
    known: verdicts.filter((verdict) => !isPass(verdict) && isKnown(verdict)),
  };
}
