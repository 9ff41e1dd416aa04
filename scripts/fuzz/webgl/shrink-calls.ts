/** Reduces a list of calls to few calls that still show a finding. */
import type { CallList } from './calls/call-list.ts';

/**
 * Returns a list from which no single call can be removed without losing the finding.
 *
 * @param list List whose last call shows the finding.
 * @param shows Whether a shorter list still shows it. References to calls that were removed are
 *   `null`.
 */
export async function shrinkCalls(
  list: CallList,
  shows: (list: CallList) => boolean | Promise<boolean>,
): Promise<CallList> {
  let { calls } = list;
  let size = calls.length >> 1;
  while (size > 0) {
    const before = calls.length;
    // The last call stays, because it is the one that shows the finding.
    for (let start = 0; start < calls.length - 1; ) {
      const end = Math.min(start + size, calls.length - 1);
      const shorter = [...calls.slice(0, start), ...calls.slice(end)];
      if (await shows({ ...list, calls: shorter })) calls = shorter;
      else start = end;
    }
    if (size > 1) size >>= 1;
    else if (calls.length === before) break;
  }
  return { ...list, calls };
}
