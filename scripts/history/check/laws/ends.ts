/** Laws of ends: what is accepted ends, and it fails only for a documented reason. */
import {
  countBetween,
  type HistoryIndex,
  isFinal,
  type Observation,
  type SubjectHistory,
  type Violation,
} from '../observations/history-index.ts';

/** Ends of the coordinator after which a frame fails with FRAME_KILLS_COORDINATOR. */
const COORDINATOR_ENDS = 5;
/** Chiplets that are lost before a frame fails with FRAME_KILLS_CHIPLETS. */
const CHIPLET_ENDS = 3;
/** Cells that end before a frame fails with CELL_LOST. */
const CELL_ENDS = 8;

/** Time in which a coordinator ends after it was asked to stop. Its sequences end with it. */
const SHUTDOWN_MS = 20_000;

/** Checks all subjects that a client posted. */
export function checkEnds(index: HistoryIndex): Violation[] {
  return [...index.subjects.values()].flatMap((subject) => [
    ...checkEnded(subject),
    ...checkFailure(index, subject),
  ]);
}

/** Everything that was accepted is over at the end of the run. */
function checkEnded({ id, kind, posts, observations, deletes }: SubjectHistory): Violation[] {
  const [post] = posts;
  if (post === undefined || deletes.some(({ answer }) => answer?.status === 204)) return [];
  if (observations.some(({ status }) => isFinal(status) || status === 'gone')) return [];
  const last = observations.toSorted((a, b) => b.toMs - a.toMs)[0];
  const message = `${kind} ${id} was accepted and is ${last?.status ?? 'unknown'} at the end`;
  return [{ law: 'what is accepted ends', message, numbers: [post.number] }];
}

/** A failure has the expected code of its job, or one that a disturbance explains. */
function checkFailure(index: HistoryIndex, subject: SubjectHistory): Violation[] {
  const { id, kind, job, possibleJobs, posts, observations } = subject;
  const expectedErrors = Object.entries(index.history.header.expectedErrors);
  const expected = possibleJobs.map(
    (one) => expectedErrors.find(([name]) => one.startsWith(name))?.[1],
  );
  const mustFail = expected.length > 0 && expected.every((error) => error !== undefined);
  const violations: Violation[] = [];
  for (const observation of observations) {
    const { status, code, call } = observation;
    const wrong = (law: string, what: string) =>
      violations.push({ law, message: `${kind} ${id} (${job}) ${what}`, numbers: [call.number] });
    if (status === 'done' && mustFail && kind === 'frame') {
      wrong('failures are documented', `is done, but must fail with ${expected.join(' or ')}`);
    }
    if (status !== 'failed' || code === undefined || expected.includes(code)) continue;
    if (isExplained(index, subject, observation, posts[0]?.invokedMs ?? 0)) continue;
    wrong('failures are documented', `failed with ${code}`);
  }
  return violations;
}

function isExplained(
  { coordinatorEnds, chipletEnds, subjects }: HistoryIndex,
  { kind, posts }: SubjectHistory,
  { code, toMs }: Observation,
  fromMs: number,
): boolean {
  if (code === 'FRAME_KILLS_COORDINATOR') {
    return countBetween(coordinatorEnds, fromMs, toMs) >= COORDINATOR_ENDS;
  }
  if (code === 'FRAME_KILLS_CHIPLETS') {
    return countBetween(chipletEnds, fromMs, toMs) >= CHIPLET_ENDS;
  }
  if (code === 'CELL_LOST') return countBetween(chipletEnds, fromMs, toMs) >= CELL_ENDS;
  if (kind === 'sequence' && code === 'SHUTTING_DOWN') {
    return countBetween(coordinatorEnds, toMs, toMs + SHUTDOWN_MS) > 0;
  }
  if (kind === 'sequence' && (code === 'NOT_FOUND' || code === 'FRAME_CANCELLED')) {
    const members = posts.flatMap(({ call }) => call.members ?? []);
    return members.some((id) => (subjects.get(id)?.deletes.length ?? 0) > 0);
  }
  return false;
}
