/** `npm start`: its secret, its log, and that it leaves no process however it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { formatLogLine } from '../../scripts/launch/log-line.ts';
import {
  makeDataFolder,
  startTestService,
  stopServicesAfterAll,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const ROOT = resolve(import.meta.dirname, '../..');
const started: ChildProcess[] = [];
afterAll(() => {
  for (const { pid } of started) for (const each of groupOf(pid!)) process.kill(each, 'SIGKILL');
});

/** Returns the running processes of a process group, from Linux's /proc. */
function groupOf(group: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [state, , processGroup] = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      return Number(processGroup) === group && state !== 'Z' ? [Number(name)] : [];
    } catch {
      return []; // exited in the meantime
    }
  });
}

/** Returns a free TCP port on loopback. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

interface StartOptions {
  readonly port?: string;
  readonly workers?: string;
  readonly folder?: string;
}

/** Starts a service in its own process group and resolves when it has written `text`. */
async function start(
  command: readonly string[],
  text: string,
  { port = '0', workers = '0', folder = makeDataFolder() }: StartOptions = {},
): Promise<ChildProcess> {
  const { npm_lifecycle_event: _script, ...environment } = process.env;
  const child = spawn(command[0]!, command.slice(1), {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...environment,
      TESSERA_PORT: port,
      TESSERA_CROSSLINK_PORT: '0',
      TESSERA_WORKERS: workers,
      TESSERA_DATA_DIR: folder,
    },
  });
  started.push(child);
  let written = '';
  for await (const part of child.stdout!.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    written += part;
    if (written.includes(text)) break;
  }
  child.stdout!.resume();
  return child;
}

/** Without the script that installs packages before a start. */
const NPM = ['npm', 'start', '--ignore-scripts'];
const LAUNCHER = [process.execPath, 'scripts/launch/start.ts'];
/** Time in which a service without frames in progress stops, on a busy machine. */
const STOP_WITHIN = { timeout: 60_000, interval: 100 };

