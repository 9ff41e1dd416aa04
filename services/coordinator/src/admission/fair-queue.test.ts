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

  it.each([
    [{ a: 3, b: 1 }],
    [{ a: 1, b: 1, c: 1 }],
    [{ a: 2, b: 0.5, c: 7 }],
    [{ a: 1000, b: 1, c: 0.25 }],
  ])('shares turns by weight: %o', (weights: Record<string, number>) => {
    const clients = Object.keys(weights);
    const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
    const line = new FairQueue<string>((client) => weights[client]!);
    for (const client of clients) for (let i = 0; i < 5; i++) line.push(client, client);
    const turns: Record<string, number> = {};
    for (let taken = 1; taken <= 4000; taken++) {
      const client = line.shift()!;
      line.push(client, client); // Everybody always has jobs.
      turns[client] = (turns[client] ?? 0) + 1;
      if (taken % 1000 !== 0) continue;
      // A client is never a whole turn per other client from its share.
      for (const other of clients) {
        const share = (taken * weights[other]!) / total;
        expect(Math.abs((turns[other] ?? 0) - share)).toBeLessThanOrEqual(clients.length);
      }
    }
  });

  it('takes jobs in the order of their due times, as a sorted list of all of them has it', () => {
    const weights: Record<string, number> = { a: 4, b: 1, c: 2 };
    const line = new FairQueue<string>((client) => weights[client]!);
    const due: { name: string; time: number }[] = [];
    for (const client of ['a', 'b', 'c']) {
      for (let n = 1; n <= 8; n++) {
        line.push(client, `${client}${n}`);
        due.push({ name: `${client}${n}`, time: n / weights[client]! });
      }
    }
    const timeOf = (name: string | undefined) => due.find((job) => job.name === name)!.time;
    const times = drain(line).map(timeOf);
    expect(times).toEqual(due.map(({ time }) => time).sort((x, y) => x - y));
  });

  it('lets a client of weight 1000 starve none, and an idle one save no turns', () => {
    const line = new FairQueue<string>((client) => (client === 'a' ? 1000 : 1));
    for (let i = 0; i < 5000; i++) line.push('a', 'a');
    for (let i = 0; i < 500; i++) line.shift();
    line.push('b', 'b');
    let before = 0;
    while (line.shift() === 'a') before++;
    expect(before).toBeLessThanOrEqual(1000);
    line.push('c', 'c');
    line.push('c', 'c');
    const order = Array.from({ length: 1500 }, () => line.shift());
    expect(order.indexOf('c')).toBeGreaterThan(900);
    expect(order.lastIndexOf('c')).toBe(order.indexOf('c'));
  });
});
