/** What the build of an image leaves: compiled code of a gateway, a cell and its chiplets. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { readText } from '../support/compose-services.ts';

const SCRIPT = 'scripts/launch/compile-ahead.ts';

describe('compiled code of an image', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-compiled-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is that of all processes, and stays in the folder that containers read', async () => {
    const env = { ...process.env, NODE_COMPILE_CACHE: folder, TESSERA_LOG_LEVEL: 'warn' };
    await promisify(execFile)(process.execPath, [SCRIPT], { env, timeout: 120_000 });
    // A folder by version of Node and user, with a file for each module.
    const files = readdirSync(folder, { recursive: true, withFileTypes: true });
    expect(files.filter((file) => file.isFile()).length).toBeGreaterThan(1000);
  }, 150_000);

  it('is made by the user that containers run as', () => {
    const lines = readText('Dockerfile').split('\n');
    const place = (text: string) => lines.findIndex((line) => line.startsWith(text));
    expect(place('USER node')).toBeGreaterThan(0);
    expect(place(`RUN node ${SCRIPT}`)).toBeGreaterThan(place('USER node'));
    expect(place('ENV NODE_COMPILE_CACHE=/app/')).toBeLessThan(place(`RUN node ${SCRIPT}`));
  });
});
