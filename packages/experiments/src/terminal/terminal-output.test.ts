import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { ProgressBar } from './progress-bar.ts';

const HOSTILE = '\u001b]0;owned\u0007\u001b[2J\r\u009b31m\u202e';
const CONTROL = /[\p{Cc}\p{Bidi_Control}]/u;

const opened: { close(): unknown }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

/** Starts a service that gives this answer to every request. */
async function startService(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1');
  opened.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

async function run(...args: string[]) {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, '../cli.ts'), ...args]);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout, stderr, all: (stdout + stderr).replaceAll('\n', '') };
}

const chiplets = (response: ServerResponse) =>
  response.setHeader('Content-Type', 'application/json').end(
    JSON.stringify({
      chiplets: [
        {
          id: 0,
          role: HOSTILE,
          isReady: true,
          mode: HOSTILE,
          binsDone: 0,
          cyclesDone: 0,
          spec: { name: HOSTILE },
          instance: HOSTILE,
        },
      ],
    }),
  );

describe('the output of a service on the terminal', () => {
  it('of errors has no control characters', async () => {
    const url = await startService((response) =>
      response
        .writeHead(400, { 'Content-Type': 'application/problem+json' })
        .end(JSON.stringify({ code: 'REQUEST_INVALID', detail: HOSTILE, status: 400 })),
    );
    const { all, stderr } = await run('chiplets', '--url', url);
    expect(stderr).toContain('tessera chiplets: \\u{1b}]0;owned\\u{7}');
    expect(all).not.toMatch(CONTROL);
  });

  it('of results has none, as a table and as JSON that means the same', async () => {
    const url = await startService(chiplets);
    const table = await run('chiplets', '--url', url);
    expect(table.stdout).toContain('\\u{1b}]0;owned');
    expect(table.all).not.toMatch(CONTROL);
    const json = await run('chiplets', '--json', '--url', url);
    expect(json.all).not.toMatch(CONTROL);
    expect(JSON.parse(json.stdout)).toMatchObject([{ instance: HOSTILE }]);
  });

  it('of progress has none but those of the bar', () => {
    const written: string[] = [];
    const bar = new ProgressBar({ isTTY: true, write: (part: string) => written.push(part) });
    bar.update(0, 1, HOSTILE);
    expect(written.join('').replace('\r\u001b[2K', '')).not.toMatch(CONTROL);
  });

  it('is written nowhere else', () => {
    const sources = resolve(import.meta.dirname, '..');
    const writers = readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      // Benchmarks only query services that they started themselves.
      .filter((name) => !name.startsWith('bench'))
      .filter((name) =>
        /\bconsole\.|std(?:out|err)\.write/.test(readFileSync(join(sources, name), 'utf8')),
      );
    // Help texts, which are in the sources, are written before anything else is loaded.
    expect(writers).toEqual(['cli.ts', 'terminal/terminal-output.ts']);
  });
});
