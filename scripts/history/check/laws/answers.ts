/** Laws of answers: every status is documented, and nothing is answered or logged as a bug. */
import type { HistoryIndex, Violation } from '../observations/history-index.ts';

/** Checks all answers and processes. */
export function checkAnswers({ history }: HistoryIndex): Violation[] {
  const { header, calls, processes } = history;
  const violations: Violation[] = [];
  for (const { call, answer, number, phase } of calls) {
    // The references of a cluster are answers of another service.
    if (answer === null || (header.isCluster && phase === 'reference')) continue;
    // The document has no HEAD.
    const documented = header.documented[call.operation] ?? [answer.status];
    const { status, code } = answer;
    // A gateway answers so on every route (docs/cluster.md).
    const isAway = header.isCluster && AWAY.has(code ?? '');
    if (!documented.includes(status) && !isAway) {
      const message = `${call.operation} was answered with ${status} ${code ?? ''}`.trim();
      violations.push({ law: 'statuses are documented', message, numbers: [number] });
    }
    const expected = Object.entries(header.expectedErrors).find(([job]) => job === call.job)?.[1];
    const isRefused = call.operation === 'postFrame' && status >= 400 && status < 500;
    if (code === 'INTERNAL' || (isRefused && !isExpected(code, expected))) {
      const message = `${call.operation} (${call.job ?? call.place ?? ''}) failed with ${code}`;
      violations.push({ law: 'no request fails without a reason', message, numbers: [number] });
    }
  }
  for (const { event, process, detail } of processes) {
    if (event !== 'bug') continue;
    const message = `${process}: ${detail}`;
    violations.push({ law: 'no process reports a bug', message, numbers: [] });
  }
  return violations;
}

/** Codes of a gateway whose database or blobs are away. */
const AWAY = new Set(['ENGINE_UNAVAILABLE', 'BLOBS_UNAVAILABLE']);

/** Codes with which a valid post may be refused. */
const REFUSALS = new Set([
  'QUEUE_FULL',
  'RESOURCES_MISSING',
  'IDEMPOTENCY_KEY_REUSED',
  'FRAME_CANCELLED',
  'RESULT_NOT_READY',
  'FRAME_KILLS_COORDINATOR',
  'FRAME_KILLS_CHIPLETS',
]);

function isExpected(code: string | undefined, expected: string | undefined): boolean {
  return code !== undefined && (code === expected || REFUSALS.has(code));
}
