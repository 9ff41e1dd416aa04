/**
 * Law of results: a result is a function of its job and its place. The undisturbed references come
 * first, so every later answer is compared with them.
 */
import type { CallEntry } from '../../record/entries.ts';
import type { HistoryIndex, Violation } from '../observations/history-index.ts';

/**
 * Places whose bytes contain ids, so they are compared with earlier answers of the same subject.
 */
const OF_SUBJECT = new Set(['/results.parquet']);

/** Checks all results. */
export function checkResults(index: HistoryIndex): Violation[] {
  const firstByPlace = new Map<string, CallEntry>();
  const violations: Violation[] = [];
  for (const entry of index.history.calls) {
    const { call, answer } = entry;
    if (answer?.digest === undefined || call.subject === undefined) continue;
    const { place = '' } = call;
    // A gateway sends measurements as they are stored, a service with two fields more.
    const isOfOther = index.history.header.isCluster && entry.phase === 'reference';
    if (isOfOther && call.operation === 'getFrameMeasurement') continue;
    const job = index.subjects.get(call.subject)?.job ?? null;
    const owner = job === null || OF_SUBJECT.has(place) ? call.subject : job;
    const key = `${owner} ${call.operation} ${place}`;
    const first = firstByPlace.get(key);
    if (first === undefined) firstByPlace.set(key, entry);
    else if (first.answer!.digest !== answer.digest) {
      violations.push({
        law: 'results never change',
        message: `${call.operation} ${place} of ${call.subject} (${job}) differs from an earlier answer`,
        numbers: [first.number, entry.number],
      });
    }
  }
  return violations;
}
