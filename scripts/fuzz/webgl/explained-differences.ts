/**
 * Differences between Tessera and Chromium that are known and not faults of Tessera. Each has its
 * reason. They do not count as equal.
 */
import type { Call } from './calls/call-list.ts';
import type { Outcome } from './execute-calls.ts';

type Status = Outcome['status'];

/** Known difference. */
interface ExplainedDifference {
  readonly name: string;
  readonly reason: string;
  readonly matches: (call: Call, ours: Status, theirs: Status, version: 1 | 2) => boolean;
}

/** All known differences, in the order of the report. */
export const EXPLAINED_DIFFERENCES: readonly ExplainedDifference[] = [];

/** Returns the name of the explanation of a difference, or null. */
export function explainDifference(
  call: Call,
  ours: Status,
  theirs: Status,
  version: 1 | 2,
): string | null {
  const found = EXPLAINED_DIFFERENCES.find(({ matches }) => matches(call, ours, theirs, version));
  return found?.name ?? null;
}
