/**
 * Posts frames like a client that expects failures: it retries until it has an answer, with one
 * idempotency key per frame.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode, Report } from '@tessera/frame';

/** A frame to post. */
export interface ChaosFrame {
  readonly name: string;
  readonly mediaType: string;
  readonly body: Uint8Array;
  readonly query: string;
}

/** Result of a rendered frame. */
export interface FrameOutcome {
  readonly imageSha256: string;
  /** Report without `wall`, as JSON. */
  readonly report: string;
  /** SHA-256 of the PNG file. */
  readonly pngSha256: string;
}

/** Error of a frame that was rejected, failed, or was not finished in time. */
export class FrameFailure extends Error {
  override readonly name = 'FrameFailure';
}

/** Counts of a client's requests and retries. */
export interface ClientCounts {
  posts: number;
  accepted: number;
  refused: number;
  noAnswer: number;
}

const PAUSE_MS = 150;
const ANSWER_WITHIN_MS = 10_000;

/**
 * Posts a frame and waits for its result.
 *
 * @throws {FrameFailure} If it is rejected permanently, fails, is deleted, or is not finished in
 *   time.
 */
export async function renderFrameOverHttp(
  url: string,
  frame: ChaosFrame,
  key: string,
  withinMs: number,
  counts: ClientCounts,
): Promise<FrameOutcome> {
  const deadlineMs = performance.now() + withinMs;
  const location = await postFrame(url, frame, key, deadlineMs, counts);
  counts.accepted++;
  return waitForOutcome(url, frame, location, deadlineMs, counts);
}

/**
 * Waits for the result of an accepted frame.
 *
 * @param location Path of the frame.
 * @throws {FrameFailure} If it fails, is deleted, or is not finished in time.
 */
export async function waitForOutcome(
  url: string,
  frame: ChaosFrame,
  location: string,
  deadlineMs: number,
  counts: ClientCounts,
): Promise<FrameOutcome> {
  for (;;) {
    const answer = await ask(`${url}${location}/report`);
    const image = answer?.status === 200 ? await ask(`${url}${location}/image`) : null;
    if (answer === null || (answer.status === 200 && image === null)) counts.noAnswer++;
    else if (image?.status === 200) return outcomeOf(answer.text, image.bytes);
    else if (answer.status !== 409 && answer.status !== 503) {
      throw new FrameFailure(`${frame.name} ${location}: ${answer.status} ${answer.text}`);
    } else if (codeOf(answer.text) === 'CHIPLET_LOST' || codeOf(answer.text) === 'NO_CHIPLETS') {
      throw new FrameFailure(`${frame.name} ${location}: ${answer.text}`);
    }
    await pause(deadlineMs, `${frame.name} ${location}: accepted, but not done in time`);
  }
}

/**
 * Posts a frame until it is accepted and returns its path.
 *
 * @throws {FrameFailure} If it is rejected, or not accepted in time.
 */
export async function postFrame(
  url: string,
  { name, mediaType, body, query }: ChaosFrame,
  key: string,
  deadlineMs: number,
  counts: ClientCounts,
): Promise<string> {
  const headers = { 'Content-Type': mediaType, 'Idempotency-Key': key };
  for (;;) {
    counts.posts++;
    const answer = await ask(`${url}/v1/frames${query}`, { method: 'POST', headers, body });
    if (answer === null) counts.noAnswer++;
    else if (answer.status === 202 && answer.location !== null) return answer.location;
    else if ([429, 503, 507].includes(answer.status)) counts.refused++;
    else throw new FrameFailure(`${name}: ${answer.status} ${answer.text}`);
    await pause(deadlineMs, `${name}: not accepted in time`);
  }
}

/** Answer of the service. */
export interface Answer {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
  readonly bytes: Buffer;
}

/** Sends a request. Returns null if there is no answer. */
export async function ask(
  url: string,
  init: { method?: string; headers?: Record<string, string>; body?: Uint8Array } = {},
): Promise<Answer | null> {
  try {
    const { body, ...rest } = init;
    const response = await fetch(url, {
      ...rest,
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const { status, headers } = response;
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status, location: headers.get('location'), text: bytes.toString(), bytes };
  } catch {
    return null;
  }
}

async function pause(deadlineMs: number, problem: string): Promise<void> {
  if (performance.now() > deadlineMs) throw new FrameFailure(problem);
  await sleep(PAUSE_MS);
}

function outcomeOf(text: string, png: Uint8Array): FrameOutcome {
  const report = JSON.parse(text) as Report;
  return {
    imageSha256: report.image.sha256,
    report: JSON.stringify({ ...report, wall: null }),
    pngSha256: createHash('sha256').update(png).digest('hex'),
  };
}

function codeOf(text: string): ErrorCode | null {
  try {
    return (JSON.parse(text) as { code: ErrorCode }).code;
  } catch {
    return null;
  }
}
