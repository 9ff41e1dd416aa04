/** Whether the service asks who one is, and the session that a token gives. */
import { getJson, send } from './requests.ts';

export interface Session {
  /** Whether requests need a token or a session. */
  readonly isRequired: boolean;
  readonly isSignedIn: boolean;
}

/** @throws {ProblemError} */
export function getSession(): Promise<Session> {
  return getJson<Session>('/v1/session');
}

/** @throws {ProblemError} If the token is none of the service's. */
export async function signIn(token: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  await send('/v1/session', { method: 'POST', headers, body: JSON.stringify({ token }) });
}

/** @throws {ProblemError} */
export async function signOut(): Promise<void> {
  await send('/v1/session', { method: 'DELETE' });
}
