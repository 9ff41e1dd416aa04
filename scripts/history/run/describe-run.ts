/** Text of a run: requests by route and status, disturbances, memory, violations. */
import {
  HistoryIndex,
  isFinal,
  type SubjectHistory,
  type Violation,
} from '../check/observations/history-index.ts';
import type { CallEntry, History } from '../record/entries.ts';
import type { MemoryReport } from '../report/memory-samples.ts';
import type { HistoryTotals } from './run-clients.ts';

/** Violations that are printed. */
const MAX_PRINTED = 40;
const COLUMN = 24;

/** Describes a run. */
export function describeRun(totals: HistoryTotals): string {
  const { history, disturbances, memory, seconds, violations } = totals;
  const disturbed = [...disturbances.values()].reduce((sum, count) => sum + count, 0);
  const ended = history.calls.length - history.calls.filter(hasNoAnswer).length;
  const perSecond = (history.calls.length / seconds).toFixed(0);
  return [
    describeCalls(history),
    '',
    ...describeJobs(history),
    `requests       ${history.calls.length} in ${seconds.toFixed(0)} s, ${perSecond} per second`,
    `no answer      ${history.calls.length - ended}`,
    `disturbances   ${disturbed}`,
    ...[...disturbances].map(([kind, count]) => `  ${kind.padEnd(28)} ${count}`),
    `/livez         ${totals.worstLiveMs.toFixed(0)} ms at most, ${totals.worstUndisturbedLiveMs.toFixed(0)} ms while undisturbed`,
    ...describeMemory(memory),
    describeViolations(violations),
  ].join('\n');
}

/** Describes the violations of a history. */
export function describeViolations(violations: readonly Violation[]): string {
  const shown = violations.slice(0, MAX_PRINTED);
  return [
    `violations     ${violations.length}`,
    ...shown.map(({ law, message, numbers }) => `  ${law}: ${message} [${numbers.join(', ')}]`),
  ].join('\n');
}

/** Table of the requests by operation and status. */
export function describeCalls({ calls }: History): string {
  const countsByOperation = new Map<string, Map<string, number>>();
  for (const { call, answer } of calls) {
    const counts = countsByOperation.get(call.operation) ?? new Map<string, number>();
    const status = answer === null ? 'none' : String(answer.status);
    counts.set(status, (counts.get(status) ?? 0) + 1);
    countsByOperation.set(call.operation, counts);
  }
  return [...countsByOperation]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([operation, counts]) => {
      const texts = [...counts].toSorted().map(([status, count]) => `${status}: ${count}`);
      return `${operation.padEnd(COLUMN)} ${texts.join('  ')}`;
    })
    .join('\n');
}

/** Lines with the ends of the accepted frames, sequences and studies that clients posted. */
export function describeJobs(history: History): string[] {
  const subjects = [...new HistoryIndex(history).subjects.values()];
  return (['frame', 'sequence', 'study'] as const).map((kind) => {
    const jobs = subjects.filter((one) => one.kind === kind && one.posts.length > 0);
    const countByEnd = new Map<string, number>();
    for (const job of jobs) {
      const end = endOf(job);
      countByEnd.set(end, (countByEnd.get(end) ?? 0) + 1);
    }
    const ends = [...countByEnd].toSorted().map(([end, count]) => `${end}: ${count}`);
    return `accepted       ${`${kind} ${jobs.length}`.padEnd(COLUMN)} ${ends.join('  ')}`;
  });
}

/** Returns the final status that was seen, `deleted`, `gone` after a restart, or `open`. */
function endOf({ observations, deletes }: SubjectHistory): string {
  const end = observations.findLast(({ status }) => isFinal(status));
  if (end !== undefined) return end.status;
  if (deletes.length > 0) return 'deleted';
  return observations.some(({ status }) => status === 'gone') ? 'gone' : 'open';
}

function hasNoAnswer({ answer }: CallEntry): boolean {
  return answer === null;
}

function describeMemory(memory: readonly MemoryReport[]): string[] {
  const rounded = (value: number | null) => (value === null ? '–' : value.toFixed(0)).padStart(6);
  return memory.map(({ process, quartersMib, slopeMibPerMinute }) => {
    const slope = slopeMibPerMinute === null ? '–' : slopeMibPerMinute.toFixed(2);
    return `memory, MiB    ${process.padEnd(COLUMN)} ${quartersMib.map(rounded).join(' ')}   ${slope} per minute`;
  });
}
