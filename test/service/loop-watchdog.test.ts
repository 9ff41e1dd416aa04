import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
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

/** Returns the CPU time that a process has used, in clock ticks. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return Number(fields[11]) + Number(fields[12]);
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
        child.kill('SIGSTOP');
        const halted = ticksOf(child.pid!);
        await new Promise((resolve) => setTimeout(resolve, 3 * STALL_MS));
        expect(ticksOf(child.pid!)).toBe(halted);
        child.kill('SIGCONT');
        child.send('are you there?');
        expect((await once(child, 'message'))[0]).toBe('alive');
      }
    },
  );
});
