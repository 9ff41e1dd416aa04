import { describe, expect, it } from 'vitest';
import { relieveMemory } from './memory-relief.ts';

describe('relieveMemory', () => {
  it('ends idle threads only if the process holds much memory', () => {
    const ended: string[] = [];
    const threads = ['first', 'second'].map((name) => ({ endIdle: () => ended.push(name) }));
    relieveMemory(threads, 640 * 2 ** 20);
    expect(ended).toEqual([]);
    relieveMemory(threads, 640 * 2 ** 20 + 1);
    expect(ended).toEqual(['first', 'second']);
  });
});
