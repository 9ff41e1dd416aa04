import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

function fill(clients: Readonly<Record<string, number>>): FairQueue<string> {
  const line = new FairQueue<string>();
  for (const [client, count] of Object.entries(clients)) {
    for (let job = 1; job <= count; job++) line.push(client, `${client}${job}`);
  }
  return line;
}

function drain(line: FairQueue<string>): string[] {
  const order: string[] = [];
  for (let job = line.shift(); job !== undefined; job = line.shift()) order.push(job);
  return order;
}

describe('FairQueue', () => {
  it('returns the jobs of one client in their order of arrival', () => {
    expect(drain(fill({ a: 3 }))).toEqual(['a1', 'a2', 'a3']);
  });

  it('lets clients take turns, however many jobs one has', () => {
    expect(drain(fill({ a: 32, b: 1, c: 2 })).slice(0, 5)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2']);
  });

  it('puts a new client before the second job of every other client', () => {
    const line = fill({ a: 32, b: 32 });
    expect(line.shift()).toBe('a1');
    line.push('c', 'c1');
    expect([line.shift(), line.shift(), line.shift()]).toEqual(['b1', 'a2', 'c1']);
  });

  it('gives a client no extra turn for adding one job at a time', () => {
    const line = fill({ a: 2, b: 2 });
    const order: (string | undefined)[] = [];
    line.push('c', 'c1');
    for (let turn = 0; turn < 6; turn++) {
      const job = line.shift();
      order.push(job);
      if (job === 'c1') line.push('c', 'c2');
    }
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
  });

  it('skips jobs that are not eligible, without losing a turn', () => {
    const line = fill({ a: 2, b: 2 });
    expect(line.shift((job) => job.endsWith('2'))).toBe('a2');
    expect(line.shift((_job, client) => client === 'c')).toBeUndefined();
    expect(drain(line)).toEqual(['b1', 'a1', 'b2']);
  });

  it('counts and removes jobs', () => {
    const line = fill({ a: 2, b: 1 });
    expect([line.length, line.countOf('a'), line.countOf('none')]).toEqual([3, 2, 0]);
    expect([line.remove('b1'), line.remove('b1')]).toEqual([true, false]);
    expect(line.list()).toEqual(['a1', 'a2']);
    expect(line.list('b')).toEqual([]);
  });
});
