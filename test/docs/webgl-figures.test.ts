/** Figures of docs/webgl.md that programs of this repository give again. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Report } from '@tessera/frame';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const ROOT = resolve(import.meta.dirname, '../..');
const TEXT = readFileSync(join(ROOT, 'docs/webgl.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'tessera-figures-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the cells of a row of the table after a heading, without the name. */
function rowAfter(heading: string, name: string): string[] {
  const rest = TEXT.slice(TEXT.indexOf(heading));
  const row = rest.split('\n').find((line) => line.startsWith(`| ${name} |`));
  return row!
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.trim());
}

const count = (value: number) => value.toLocaleString('en-US');

async function record(name: string, ...options: string[]): Promise<string> {
  const cli = join(ROOT, 'packages/experiments/src/cli.ts');
  const program = join(ROOT, 'packages/webgl/examples', `${name}.mjs`);
  const all = [cli, 'record', program, '-o', join(folder, 'out.png'), ...options];
  const { stdout } = await promisify(execFile)(process.execPath, all, { maxBuffer: 2 ** 26 });
  return stdout;
}

describe('figures of docs/webgl.md', { timeout: 120_000 }, () => {
  it.each(['three-cube', 'luma-cubes'])('are the cycles of %s', async (name) => {
    const reports: Report[] = [];
    for (const chiplets of ['1', '5']) {
      const file = join(folder, 'report.json');
      await record(name, '--timing', 'cycle', '--chiplets', chiplets, '--report', file);
      reports.push(JSON.parse(readFileSync(file, 'utf8')) as Report);
    }
    const [first, second] = reports;
    expect(rowAfter('tessera record EXAMPLE --timing cycle', name)).toEqual([
      count(first!.passes.length),
      count(first!.totals.fragments),
      count(first!.totals.cycles!),
      count(second!.totals.cycles!),
    ]);
  });

  it.each(['triangle', 'three-cube'])('are the bytes of %s', async (name) => {
    const { url } = await startTestService({ workerCount: 1 });
    const size = ['--width', '192', '--height', '108'];
    const stdout = await record(name, '--frames', '3', ...size, '--service', url, '--json');
    const frames = JSON.parse(stdout) as readonly {
      readonly sentBytes: { readonly frame: number; readonly resources: number };
    }[];
    expect(rowAfter('## Bytes sent to a service', name)).toEqual(
      frames.map(({ sentBytes: { frame, resources } }) => `${count(frame)} + ${count(resources)}`),
    );
  });
});
