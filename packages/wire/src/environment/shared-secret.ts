/**
 * Shared secrets: the secret of the chiplets and the tokens of clients. They are sent in the header
 * `Authorization: Bearer …` (RFC 6750). Secrets are compared by digests of equal length, so the
 * time does not depend on how much of a guess was right.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { EnvironmentError } from './environment.ts';

/**
 * Minimum number of characters of a secret, so that it cannot be guessed in the lifetime of a
 * service.
 */
const MIN_SECRET_LENGTH = 16;
const SECRET_BYTES = 32;
const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/** Returns whether both secrets are equal, in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(expected));
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Returns the secret of an `Authorization` header, or `null` if it has none. */
export function bearerOf(header: string | undefined): string | null {
  return BEARER.exec(header ?? '')?.[1] ?? null;
}

/**
 * Returns the secret from a variable, or from the file that a second variable names; `null` if
 * neither is set.
 *
 * @param variable Name of the variable, for messages. The second one has the suffix `_FILE`.
 * @throws {EnvironmentError} If the secret is too short or has characters other than visible ASCII,
 *   or the file cannot be read.
 */
export function readSecret(variable: string, value: string, file: string): string | null {
  if (value !== '') return checkSecret(variable, value);
  if (file === '') return null;
  return checkSecret(`${variable}_FILE`, readTextFile(`${variable}_FILE`, file).trim());
}

/**
 * Returns the secret if it is acceptable.
 *
 * @throws {EnvironmentError} If it is too short or has characters other than visible ASCII; names
 *   the variable.
 */
export function checkSecret(variable: string, secret: string): string {
  if (/^[\x21-\x7e]+$/.test(secret) && secret.length >= MIN_SECRET_LENGTH) return secret;
  throw new EnvironmentError(
    `${variable}: a secret must have at least ${MIN_SECRET_LENGTH} characters, all visible ASCII`,
  );
}

/**
 * Reads a text file that a variable names.
 *
 * @throws {EnvironmentError} If the file cannot be read.
 */
export function readTextFile(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new EnvironmentError(`${variable}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Creates a file with a new secret that only its owner can read. Keeps an existing file.
 *
 * @throws {EnvironmentError} If the file cannot be created.
 */
export function ensureSecretFile(variable: string, path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    writeFileSync(path, `${secret}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw new EnvironmentError(`${variable}: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns whether a server that listens on `host` is only reachable from this machine. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}
