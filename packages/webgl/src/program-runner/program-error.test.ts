import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RenderError } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { ProgramError, runOfProgram, toProgramError } from './program-error.ts';

const PAGE = pathToFileURL(resolve('page.mjs')).href;
const TESSERA = new URL('../create-context.ts', import.meta.url).href;

function errorWith(stack: string, fields: object = {}): Error {
  return Object.assign(new TypeError('it failed'), { stack, ...fields });
}

const messageOf = (thrown: unknown) => toProgramError('page.mjs', thrown).message;

describe('toProgramError', () => {
  it('names the innermost place in the program', () => {
    const stack = `TypeError: it failed\n    at draw (${PAGE}:12:5)\n    at ${PAGE}:3:1\n    at node:internal/x:1:1`;
    expect(messageOf(errorWith(stack))).toBe('page.mjs:12:5: TypeError: it failed');
  });

  it('names the file of a program that runs again', () => {
    const stack = `TypeError: it failed\n    at draw (${PAGE}?run=2:12:5)\n    at ${PAGE}?run=2:3:1`;
    expect(messageOf(errorWith(stack))).toBe('page.mjs:12:5: TypeError: it failed');
    const missing = { code: 'ERR_MODULE_NOT_FOUND', url: `${PAGE}?run=1` };
    expect(messageOf(errorWith('', missing))).toBe('page.mjs: there is no such file');
  });

  it('names the place where a library or Tessera threw the error too', () => {
    const inLibrary = `TypeError: it failed\n    at f (file:///lib/three.js:7:9)\n    at draw (${PAGE}:12:5)`;
    expect(messageOf(errorWith(inLibrary))).toBe(
      'page.mjs:12:5: TypeError: it failed\n  thrown at /lib/three.js:7:9',
    );
    const inTessera = `TypeError: it failed\n    at g (${TESSERA}:1:2)\n    at Object.f (file:///lib/three.js:7:9)`;
    expect(messageOf(errorWith(inTessera))).toMatch(
      /^\/lib\/three\.js:7:9: TypeError: it failed\n {2}thrown at .*create-context\.ts:1:2$/,
    );
  });

  it('names the importing line of a module without an export', () => {
    expect(messageOf(errorWith(`${PAGE}:2\nexport {\nSyntaxError: no x`))).toBe(
      'page.mjs:2: TypeError: it failed',
    );
  });

  it('distinguishes the file of the program from a module that it imports', () => {
    const missing = { code: 'ERR_MODULE_NOT_FOUND' };
    expect(messageOf(errorWith('', { ...missing, url: PAGE }))).toBe(
      'page.mjs: there is no such file',
    );
    expect(messageOf(errorWith('', missing))).toBe('page.mjs: it failed');
  });

  it('accepts values that are not errors', () => {
    expect(messageOf('text')).toBe('page.mjs: threw text');
  });
});

describe('runOfProgram', () => {
  it('converts what the program throws, and passes through errors with a code', async () => {
    const run = (error: Error) => runOfProgram('page.mjs', () => Promise.reject(error));
    await expect(run(new Error('x'))).rejects.toThrow(ProgramError);
    const limit = new RenderError('LIMIT_EXCEEDED', 'too large');
    await expect(run(limit)).rejects.toBe(limit);
  });
});
