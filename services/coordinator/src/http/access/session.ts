/**
 * Session cookie of a user who signed in at the dashboard with a token. It contains its expiry and
 * a MAC over that with the token as key. The service stores nothing, so a session survives a
 * restart and ends as soon as its token is removed. Scripts cannot read the cookie, and pages of
 * other sites cannot make a browser send it.
 */
import { createHmac } from 'node:crypto';
import { isSameSecret } from '@tessera/wire';

/** Name of the session cookie. */
export const SESSION_COOKIE = 'tessera_session';
const VALID_MS = 12 * 3_600_000;
const PATTERN = new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}=(\\d{1,16})\\.([\\w-]{43})(?:;|$)`);

/**
 * Returns the `Set-Cookie` header that starts a session.
 *
 * @param isSecure Whether the connection uses TLS.
 */
export function beginSession(token: string, nowMs: number, isSecure: boolean): string {
  const endMs = nowMs + VALID_MS;
  return cookie(`${endMs}.${macOf(token, endMs)}`, VALID_MS / 1000, isSecure);
}

/** Returns the `Set-Cookie` header that ends a session. */
export function endSession(isSecure: boolean): string {
  return cookie('', 0, isSecure);
}

/** Whether a `Cookie` header contains an unexpired session of one of the tokens. */
export function hasSession(
  header: string | undefined,
  tokens: readonly string[],
  nowMs: number,
): boolean {
  const [, end, mac] = PATTERN.exec(header ?? '') ?? [];
  if (end === undefined || mac === undefined || Number(end) <= nowMs) return false;
  return tokens.some((token) => isSameSecret(mac, macOf(token, Number(end))));
}

function macOf(token: string, endMs: number): string {
  return createHmac('sha256', token).update(`session until ${endMs}`).digest('base64url');
}

function cookie(value: string, seconds: number, isSecure: boolean): string {
  const attributes = `Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Strict`;
  return `${SESSION_COOKIE}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`;
}
