/** Requests about studies. */
import type { RawAnswer } from './exchange.ts';
import { sendDelete } from './frame-routes.ts';
import { type Asked, digestOf, type HistoryClient, seenOf } from './history-client.ts';
import type { Subject } from './subjects.ts';

/** Results of a study that are read, by operation. */
export const STUDY_PLACES = {
  getStudy: '',
  listStudyRows: '/rows',
  getStudySeries: '/series?figure=cycles',
  getStudyCsv: '/results.csv',
  getStudyParquet: '/results.parquet',
  getStudyPlot: '/plots/cycles',
} as const;
type StudyOperation = keyof typeof STUDY_PLACES;

const SWEEP = { chiplets: [1, 2], policies: ['static'], bins: [1, 4], coupling: 'none' };
const POINTS = 2;

/** Posts a study of a finished frame. */
export async function postStudy(client: HistoryClient): Promise<void> {
  const isSuitable = ({ isDone, posted }: Subject) => isDone && posted?.name === 'cube cycles';
  const frame = client.services.subjects.pick(client.random, 'frame', isSuitable);
  if (frame !== null) await sendStudy(client, frame);
}

/** Posts a study of a frame. */
export async function sendStudy(client: HistoryClient, frame: Subject): Promise<Asked | null> {
  const { random, services, tag } = client;
  const token = client.token();
  const job = `study of ${frame.job}`;
  const members = [frame.id];
  const request = {
    method: 'POST',
    path: '/v1/studies',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...SWEEP, title: token, frames: members }),
  };
  const call = { operation: 'postStudy', job, token, members, frameCount: POINTS };
  const asked = await client.ask(call, request, ({ body }) => {
    const seen = seenOf('study', JSON.parse(body.toString()));
    return { subject: seen.id, seen: [seen] };
  });
  const id = asked?.answer.subject;
  if (id !== undefined) {
    services.subjects.add(random, { kind: 'study', id, job, posted: null, token, tag });
  }
  return asked;
}

/** Reads rows of a study in one of their forms. */
export async function readStudyResult(
  client: HistoryClient,
  operation: StudyOperation,
): Promise<void> {
  const study = client.services.subjects.pick(client.random, 'study');
  if (study !== null) await readStudyPlace(client, study, operation);
}

/**
 * Reads one form of the rows. Its digest counts only if the study was done before, because earlier
 * answers have the rows so far.
 */
export async function readStudyPlace(
  client: HistoryClient,
  { id: subject, isDone }: Subject,
  operation: StudyOperation,
): Promise<Asked | null> {
  const path = `/v1/studies/${subject}${STUDY_PLACES[operation]}`;
  const read = (raw: RawAnswer) => ({
    ...(isDone ? { digest: digestOf(operation === 'getStudy' ? rowsOnly(raw) : raw) } : {}),
    ...(operation === 'getStudy'
      ? { seen: [seenOf('study', JSON.parse(raw.body.toString()))] }
      : {}),
  });
  const place = STUDY_PLACES[operation] || 'rows';
  return client.ask({ operation, subject, place }, { method: 'GET', path }, read);
}

/** Lists the newest studies. */
export async function listStudies(client: HistoryClient): Promise<void> {
  const request = { method: 'GET', path: '/v1/studies' };
  await client.ask({ operation: 'listStudies' }, request, ({ body }) => {
    const { studies } = JSON.parse(body.toString()) as { studies: unknown[] };
    return { seen: studies.map((study) => seenOf('study', study)) };
  });
}

/** Deletes a study. */
export async function deleteStudy(client: HistoryClient): Promise<void> {
  const { random, services } = client;
  const [oldest] = services.subjects.tooMany('study');
  const study = oldest ?? services.subjects.pick(random, 'study', ({ isKept }) => !isKept);
  if (study === null) return;
  await sendDelete(client, 'deleteStudy', `/v1/studies/${study.id}`, study);
}

/** Returns the rows of a status with rows, because the time that is left changes. */
function rowsOnly({ status, headers, body }: RawAnswer): RawAnswer {
  const { rows } = JSON.parse(body.toString()) as { rows: unknown };
  return { status, headers, body: Buffer.from(JSON.stringify({ rows })) };
}
