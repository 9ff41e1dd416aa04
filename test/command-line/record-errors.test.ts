import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { decodePng } from '../support/compare-images.ts';

const folder = mkdtempSync(join(tmpdir(), 'tessera-errors-'));
afterAll(() => rmSync(folder, { recursive: true }));

const WAIT = 'await new Promise((done) => setTimeout(done, 5000));';

/** Runs a program of the folder. */
function record(file: string, ...options: string[]) {
  const cli = resolve(import.meta.dirname, '../../packages/experiments/src/cli.ts');
  const args = [cli, 'record', file, '--width', '16', '--height', '16', ...options];
  return spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder });
}

describe('tessera record of a program that loads', { timeout: 240_000 }, () => {
  /** Returns a program that draws black until a stream has ended, and red from then on. */
  const load = (stream: string) => `
    const gl = document.querySelector('canvas').getContext('webgl2');
    const fill = (red) => { gl.clearColor(red, 0, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT); };
    let red = 0;
    requestAnimationFrame(function draw() { fill(red); requestAnimationFrame(draw); });
    const ended = new ReadableStream({
      start: (controller) => setTimeout(() => controller.close(), 100),
    });
    const endless = new ReadableStream();
    new MessageChannel().port1.onmessage = () => {}; // Would keep the process alive.
    ${stream}.getReader().read().then(() => { red = 1; });`;

  it('names what was pending, unless it waits', () => {
    writeFileSync(join(folder, 'endless.mjs'), load('endless'));
    const early = record('endless.mjs', '-o', 'early.png');
    expect([early.status, early.stderr]).toEqual([
      0,
      'note: early.png was recorded before loading ended (--wait-idle waits); pending: stream\n',
    ]);
    writeFileSync(join(folder, 'ended.mjs'), load('ended'));
    const late = record('ended.mjs', '-o', 'late.png', '--wait-idle');
    expect([late.status, late.stderr]).toEqual([0, '']);
    const red = (name: string) => decodePng(readFileSync(join(folder, name))).rgba[0];
    expect([red('early.png'), red('late.png')]).toEqual([0, 255]);
  });
});

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
    ['worker.mjs', `new Worker('data:text/javascript,null.x');\n${WAIT}`, 'TypeError: Cannot read'],
    ['later.mjs', `Promise.reject(new Error('no answer'));\n${WAIT}`, 'Error: no answer'],
  ])('%s', (file, source, message) => {
    if (source !== null) writeFileSync(join(folder, file), source);
    const { status, stderr } = record(file);
    expect(stderr).toMatch(
      new RegExp(`^tessera record: ${file}(:\\d+:\\d+)?: ${message}[^\\n]*\\n$`),
    );
    expect(status).toBe(2);
  });
});
