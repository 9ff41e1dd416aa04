import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';

const WATCHDOG = new URL('../../packages/wire/src/watchdog/loop-watchdog.ts', import.meta.url).href;
const STALL_MS = 400;
const started = new Set<ChildProcess>();

/** Starts a watched process that runs `code` when it receives a message. */
function start(code: string): ChildProcess {
  const source = `
    const { watchEventLoop } = await import(process.env.WATCHDOG);
    watchEventLoop({ name: 'test', stallMs: ${STALL_MS} });
    process.on('message', () => { ${code} });
    process.send('up');
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    env: { ...process.env, WATCHDOG },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  started.add(child);
  return child;
}

/** Returns the state (`T` is stopped) and the clock ticks used, of a process or of one thread. */
function statusOf(path: string): { state: string; ticks: number } {
  const fields = readFileSync(`/proc/${path}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return { state: fields[0]!, ticks: Number(fields[11]) + Number(fields[12]) };
}

/** Stops a process and waits until each of its threads stands: they run on for a moment. */
async function halt(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP');
  const threads = `${child.pid}/task`;
  const states = () =>
    readdirSync(`/proc/${threads}`).map((id) => statusOf(`${threads}/${id}`).state);
  await expect.poll(() => states().every((state) => state === 'T')).toBe(true);
}

describe('watchEventLoop', () => {
  afterEach(() => {
    for (const child of started) child.kill('SIGKILL');
    started.clear();
  });

  it('ends a process whose event loop stalls, with its own signal and a log line', async () => {
    const child = start('for (;;) {}');
    let written = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      written += text;
    });
    await once(child, 'message');
    child.send('go');
    const [code, signal] = await once(child, 'close');
    expect([code, signal]).toEqual([null, 'SIGALRM']);
    const line = JSON.parse(written.trim()) as { level: number; name: string; msg: string };
    expect(line).toMatchObject({ level: 60, name: 'test' });
    expect(line.msg).toMatch(/the event loop stalled for \d+ ms/);
  });

  it('leaves a process alone that is busy but answers', async () => {
    const turns = `
      const end = performance.now() + ${4 * STALL_MS};
      const turn = () => {
        const until = performance.now() + ${STALL_MS / 20};
        while (performance.now() < until) {}
        if (performance.now() < end) setImmediate(turn);
        else process.send('done');
      };
      turn();`;
    const child = start(turns);
    await once(child, 'message');
    child.send('go');
    expect((await once(child, 'message'))[0]).toBe('done');
  });

  it.runIf(process.platform === 'linux')(
    'counts its own ticks: a process that was halted for longer lives',
    async () => {
      const child = start("process.send('alive')");
      await once(child, 'message');
      for (let i = 0; i < 3; i++) {
        await halt(child);
        const halted = statusOf(`${child.pid}`).ticks;
        await new Promise((resolve) => setTimeout(resolve, 3 * STALL_MS));
        expect(statusOf(`${child.pid}`).ticks).toBe(halted);
        child.kill('SIGCONT');
        child.send('are you there?');
        expect((await once(child, 'message'))[0]).toBe('alive');
      }
    },
  );
});
