import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'tessera-errors-'));
afterAll(() => rmSync(folder, { recursive: true }));

const WAIT = 'await new Promise((done) => setTimeout(done, 5000));';

describe("tessera record prints errors of the user's program as such", { timeout: 240_000 }, () => {
  it.each([
    ['missing.mjs', null, 'there is no such file'],
    [
      'syntax.mjs',
      'const = 3;',
      'SyntaxError: .*, in this file or one that it imports; node --check',
    ],
    [
      'draw.mjs',
      'export const main = () => () => {\n  nothing();\n};',
      'ReferenceError: nothing is',
    ],
    ['later.mjs', `Promise.reject(new Error('no answer'));\n${WAIT}`, 'Error: no answer'],
  ])('%s', (file, source, message) => {
    if (source !== null) writeFileSync(join(folder, file), source);
    const cli = resolve(import.meta.dirname, '../../packages/experiments/src/cli.ts');
    const args = [cli, 'record', file, '--width', '16', '--height', '16'];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder });
    expect(stderr).toMatch(
      new RegExp(`^tessera record: ${file}(:\\d+:\\d+)?: ${message}[^\\n]*\\n$`),
    );
    expect(status).toBe(2);
  });
});
