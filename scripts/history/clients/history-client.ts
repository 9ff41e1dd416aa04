/** A client: sends requests, records them, and notes what their answers show. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '@tessera/scenes/seeded-random';
import { type Answer, type Call, type Seen, showsGone } from '../record/entries.ts';
import type { Recorder } from '../record/recorder.ts';
import type { Exchange, RawAnswer, Request } from './exchange.ts';
import type { Job } from './jobs.ts';
import type { Subjects } from './subjects.ts';

/** Services and state that all clients of a run share. */
export interface ClientServices {
  readonly exchange: Exchange;
  readonly recorder: Recorder;
  readonly subjects: Subjects;
  readonly jobs: readonly Job[];
  /** Returns the origin of the service, or of one of its gateways. */
  readonly origin: () => string;
  /** Returns a number that no other caller receives. */
  readonly nextNumber: () => number;
  /** Number of the last event of the service that any client received; 0 before the first. */
  readonly lastEvent: { number: number };
  /** Word in keys and names, which no other run uses. */
  readonly run: string;
}

/** Share of requests whose client disconnects before the answer, and the time after which. */
const DROPPED_SHARE = 0.01;
const DROPPED_AFTER_MS = 40;
/** Time after which a client without an answer sends its next request. */
const NO_ANSWER_PAUSE_MS = 200;

/** Names of posted frames contain one of these. */
const TOKEN = /token-\w+-\d+/;
const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;
const LABEL_PREFIX = 'label-';

/** Answer with its body. */
export interface Asked {
  readonly answer: Answer;
  readonly raw: RawAnswer;
}

/** One client. */
export class HistoryClient {
  readonly services: ClientServices;
  readonly number: number;
  readonly random: SeededRandom;
  /** Whether some requests are dropped before their answer. */
  isPatient: boolean;

  constructor(services: ClientServices, number: number, random: SeededRandom, isPatient = false) {
    this.services = services;
    this.number = number;
    this.random = random;
    this.isPatient = isPatient;
  }

  /** Returns a word that occurs in no other name. */
  token(): string {
    return `token-${this.services.run}-${this.services.nextNumber()}`;
  }

  /** Tag of the frames that this client posts. */
  get tag(): string {
    return `client-${this.number}`;
  }

  /**
   * Sends a request and records it.
   *
   * @param read Returns what the answer shows beyond its status.
   * @returns Null if the outcome is unknown.
   */
  async ask(
    call: Call,
    request: Request,
    read: (raw: RawAnswer) => Partial<Answer> = () => ({}),
  ): Promise<Asked | null> {
    const { exchange, recorder, origin } = this.services;
    const isDropped = !this.isPatient && this.random.next() < DROPPED_SHARE;
    const dropAfterMs = isDropped ? { dropAfterMs: this.random.next() * DROPPED_AFTER_MS } : {};
    const end = recorder.begin(this.number, call);
    const raw = await exchange.send(origin(), { ...dropAfterMs, ...request });
    if (raw === null) {
      end(null);
      // The service may be starting.
      await sleep(NO_ANSWER_PAUSE_MS);
      return null;
    }
    const { status } = raw;
    const answer = { status, code: codeOf(raw), ...(status < 400 ? read(raw) : {}) };
    end(answer);
    this.note(answer.seen ?? []);
    if (showsGone(call, answer)) this.services.subjects.drop(call.subject!);
    return { answer, raw };
  }

  /** Notes statuses in the pool. */
  note(seen: readonly Seen[]): void {
    for (const { id, status } of seen) {
      const subject = this.services.subjects.get(id);
      if (subject === undefined) continue;
      subject.isOver ||= status !== 'queued' && status !== 'running';
      subject.isDone ||= status === 'done';
    }
  }
}

/** Returns the code of a problem. */
function codeOf({ headers, body }: RawAnswer): string | undefined {
  const isProblem = headers['content-type']?.startsWith('application/problem+json') === true;
  // The answer to HEAD has no body.
  if (!isProblem || body.length === 0) return undefined;
  return (JSON.parse(body.toString()) as { code: string }).code;
}

/** Status of a frame, sequence or study as the service writes it. */
interface StatusBody {
  readonly id: string;
  readonly status: string;
  readonly name?: string;
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly error: { readonly code: string } | null;
  readonly progress?: { readonly done?: number };
}

/** Returns what the status of a subject shows. */
export function seenOf(kind: Seen['kind'], body: unknown): Seen {
  const { id, status, name, title, tags, error, progress } = body as StatusBody;
  const label = tags?.find((tag) => tag.startsWith(LABEL_PREFIX)) ?? null;
  const token = TOKEN.exec(name ?? title ?? '')?.[0];
  return { kind, id, status, code: error?.code, token, label, tags, done: progress?.done };
}

/** Returns a label that no other caller receives. */
export function nextLabel({ nextNumber }: ClientServices): string {
  return `${LABEL_PREFIX}${nextNumber()}`;
}

/** Returns the hash of a result without ids, names and wall times. */
export function digestOf({ headers, body }: RawAnswer): string {
  const type = headers['content-type'] ?? '';
  const hash = createHash('sha256');
  if (!/json|csv|svg/.test(type)) return hash.update(body).digest('hex');
  let text = body.toString();
  if (type.startsWith('application/json')) {
    const json = JSON.parse(text) as object;
    // Wall times are the only part of a report that differs between runs.
    if ('wall' in json) text = JSON.stringify({ ...json, wall: null });
  }
  const anonymous = text.replace(UUID, 'ID').replace(new RegExp(TOKEN, 'g'), 'NAME');
  return hash.update(anonymous).digest('hex');
}
