/** A short run of `npm run history`, and the same history with faults put in. */
import { beforeAll, describe, expect, it } from 'vitest';
import { checkHistory } from '../../scripts/history/check/check-history.ts';
import type { Answer, CallEntry } from '../../scripts/history/record/entries.ts';
import type { HistoryTotals } from '../../scripts/history/run/run-clients.ts';
import { runHistory } from '../../scripts/history/run/run-history.ts';

describe('the history of clients of a disturbed service', () => {
  const seed = Number(process.env.TESSERA_CHAOS_SEED ?? Math.floor(Math.random() * 1e9));
  const lines: string[] = [];
  let totals: HistoryTotals;

  beforeAll(async () => {
    totals = await runHistory({
      seed,
      requestCount: 400,
      disturbanceCount: 5,
      seconds: null,
      requestsPerSecond: Number.POSITIVE_INFINITY,
      workerCount: 2,
      clientCount: 8,
      everyMs: 1500,
      longestMs: 1500,
      maxJobs: 4,
      recordPath: null,
      onLine: (line) => lines.push(line),
    });
  }, 240_000);

  it('obeys the laws of the API', () => {
    const told = `TESSERA_CHAOS_SEED=${seed}\n${lines.join('\n')}`;
    expect(totals.violations, told).toEqual([]);
    const operations = new Set(totals.history.calls.map(({ call }) => call.operation));
    expect(operations.size, told).toBeGreaterThan(30);
    expect([...totals.disturbances.values()].reduce((sum, count) => sum + count, 0)).toBe(5);
  });

  /** Returns the laws that the history violates after a change of one answer. */
  function lawsWith(
    isChanged: (entry: CallEntry) => boolean,
    change: (answer: Answer) => Answer,
  ): string[] {
    const { history } = totals;
    const at = history.calls.findLastIndex((entry) => entry.answer !== null && isChanged(entry));
    const entry = history.calls[at]!;
    const calls = history.calls.with(at, { ...entry, answer: change(entry.answer!) });
    return checkHistory({ ...history, calls }).map(({ law }) => law);
  }

  it('does not obey them with an image that differs', () => {
    // The frames of studies have no reference.
    const { calls } = totals.history;
    const posts = calls.filter(({ call }) => call.operation === 'postFrame');
    const posted = new Set(posts.map(({ answer }) => answer?.subject));
    const isImage = ({ call, answer }: CallEntry) =>
      call.place === 'image' && answer!.digest !== undefined && posted.has(call.subject);
    const laws = lawsWith(isImage, (answer) => ({ ...answer, digest: 'other' }));
    expect(laws).toContain('results never change');
  });

  it('does not obey them with a list that lacks a frame, or has an unknown one', () => {
    const isList = ({ call, answer }: CallEntry) =>
      call.isWholeList === true && answer!.seen!.length > 0;
    const shorter = lawsWith(isList, (answer) => ({ ...answer, seen: [] }));
    expect(shorter).toContain('lists are complete');
    const unknown = { kind: 'frame', id: 'unknown', status: 'done', token: 'token-x-1' } as const;
    const longer = lawsWith(isList, (answer) => ({ ...answer, seen: [...answer.seen!, unknown] }));
    expect(longer).toContain('nothing appears');
  });

  it('does not obey them with a status that moves back, or that is not documented', () => {
    // A status that follows a result of the same frame.
    const isStatus = ({ call, answer, invokedMs }: CallEntry) =>
      call.operation === 'getFrame' &&
      answer!.seen?.[0]?.status === 'done' &&
      totals.history.calls.some(
        (earlier) =>
          earlier.call.subject === call.subject &&
          earlier.answer?.digest !== undefined &&
          earlier.completedMs < invokedMs,
      );
    const back = (answer: Answer): Answer => ({
      ...answer,
      seen: [{ ...answer.seen![0]!, status: 'running' }],
    });
    expect(lawsWith(isStatus, back)).toContain('status moves forward');
    const strange = lawsWith(isStatus, (answer) => ({ ...answer, status: 418 }));
    expect(strange).toContain('statuses are documented');
  });
});
