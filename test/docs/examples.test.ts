/**
 * The shell examples of README, tutorial and how-to pages run against a real service, block by
 * block as a reader would run them. A block that cannot be run states why:
 * ```sh not-run: reason. The block ```sh start shows a command that the test has already run.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const ROOT = resolve(import.meta.dirname, '../..');
const DEFAULT_URL = 'http://127.0.0.1:8080';
const PAGES = [
  'README.md',
  'docs/tutorial.md',
  'docs/webgl.md',
  ...readdirSync(join(ROOT, 'docs/how-to')).map((name) => `docs/how-to/${name}`),
];

interface Example {
  /** Text after `sh`; empty for a block that runs. */
  readonly mark: string;
  readonly script: string;
}

function listExamples(page: string): Example[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```sh *(.*)\n([\s\S]*?)^```$/gm)].map(([, mark, script]) => ({
    mark: mark!,
    script: script!,
  }));
}

/** Runs the blocks of a page in one shell, in the repository, with the pinned Node. */
function runScript(
  script: string,
  url: string,
): Promise<{ status: number | null; output: string }> {
  const { PATH } = process.env;
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script.replaceAll(DEFAULT_URL, url)], {
    cwd: ROOT,
    env: { ...process.env, TESSERA_URL: url, PATH: `${join(ROOT, 'node_modules/.bin')}:${PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((done) => child.on('close', (status) => done({ status, output })));
}

describe('examples', () => {
  let url = '';
  beforeAll(async () => {
    ({ url } = await startTestService({ workerCount: 2 }));
  });

  it.each(PAGES)('%s', { timeout: 600_000 }, async (page) => {
    const run = listExamples(page).filter(({ mark }) => mark === '');
    const script = run.map((example) => example.script).join('\n');
    const { status, output } = await runScript(script, url);
    expect(status, output).toBe(0);
  });

  it('are marked as run, as the start, or as not run for a reason', () => {
    const marks = PAGES.flatMap(listExamples).map(({ mark }) => mark);
    expect(marks.filter((mark) => !/^(|start|not-run: .{5,})$/.test(mark))).toEqual([]);
    expect(marks.filter((mark) => mark === '').length).toBeGreaterThan(10);
  });
});
