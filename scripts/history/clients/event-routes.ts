/** Streams of events that clients read for a while. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Call, SeenEvent } from '../record/entries.ts';
import { type HistoryClient, seenOf } from './history-client.ts';

const MAX_STREAM_MS = 1500;
const NO_ANSWER_PAUSE_MS = 200;
const KINDS = { frame: 'frame', study: 'study' } as const;
/** Most recent events from which a client resumes. */
const MAX_REPLAYED = 30;

/** Follows the whole service from now on, or from the last event that this client received. */
export async function watchService(
  client: HistoryClient,
  operation = 'watchService',
): Promise<void> {
  const { services } = client;
  const last = services.lastEvent.number;
  const isResuming = last > 0 && client.random.next() < 0.6;
  const lastEventId = isResuming
    ? { lastEventId: last - client.random.integer(0, MAX_REPLAYED) }
    : {};
  const answer = await follow(client, { operation, ...lastEventId }, '/v1/events');
  const number = answer?.events?.at(-1)?.number ?? 0;
  services.lastEvent.number = Math.max(last, number);
}

/** Follows a frame or a study until it is over. */
export async function watchSubject(client: HistoryClient, kind: 'frame' | 'study'): Promise<void> {
  const { random, services } = client;
  const subject = services.subjects.pick(random, kind);
  if (subject === null) return;
  const operation = kind === 'frame' ? 'watchFrame' : 'watchStudy';
  const folder = kind === 'frame' ? 'frames' : 'studies';
  const call = { operation, subject: subject.id };
  await follow(client, call, `/v1/${folder}/${subject.id}/events`);
}

async function follow(client: HistoryClient, call: Call, path: string): Promise<Answer | null> {
  const { exchange, recorder, origin } = client.services;
  const events: SeenEvent[] = [];
  let rest = '';
  const onText = (text: string) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const event = parseEvent(block, recorder.nowMs());
      if (event !== null) events.push(event);
    }
    return false;
  };
  const { lastEventId } = call;
  const headers = {
    Accept: 'text/event-stream',
    ...(lastEventId === undefined ? {} : { 'Last-Event-ID': String(lastEventId) }),
  };
  const withinMs = client.random.between(0.2, 1) * MAX_STREAM_MS;
  const end = recorder.begin(client.number, call);
  const stream = await exchange.stream(
    origin(),
    { method: 'GET', path, headers },
    withinMs,
    onText,
  );
  if (stream === null) {
    end(null);
    await sleep(NO_ANSWER_PAUSE_MS);
    return null;
  }
  const { status, isEnded } = stream;
  const answer = status === 200 ? { status, events, isEnded } : { status };
  end(answer);
  client.note(events.flatMap(({ seen }) => seen ?? []));
  return answer;
}

function parseEvent(block: string, atMs: number): SeenEvent | null {
  const fields = new Map(
    block.split('\n').map((line) => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)] as const;
    }),
  );
  const text = fields.get('data');
  const name = fields.get('event');
  if (text === undefined || name === undefined) return null;
  const kind = name in KINDS ? KINDS[name as keyof typeof KINDS] : null;
  const seen = kind === null ? {} : { seen: seenOf(kind, JSON.parse(text)) };
  return { number: Number(fields.get('id')), name, atMs, ...seen };
}
