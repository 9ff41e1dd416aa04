import { afterEach, describe, expect, it, vi } from 'vitest';
import { PendingWork } from './pending-work.ts';
import { watchCalls } from './watched-calls.ts';
import { WatchedTimers } from './watched-timers.ts';

describe('PendingWork', () => {
  it('lists work until it ends', async () => {
    const work = new PendingWork();
    const end = work.begin('image a.png');
    work.begin(() => ['worker b: fetch c', 'image a.png']);
    expect(work.list()).toEqual(['image a.png', 'worker b: fetch c']);
    const changed = work.changed();
    end();
    end();
    await changed;
    expect([work.isEmpty, work.started]).toEqual([false, 2]);
    const failing = work.track('fetch d', Promise.reject(new Error('no')));
    expect(work.list()).toContain('fetch d');
    await expect(failing).rejects.toThrow('no');
    expect(work.list()).not.toContain('fetch d');
    work.begin(`fetch data:${'x'.repeat(1000)}`);
    expect(work.list().at(-1)).toHaveLength(121);
  });
});

describe('WatchedTimers', () => {
  let timers: WatchedTimers | null = null;
  afterEach(() => timers?.end());

  it('are pending until they fire or are cleared', async () => {
    const work = new PendingWork();
    timers = new WatchedTimers(work);
    const fired = vi.fn();
    const done = new Promise<void>((resolve) => setTimeout(resolve, 5));
    setTimeout(fired, 30, 'argument');
    const cleared = setTimeout(fired, 40);
    setTimeout(fired, 1001);
    const interval = setInterval(fired, 100_000);
    expect(work.list()).toEqual(['timer of 5 ms', 'timer of 30 ms', 'timer of 40 ms']);
    clearTimeout(cleared);
    await done;
    expect(work.list()).toEqual(['timer of 30 ms']);
    while (!work.isEmpty) await work.changed();
    expect(fired.mock.calls).toEqual([['argument']]);
    clearInterval(interval);
  });

  it('are not pending in a chain that does not end, even across promises', async () => {
    const work = new PendingWork();
    timers = new WatchedTimers(work);
    let count = 0;
    const tick = async () => {
      await Promise.resolve();
      if (++count < 30) setTimeout(tick, 1);
    };
    setTimeout(tick, 1);
    while (!work.isEmpty) await work.changed();
    expect([count, work.started]).toEqual([5, 5]);
  });
});

describe('watchCalls', () => {
  it('tracks bodies, streams and modules until it stops', async () => {
    const work = new PendingWork();
    const stop = watchCalls(work);
    const text = new Response('{"a": 1}').json();
    const module = WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
    const reader = new Blob(['abc']).stream().getReader();
    const chunk = reader.read();
    expect(work.list().toSorted()).toEqual(['WebAssembly module', 'body of a response', 'stream']);
    expect(await text).toEqual({ a: 1 });
    expect(await module).toBeInstanceOf(WebAssembly.Module);
    expect((await chunk).value).toHaveLength(3);
    expect(work.isEmpty).toBe(true);
    stop();
    const { started } = work;
    await new Response('x').text();
    expect(work.started).toBe(started);
  });
});
