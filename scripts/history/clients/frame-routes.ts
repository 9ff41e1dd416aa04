/** Requests that post, list, read and delete frames. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Seen } from '../record/entries.ts';
import { sha256Of } from './bodies.ts';
import type { RawAnswer, Request } from './exchange.ts';
import { type Asked, type HistoryClient, nextLabel, seenOf } from './history-client.ts';
import { type Job, VARIANTS } from './jobs.ts';
import type { Subject } from './subjects.ts';

const KEYED_SHARE = 0.6;
const WAITING_SHARE = 0.25;
const REPEATED_SHARE = 0.1;
const REUSED_SHARE = 0.03;
const CUT_SHARE = 0.02;
const PAGE = 20;
const NO_ANSWER_PAUSE_MS = 200;

/** Post of a frame that can be sent again. */
interface Post {
  readonly job: Job;
  readonly token: string;
  readonly key: string | null;
  readonly tag: string;
}

/** Posts a frame; with a key perhaps several times, or another frame under the same key. */
export async function postFrame(client: HistoryClient): Promise<void> {
  const { random, services } = client;
  const job = random.pick(services.jobs);
  const token = client.token();
  const key = random.next() < KEYED_SHARE ? `key ${token}` : null;
  const post = { job, token, key, tag: client.tag };
  const cutAfterBytes = random.next() < CUT_SHARE ? { cutAfterBytes: 100 } : {};
  const first = await sendPost(client, post, cutAfterBytes);
  if (key === null) return;
  // A client that got no answer sends its request again.
  if (first === null || random.next() < REPEATED_SHARE) await sendPost(client, post);
  if (random.next() < REUSED_SHARE) {
    await sendPost(client, { ...post, job: random.pick(services.jobs) });
  }
}

/** Sends a post once. */
export async function sendPost(
  client: HistoryClient,
  { job, token, key, tag }: Post,
  more: Partial<Request> = {},
): Promise<Asked | null> {
  const { random, services } = client;
  const isWaiting = random.next() < WAITING_SHARE;
  const needs = job.body.resources?.map(sha256Of);
  const call = {
    operation: 'postFrame',
    job: job.name,
    token,
    tag,
    isWaiting,
    ...(key === null ? {} : { idempotencyKey: key }),
    ...(needs === undefined ? {} : { needs }),
  };
  const request = {
    method: 'POST',
    path: `/v1/frames?${job.query}&name=${token}&tags=${tag}`,
    headers: {
      'Content-Type': job.body.mediaType,
      ...(key === null ? {} : { 'Idempotency-Key': key }),
      ...(isWaiting ? { Prefer: 'wait=20' } : {}),
    },
    body: job.body.bytes,
    ...more,
  };
  const asked = await client.ask(call, request, readPosted);
  const id = asked?.answer.subject;
  if (id !== undefined) {
    services.subjects.add(random, { kind: 'frame', id, job: job.name, posted: job, token, tag });
  }
  return asked;
}

/** Renders a known frame again, in another way. */
export async function renderAgain(client: HistoryClient): Promise<void> {
  const { random, services } = client;
  const frame = services.subjects.pick(random, 'frame', ({ posted }) => posted !== null);
  if (frame !== null) await sendAgain(client, frame, random.pick(VARIANTS).name);
}

/** Renders a frame again. Returns the new frame, or null. */
export async function sendAgain(
  client: HistoryClient,
  frame: Subject,
  variantName: string,
): Promise<Subject | null> {
  const { random, services } = client;
  const variant = VARIANTS.find(({ name }) => name === variantName)!;
  const job = `${frame.job}, ${variant.name}`;
  const { id: subject, token, tag } = frame;
  const path = `/v1/frames/${subject}/again?${variant.query}`;
  const call = { operation: 'renderFrameAgain', subject, job, token, tag };
  const asked = await client.ask(call, { method: 'POST', path }, readPosted);
  const id = asked?.answer.subject;
  if (id === undefined) return null;
  return services.subjects.add(random, { kind: 'frame', id, job, posted: null, token, tag });
}

/** Reads the status of a frame, also of one that was deleted. */
export async function getFrame(client: HistoryClient): Promise<void> {
  const frame = client.services.subjects.pick(client.random, 'frame');
  if (frame !== null) await readStatus(client, frame);
}