describe.runIf(process.platform === 'linux')('the processes of npm start', () => {
  it.each([
    ['npm gets SIGTERM', NPM, 'Tessera is up', 'SIGTERM'],
    ['the terminal is closed, which npm alone is told', NPM, 'Tessera is up', 'SIGHUP'],
    ['the launcher gets SIGTERM', LAUNCHER, 'Tessera is up', 'SIGTERM'],
    ['the launcher is killed', LAUNCHER, 'Tessera is up', 'SIGKILL'],
    ['npm gets SIGTERM while they start', NPM, 'Starting', 'SIGTERM'],
    ['npm gets SIGINT while they start', NPM, 'Starting', 'SIGINT'],
    ['npm is killed while they start', NPM, 'Starting', 'SIGKILL'],
    ['the launcher is killed while they start', LAUNCHER, 'Starting', 'SIGKILL'],
  ] as const)('all end when %s', async (_title, command, text, signal) => {
    const child = await start(command, text);
    const group = child.pid!;
    if (text === 'Starting') {
      await expect.poll(() => groupOf(group).length, { timeout: 60_000 }).toBeGreaterThan(2);
    } else {
      expect(groupOf(group).length).toBeGreaterThan(2);
    }
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    await expect.poll(() => groupOf(group), STOP_WITHIN).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'leave port and folder to the next start when npm gets %s',
    async (signal) => {
      const options = { port: String(await freePort()), workers: '2', folder: makeDataFolder() };
      for (let round = 0; round < 2; round++) {
        const npm = await start(NPM, 'Tessera is up', options);
        // npm, the launcher and four services
        expect(groupOf(npm.pid!).length).toBeGreaterThanOrEqual(6);
        npm.kill(signal);
        await expect.poll(() => groupOf(npm.pid!), STOP_WITHIN).toEqual([]);
      }
    },
  );

  it('do not start if the parent has already exited', async () => {
    const parent = spawn(process.execPath, ['--eval', '']);
    await once(parent, 'exit');
    const [executable, script] = LAUNCHER;
    const launcher = await start(
      [executable!, script!, '--parent', String(parent.pid)],
      'Stopping',
    );
    await expect.poll(() => groupOf(launcher.pid!), STOP_WITHIN).toEqual([]);
  });
});

describe('the secret of the chiplets', () => {
  it('is created in the data folder, readable only by its owner; chiplets without it are rejected', async () => {
    const folder = makeDataFolder();
    const { url, service } = await startTestService({
      workerCount: 1,
      environment: { TESSERA_DATA_DIR: folder },
    });
    const file = join(folder, 'chiplet-secret');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const statusOf = async (headers: Record<string, string>) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/chiplets`, { headers } as never);
      const [{ type }] = (await Promise.race([once(socket, 'open'), once(socket, 'error')])) as [
        Event,
      ];
      socket.close();
      return type;
    };
    const secret = readFileSync(file, 'utf8').trim();
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(await statusOf({})).toBe('error');
    expect(await statusOf({ Authorization: `Bearer ${secret.replace(/.$/, '~')}` })).toBe('error');
    expect(await statusOf({ Authorization: `Bearer ${secret}` })).toBe('open');

    // A worker started manually, as in the how-to.
    const worker = spawn(process.execPath, ['services/chiplet-worker/src/main.ts'], {
      cwd: ROOT,
      env: {
        ...process.env,
        TESSERA_COORDINATOR_URL: `${url.replace('http', 'ws')}/chiplets`,
        TESSERA_CHIPLET_SECRET_FILE: file,
      },
    });
    await service.waitForWorkers(2);
    worker.kill();
    await once(worker, 'exit');
    await service.stop();

    // The next start uses the same secret, and fails if other users could have read it.
    chmodSync(file, 0o644);
    const again = () =>
      startTestService({ workerCount: 0, environment: { TESSERA_DATA_DIR: folder } });
    await expect(again()).rejects.toThrow(/chiplet-secret: other users can read/);
    chmodSync(file, 0o600);
    await (await again()).service.stop();
    expect(readFileSync(file, 'utf8').trim()).toBe(secret);
  });

  it('comes from the environment if it is set there', async () => {
    const folder = makeDataFolder();
    const file = join(folder, 'given');
    writeFileSync(file, 'a-secret-that-somebody-chose\n');
    const { service } = await startTestService({
      workerCount: 1,
      environment: { TESSERA_DATA_DIR: folder, TESSERA_CHIPLET_SECRET_FILE: file },
    });
    expect(readdirSync(folder)).not.toContain('chiplet-secret');
    await service.stop();
  });
});

describe('a log line', () => {
  const line = (fields: object) =>
    JSON.stringify({ level: 40, time: 0, name: 'coordinator', pid: 1, msg: 'm', ...fields });

  it('shows what a peer said on one line, without control characters', () => {
    const reason =
      'closed by the peer (1000 \u001b]0;owned\u0007\u001b[2J\n00:00:00 fatal\u009b31m\u202e)';
    for (const fields of [{ reason }, { msg: reason }, { peer: { reason } }, { [reason]: 1 }]) {
      const shown = formatLogLine('coordinator', line(fields));
      expect(shown).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      expect(shown).toContain(
        'u001b]0;owned'.replace('u001b', shown.includes('u{1b}') ? 'u{1b}' : 'u001b'),
      );
    }
    expect(formatLogLine('x', 'no JSON \u001b[2J')).toBe('x: no JSON \\u{1b}[2J');
    expect(formatLogLine('x', 'x: said before \u0007')).toBe('x: said before \\u{7}');
  });

  it('indents a stack, so that a message in it looks like no other line', () => {
    const stack = 'Error: a\n00:00:00.000 fatal coordinator: forged\u001b[0m\n    at x';
    expect(formatLogLine('coordinator', line({ err: { stack } }))).toBe(
      '00:00:00.000 warn  coordinator: m\n    Error: a\n' +
        '    00:00:00.000 fatal coordinator: forged\\u{1b}[0m\n        at x',
    );
  });
});
