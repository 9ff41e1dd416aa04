import { afterEach, describe, expect, it } from 'vitest';
import { installPageTime } from './page-time.ts';

let restore = (): void => {};
afterEach(() => restore());

describe('the time of a page', () => {
  it('stands still during a frame', () => {
    let timeMs = 0;
    restore = installPageTime(() => timeMs);
    const [first, startMs] = [performance.now(), Date.now()];
    for (let i = 0; i < 1000; i++) expect(performance.now()).toBe(first);
    timeMs = 50;
    expect([performance.now() - first, Date.now() - startMs]).toEqual([50, 50]);
    expect(new Date().toISOString()).toBe(new Date(Date.now()).toISOString());
  });

  it('passes for a program that waits in a loop, and never decreases', () => {
    let timeMs = 0;
    restore = installPageTime(() => timeMs);
    for (const now of [() => performance.now(), () => Date.now()]) {
      const startMs = now();
      while (now() - startMs < 2000);
      const waitedMs = now();
      timeMs += 16;
      expect(now()).toBeGreaterThan(waitedMs);
    }
  });
});
