/** Authentication: whether the service requires it, and the session that a token starts. */
import { getJson, send } from './requests.ts';

/** Session of this browser. */
export interface Session {
  /** Whether requests need a token or a session. */
  readonly isRequired: boolean;
  readonly isSignedIn: boolean;
}

/**
 * Returns the session.
 *
 * @throws {ProblemError}
 */
export function getSession(): Promise<Session> {
  return getJson<Session>('/v1/session');
}

/**
 * Starts a session.
 *
 * @throws {ProblemError} If the token is invalid.
 */
export async function signIn(token: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  await send('/v1/session', { method: 'POST', headers, body: JSON.stringify({ token }) });
}

/**
 * Ends the session.
 *
 * @throws {ProblemError}
 */
export async function signOut(): Promise<void> {
  await send('/v1/session', { method: 'DELETE' });
}
