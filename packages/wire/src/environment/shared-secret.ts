/**
 * Secrets that two ends share: the secret of the chiplets and the tokens of clients. They travel in the header
 * `Authorization: Bearer …` (RFC 6750). Digests of equal length are compared, in a time that says nothing about
 * how much of a guess was right.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { EnvironmentError } from './environment.ts';

/** Characters of a secret at least: what nobody guesses in the life of a service. */
const MIN_SECRET_LENGTH = 16;
const SECRET_BYTES = 32;
const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/** Whether both are the same, in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(expected));
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The secret of an `Authorization` header; `null` without one. */
export function bearerOf(header: string | undefined): string | null {
  return BEARER.exec(header ?? '')?.[1] ?? null;
}

/**
 * The secret that a variable gives, or the file that another one names; `null` where neither is set.
 *
 * @param variable Its name, for people; `_FILE` follows for the other.
 * @throws {EnvironmentError} If the secret is too short or has other than visible ASCII characters, or the file
 *   cannot be read.
 */
export function readSecret(variable: string, value: string, file: string): string | null {
  if (value !== '') return checkSecret(variable, value);
  if (file === '') return null;
  return checkSecret(`${variable}_FILE`, readTextFile(`${variable}_FILE`, file).trim());
}

/** @throws {EnvironmentError} Naming the variable. */
export function checkSecret(variable: string, secret: string): string {
  if (/^[\x21-\x7e]+$/.test(secret) && secret.length >= MIN_SECRET_LENGTH) return secret;
  throw new EnvironmentError(
    `${variable}: a secret has at least ${MIN_SECRET_LENGTH} visible ASCII characters`,
  );
}

/** @throws {EnvironmentError} If it cannot be read. */
export function readTextFile(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new EnvironmentError(`${variable}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Makes a file with a fresh secret, readable by its owner alone; one that is there already stays.
 *
 * @throws {EnvironmentError} If it cannot be made.
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

/** Whether nobody but this machine reaches what listens on `host`. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}
