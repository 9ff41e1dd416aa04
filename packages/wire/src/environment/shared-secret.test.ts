import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { EnvironmentError } from './environment.ts';
import {
  bearerOf,
  ensureSecretFile,
  isLoopbackHost,
  isSameSecret,
  readSecret,
} from './shared-secret.ts';

const SECRET = '0123456789abcdef';
const folder = mkdtempSync(join(tmpdir(), 'tessera-secret-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a secret', () => {
  it('equals itself and nothing else', () => {
    expect(isSameSecret(SECRET, SECRET)).toBe(true);
    for (const other of ['', SECRET.slice(1), `${SECRET} `, SECRET.toUpperCase()]) {
      expect(isSameSecret(other, SECRET), other).toBe(false);
    }
  });

  it.each([
    ['Bearer abc', 'abc'],
    ['bearer   a.b-c~ ', 'a.b-c~'],
    ['Basic abc', null],
    ['Bearer', null],
    ['Bearer a b', null],
    [undefined, null],
  ])('is read from the header %j', (header, secret) => {
    expect(bearerOf(header)).toBe(secret);
  });

  it('comes from the variable, else from the file, which is created once', () => {
    const file = join(folder, 'new', 'secret');
    expect(readSecret('NAME', '', '')).toBeNull();
    expect(() => readSecret('NAME', '', file)).toThrow(EnvironmentError);
    ensureSecretFile('NAME_FILE', file);
    const made = readSecret('NAME', '', file);
    expect(made).toMatch(/^[\w-]{43}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    ensureSecretFile('NAME_FILE', file);
    expect(readFileSync(file, 'utf8').trim()).toBe(made);
    expect(readSecret('NAME', SECRET, file)).toBe(SECRET);
  });

  it('is rejected if it is short or has invisible characters', () => {
    expect(() => readSecret('NAME', SECRET.slice(1), '')).toThrow(
      /^NAME: a secret must have at least 16/,
    );
    expect(() => readSecret('NAME', `${SECRET} `, '')).toThrow('NAME');
  });
});

describe('loopback', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.8.0.1', true],
    ['::1', true],
    ['[::1]', true],
    ['LocalHost', true],
    ['0.0.0.0', false],
    ['::', false],
    ['127.0.0.1.example.com', false],
    ['192.0.2.1', false],
    ['coordinator', false],
  ])('%s: %s', (host, isLoopback) => {
    expect(isLoopbackHost(host)).toBe(isLoopback);
  });
});
