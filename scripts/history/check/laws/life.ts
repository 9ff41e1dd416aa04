/**
 * Laws of one frame, sequence or study: its status moves forward, ends once, and stays; what is
 * deleted stays deleted, and nothing disappears without a request.
 */
import {
  type HistoryIndex,
  isFinal,
  type Observation,
  precedes,
  type SubjectHistory,
  type Violation,
} from '../observations/history-index.ts';

/** Time after which a delete request is answered although the frame is still running. */
const CANCEL_WITHIN_MS = 5000;
/** Finished sequences that the service keeps. */
const KEPT_SEQUENCES = 100;

/** Checks all subjects. */
export function checkLife(index: HistoryIndex): Violation[] {
  return [...index.subjects.values()].flatMap((subject) => [
    ...checkOneEnd(subject),
    ...checkForward(index, subject),
    ...checkGone(index, subject),
    ...(index.history.header.isCluster ? checkCancelled(subject) : checkDeleted(subject)),
  ]);
}

/** A subject has one final status in all answers. */
function checkOneEnd({ id, kind, observations }: SubjectHistory): Violation[] {
  const firstByStatus = new Map<string, Observation>();
  for (const observation of observations) {
    if (!isFinal(observation.status) || firstByStatus.has(observation.status)) continue;
    firstByStatus.set(observation.status, observation);
  }
  if (firstByStatus.size <= 1) return [];
  const statuses = [...firstByStatus.keys()].join(' and ');
  const numbers = [...firstByStatus.values()].map(({ call }) => call.number);
  return [{ law: 'one end', message: `${kind} ${id} was ${statuses}`, numbers }];
}

/** No status moves back, but for a running one of a coordinator that ended. */
function checkForward(index: HistoryIndex, subject: SubjectHistory): Violation[] {
  const { id, kind } = subject;
  const violations: Violation[] = [];
  const known = subject.observations.toSorted((a, b) => a.toMs - b.toMs);
  const ordered = subject.observations.toSorted((a, b) => a.fromMs - b.fromMs);
  let next = 0;
  let gone: Observation | null = null;
  let final: Observation | null = null;
  let running: Observation | null = null;
  for (const now of ordered) {
    // All observations that were complete before this one began.
    for (let before = known[next]; before && before.toMs < now.fromMs; before = known[++next]) {
      if (before.status === 'gone') gone ??= before;
      else if (isFinal(before.status)) final ??= before;
      else if (before.status === 'running' && !before.isPast) running = before;
    }
    const report = (law: string, than: Observation) =>
      violations.push({
        law,
        message: `${kind} ${id} was ${now.status} after it was ${than.status}`,
        numbers: [than.call.number, now.call.number],
      });
    if (now.isPast || now.status === 'gone') continue;
    const isUnfinished = !isFinal(now.status);
    if (gone !== null) report('deleted stays deleted', gone);
    else if (final !== null && isUnfinished) report('status moves forward', final);
    else if (running !== null && now.status === 'queued') {
      // A new process queues the frames of an earlier one again.
      if (!index.hasCoordinatorEnd(running.fromMs, now.toMs)) {
        report('status moves forward', running);
      }
    }
  }
  return violations;
}

/** Nothing disappears without a request to delete it. */
function checkGone(index: HistoryIndex, subject: SubjectHistory): Violation[] {
  const { id, kind, observations, deletes, posts } = subject;
  const gone = observations
    .filter(({ status }) => status === 'gone')
    .toSorted((a, b) => a.toMs - b.toMs)[0];
  const [post] = posts;
  if (gone === undefined || post === undefined) return [];
  if (deletes.some((each) => each !== gone.call && each.invokedMs < gone.toMs)) return [];
  if (kind === 'sequence') {
    // Sequences are in memory, and only the newest are kept.
    if (index.hasCoordinatorEnd(post.invokedMs, gone.toMs)) return [];
    const posted = index.callsOf('postSequence').filter((each) => each.invokedMs < gone.toMs);
    if (posted.length > KEPT_SEQUENCES) return [];
  }
  const message = `${kind} ${id} is gone without a request to delete it`;
  return [{ law: 'nothing disappears', message, numbers: [post.number, gone.call.number] }];
}

/** A cluster cancels what is unfinished, and keeps results. */
function checkCancelled({ id, kind, observations, deletes }: SubjectHistory): Violation[] {
  const first = deletes
    .filter(({ answer }) => answer?.status === 204)
    .toSorted((a, b) => a.completedMs - b.completedMs)[0];
  if (first === undefined) return [];
  return observations
    .filter(
      ({ isPast, fromMs, status }) => !isPast && fromMs > first.completedMs && !isFinal(status),
    )
    .map(({ status, call }) => ({
      law: 'deleted stays deleted',
      message: `${kind} ${id} was ${status} after it was cancelled`,
      numbers: [first.number, call.number],
    }));
}

/** A frame that was deleted is cancelled or gone; a second request removes it. */
function checkDeleted({ id, kind, observations, deletes }: SubjectHistory): Violation[] {
  const violations: Violation[] = [];
  const answered = deletes.filter(
    ({ answer, invokedMs, completedMs }) =>
      answer?.status === 204 && completedMs - invokedMs < CANCEL_WITHIN_MS,
  );
  const first = answered.toSorted((a, b) => a.completedMs - b.completedMs)[0];
  if (first === undefined) return [];
  const second = answered
    .filter((each) => precedes(first, each))
    .toSorted((a, b) => a.completedMs - b.completedMs)[0];
  // Sequences and studies in progress take a while to stop.
  const allowed = kind === 'frame' ? ['cancelled', 'gone'] : ['running', 'cancelled', 'gone'];
  for (const { status, fromMs, isPast, call } of observations) {
    if (isPast || status === 'unfinished') continue;
    const isRemoved = second !== undefined && second.completedMs < fromMs && kind === 'frame';
    const isWrong = isRemoved ? status !== 'gone' : !allowed.includes(status);
    if (first.completedMs >= fromMs || !isWrong) continue;
    const times = isRemoved ? 'twice' : 'once';
    violations.push({
      law: 'deleted stays deleted',
      message: `${kind} ${id} was ${status} after it was deleted ${times}`,
      numbers: [first.number, call.number],
    });
  }
  return violations;
}
