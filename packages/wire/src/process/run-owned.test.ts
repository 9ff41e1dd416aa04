import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { runOwned } from './run-owned.ts';

function makeLog() {
  const lines: string[] = [];
  return { lines, error: (fields: object, message: string) => lines.push(`${message} ${fields}`) };
}

it('ends one job when its work fails, whether at once or later', async () => {
  const log = makeLog();
  const ended: unknown[] = [];
  const atOnce = () => {
    throw new Error('at once');
  };
  runOwned(log, 'one', {}, atOnce, (error) => ended.push(error));
  const later = async () => {
    await Promise.resolve();
    throw new Error('later');
  };
  runOwned(log, 'two', {}, later, (error) => ended.push(error));
  await vi.waitFor(() => expect(ended).toHaveLength(2));
  expect(ended).toEqual([new Error('at once'), new Error('later')]);
  expect(log.lines).toHaveLength(2);
});

it('lets no failure reach the process, not even that of ending the job', async () => {
  const log = makeLog();
  const rejected = vi.fn();
  process.on('unhandledRejection', rejected);
  const fail = () => {
    throw new Error('the end fails too');
  };
  runOwned(log, 'work', {}, () => Promise.reject(new Error('work')), fail);
  await vi.waitFor(() => expect(log.lines).toHaveLength(2));
  await nextTurn();
  process.off('unhandledRejection', rejected);
  expect(rejected).not.toHaveBeenCalled();
});
