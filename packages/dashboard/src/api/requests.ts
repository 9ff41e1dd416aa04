/** Requests to the service. What it refuses is a {@link ProblemError} with its code and place. */
import type { Problem } from './types.ts';

/** The service answered with a problem, or did not answer. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
    this.problem = problem;
  }
}

const UNREACHABLE: Problem = {
  title: 'the service does not answer',
  status: 0,
  detail: 'it is stopped, or the network is down; this page tries again by itself',
  code: 'UNREACHABLE',
};

/** @throws {ProblemError} If the service refuses or does not answer. */
export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await send(path, { signal: signal ?? null })).json() as Promise<T>;
}

/** Posts JSON, or nothing. @throws {ProblemError} */
export async function postJson<T>(path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method: 'POST' };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { 'Content-Type': 'application/json' };
  }
  return (await send(path, init)).json() as Promise<T>;
}

/** @throws {ProblemError} */
export async function sendDelete(path: string): Promise<void> {
  await send(path, { method: 'DELETE' });
}

/** Asks without reading what is answered. @throws {ProblemError} */
export async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, init).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ProblemError(UNREACHABLE);
  });
  if (!response.ok) throw refusal(response.status, await response.text());
  return response;
}

/** Happens to the window when the service wants to know who asks. */
export const SIGNED_OUT_EVENT = 'tessera-signed-out';

/** The error of an answer that is no success; status 0 for no answer. */
export function refusal(status: number, text: string): ProblemError {
  if (status === 401) dispatchEvent(new Event(SIGNED_OUT_EVENT));
  return new ProblemError(problemOf(status, text));
}

/** The problem of an answer; one of our own for an answer that is none of the service's. */
function problemOf(status: number, text: string): Problem {
  if (status === 0) return UNREACHABLE;
  const strange = { title: 'an unexpected answer', status, detail: text.slice(0, 300) };
  try {
    const parsed: Partial<Problem> | null = JSON.parse(text);
    if (typeof parsed?.code === 'string' && typeof parsed.detail === 'string') {
      return { ...strange, title: parsed.title ?? '', code: parsed.code, detail: parsed.detail };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { ...strange, code: `HTTP ${status}` };
}

/** Whether a request ended since its page was left. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
