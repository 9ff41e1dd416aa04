/** Requests to the service. A failed request throws a {@link ProblemError} with code and place. */
import type { Problem } from './types.ts';

/** Error for a request that the service answered with a problem or did not answer. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
    this.problem = problem;
  }
}

const UNREACHABLE: Problem = {
  title: 'the service does not respond',
  status: 0,
  detail: 'it is stopped, or the network is down; this page reconnects automatically',
  code: 'UNREACHABLE',
};

/**
 * Gets JSON.
 *
 * @throws {ProblemError} If the request fails.
 */
export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await send(path, { signal: signal ?? null })).json() as Promise<T>;
}

/**
 * Posts JSON, or an empty body.
 *
 * @throws {ProblemError}
 */
export async function postJson<T>(path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method: 'POST' };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { 'Content-Type': 'application/json' };
  }
  return (await send(path, init)).json() as Promise<T>;
}

/**
 * Changes parts of a resource and returns it.
 *
 * @throws {ProblemError}
 */
export async function sendPatch<T>(path: string, body: unknown): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await send(path, { method: 'PATCH', headers, body: JSON.stringify(body) });
  return answer.json() as Promise<T>;
}

/**
 * Deletes a resource.
 *
 * @throws {ProblemError}
 */
export async function sendDelete(path: string): Promise<void> {
  await send(path, { method: 'DELETE' });
}

/**
 * Sends a request without reading the answer's body.
 *
 * @throws {ProblemError}
 */
export async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, init).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ProblemError(UNREACHABLE);
  });
  if (!response.ok) throw refusal(response.status, await response.text());
  return response;
}

/** Name of the window event that reports that the service requires authentication. */
export const SIGNED_OUT_EVENT = 'tessera-signed-out';

/**
 * Returns the error of a failed request.
 *
 * @param status Status of the answer; 0 if there was none.
 */
export function refusal(status: number, text: string): ProblemError {
  if (status === 401) dispatchEvent(new Event(SIGNED_OUT_EVENT));
  return new ProblemError(problemOf(status, text));
}

/** Returns the problem in an answer, or a generic one if the answer has none. */
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

/** Returns whether a request was aborted because its page was left. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
