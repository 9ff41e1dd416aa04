/** Requests about sequences. */
import type { Answer } from '../record/entries.ts';
import type { RawAnswer, Request } from './exchange.ts';
import { sendDelete } from './frame-routes.ts';
import { type Asked, digestOf, type HistoryClient, nextLabel, seenOf } from './history-client.ts';
import type { Job } from './jobs.ts';
import type { Subject } from './subjects.ts';

const RENDERED_FRAMES = 2;
/** Bytes of the header of a file in an archive, before its name. */
const ZIP_HEADER_BYTES = 30;

/** Posts a sequence of posted frames, or of a model over time. */
export async function postSequence(client: HistoryClient): Promise<void> {
  const { random, services } = client;
  if (random.next() < 0.5) {
    const job = services.jobs.find(({ name }) => name === 'glb cycles')!;
    await sendModelSequence(client, job);
    return;
  }
  const isSuitable = ({ isDone, posted }: Subject) => isDone && posted?.name === 'glb cycles';
  const frame = services.subjects.pick(random, 'frame', isSuitable);
  if (frame !== null) await sendFrameSequence(client, [frame, frame]);
}

/** Posts the frames of a model over time. */
export async function sendModelSequence(client: HistoryClient, job: Job): Promise<Asked | null> {
  const token = client.token();
  const path = `/v1/sequences?${job.query}&frames=${RENDERED_FRAMES}&from=0&to=1&name=${token}`;
  const headers = { 'Content-Type': job.body.mediaType };
  const call = { job: `${job.name} over time`, token, frameCount: RENDERED_FRAMES };
  return send(client, call, { method: 'POST', path, headers, body: job.body.bytes });
}

/** Posts a sequence of frames with the same job. */
export async function sendFrameSequence(
  client: HistoryClient,
  frames: readonly Subject[],
): Promise<Asked | null> {
  const token = client.token();
  const members = frames.map(({ id }) => id);
  const path = `/v1/sequences?chiplets=2&name=${token}`;
  const headers = { 'Content-Type': 'application/json' };
  const call = { job: `${frames.length} × ${frames[0]!.job}`, token, members };
  return send(client, call, {
    method: 'POST',
    path,
    headers,
    body: JSON.stringify({ frames: members }),
  });
}

async function send(
  client: HistoryClient,
  call: { readonly job: string; readonly token: string },
  request: Request,
): Promise<Asked | null> {
  const { random, services } = client;
  const asked = await client.ask({ operation: 'postSequence', ...call }, request, readSequence);
  const id = asked?.answer.subject;
  if (id !== undefined) {
    const { tag } = client;
    services.subjects.add(random, { kind: 'sequence', id, posted: null, tag, ...call });
  }
  return asked;
}

/** Reads the report, timeline or images of a sequence. */
export async function readSequenceResult(
  client: HistoryClient,
  operation: string,
  place: string,
): Promise<void> {
  const sequence = client.services.subjects.pick(client.random, 'sequence');
  if (sequence !== null) await readSequencePlace(client, sequence, operation, place);
}

/** Reads one result of a sequence. */
export async function readSequencePlace(
  client: HistoryClient,
  { id: subject }: Subject,
  operation: string,
  place: string,
): Promise<Asked | null> {
  const path = `/v1/sequences/${subject}/${place}`;
  const seen = [{ kind: 'sequence', id: subject, status: 'done' } as const];
  return client.ask({ operation, subject, place }, { method: 'GET', path }, (raw) => ({
    digest: digestOf(place === 'images' ? imagesOnly(raw) : raw),
    seen,
  }));
}

/** Lists the newest sequences. */
export async function listSequences(client: HistoryClient): Promise<void> {
  const request = { method: 'GET', path: '/v1/sequences?limit=20' };
  await client.ask({ operation: 'listSequences' }, request, ({ body }) => {
    const { sequences } = JSON.parse(body.toString()) as { sequences: unknown[] };
    return { seen: sequences.map((sequence) => seenOf('sequence', sequence)) };
  });
}

/** Changes the label of a sequence. */
export async function labelSequence(client: HistoryClient): Promise<void> {
  const { random, services } = client;
  const sequence = services.subjects.pick(random, 'sequence');
  if (sequence === null) return;
  const value = nextLabel(services);
  const request = {
    method: 'PATCH',
    path: `/v1/sequences/${sequence.id}`,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ tags: [value] }),
  };
  const call = { operation: 'labelSequence', subject: sequence.id, value };
  await client.ask(call, request, readSequence);
}

/** Deletes a sequence. */
export async function deleteSequence(client: HistoryClient): Promise<void> {
  const { random, services } = client;
  const [oldest] = services.subjects.tooMany('sequence');
  const sequence = oldest ?? services.subjects.pick(random, 'sequence');
  if (sequence === null) return;
  await sendDelete(client, 'deleteSequence', `/v1/sequences/${sequence.id}`, sequence);
}

/** Returns the images of an archive, because the report after them has wall times. */
function imagesOnly({ status, headers, body }: RawAnswer): RawAnswer {
  const reportStart = body.indexOf('report.json') - ZIP_HEADER_BYTES;
  return { status, headers, body: body.subarray(0, reportStart) };
}

function readSequence({ body }: RawAnswer): Partial<Answer> {
  const seen = seenOf('sequence', JSON.parse(body.toString()));
  return { subject: seen.id, seen: [seen] };
}