/** Reads the status of a frame, sequence or study. */
export async function readStatus(client: HistoryClient, subject: Subject): Promise<Asked | null> {
  const operation = { frame: 'getFrame', sequence: 'getSequence', study: 'getStudy' } as const;
  const { kind, id } = subject;
  const path = `/v1/${kind === 'study' ? 'studies' : `${kind}s`}/${id}`;
  const query = kind === 'study' ? '?rows=false' : '';
  const read = ({ body }: RawAnswer) => ({ seen: [seenOf(kind, JSON.parse(body.toString()))] });
  const call = { operation: operation[kind], subject: id };
  return client.ask(call, { method: 'GET', path: path + query }, read);
}

/** Lists the frames of a client, or the newest of all. */
export async function listFrames(client: HistoryClient): Promise<void> {
  const { random } = client;
  if (random.next() < 0.5) return listWhole(client, { tag: client.tag });
  const status = random.pick(['', '&status=done', '&status=queued', '&status=failed']);
  const path = `/v1/frames?limit=${PAGE}${status}`;
  const call = { operation: 'listFrames', place: `newest${status}` };
  await client.ask(call, { method: 'GET', path }, readFrames);
}

/**
 * Reads a list to its end. All pages are one operation, which takes effect between the first
 * request and the last answer.
 */
export async function listWhole(
  client: HistoryClient,
  filter: { readonly tag?: string },
): Promise<void> {
  const { exchange, recorder, origin } = client.services;
  const { tag } = filter;
  const end = recorder.begin(client.number, {
    operation: 'listFrames',
    isWholeList: true,
    ...filter,
  });
  const seen: Seen[] = [];
  let page: string | null = `/v1/frames?limit=100${tag === undefined ? '' : `&tag=${tag}`}`;
  while (page !== null) {
    const raw: RawAnswer | null = await exchange.send(origin(), { method: 'GET', path: page });
    if (raw === null) {
      end(null);
      return sleep(NO_ANSWER_PAUSE_MS);
    }
    if (raw.status !== 200) return end({ status: raw.status });
    seen.push(...readFrames(raw).seen!);
    // A gateway has one page.
    page = (JSON.parse(raw.body.toString()) as { next?: string | null }).next ?? null;
  }
  end({ status: 200, seen });
  client.note(seen);
}

/** Changes the label of a frame. */
export async function labelFrame(client: HistoryClient): Promise<void> {
  const { random, services } = client;
  const frame = services.subjects.pick(random, 'frame');
  if (frame === null) return;
  const value = nextLabel(services);
  const request = {
    method: 'PATCH',
    path: `/v1/frames/${frame.id}`,
    headers: { 'Content-Type': 'application/json' },
    // The first tag says who posted the frame.
    body: JSON.stringify({ tags: [frame.tag, value] }),
  };
  const call = { operation: 'labelFrame', subject: frame.id, value };
  await client.ask(call, request, readStatusBody);
}

/** Deletes a frame: mostly the oldest, sometimes one that is in progress. */
export async function deleteFrame(client: HistoryClient): Promise<void> {
  const { random, services } = client;
  const [oldest] = services.subjects.tooMany('frame');
  const isNotKept = ({ isKept }: Subject) => !isKept;
  const frame = oldest ?? services.subjects.pick(random, 'frame', isNotKept);
  if (frame !== null) await sendDelete(client, 'deleteFrame', `/v1/frames/${frame.id}`, frame);
}

/** Sends a delete request for a subject. */
export async function sendDelete(
  client: HistoryClient,
  operation: string,
  path: string,
  { id: subject }: Subject,
): Promise<Asked | null> {
  return client.ask({ operation, subject }, { method: 'DELETE', path });
}

function readStatusBody({ body }: RawAnswer): Partial<Answer> {
  return { seen: [seenOf('frame', JSON.parse(body.toString()))] };
}

/** Reads the answer to a post: a status, or the report of a frame that was waited for. */
function readPosted({ status, headers, body }: RawAnswer): Partial<Answer> {
  const subject = headers.location?.split('/').at(-1);
  if (subject === undefined) return {};
  if (status === 202) return { subject, seen: [seenOf('frame', JSON.parse(body.toString()))] };
  return { subject, seen: [{ kind: 'frame', id: subject, status: 'done' }] };
}

function readFrames({ body }: RawAnswer): Partial<Answer> {
  const { frames } = JSON.parse(body.toString()) as { frames: unknown[] };
  return { seen: frames.map((frame) => seenOf('frame', frame)) };
}
