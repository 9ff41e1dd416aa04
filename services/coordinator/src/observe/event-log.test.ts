import { describe, expect, it } from 'vitest';
import { EventLog } from './event-log.ts';

describe('EventLog', () => {
  it('returns the events after a number while they are kept', () => {
    const log = new EventLog(4, 100);
    expect(log.since(99)).toEqual([]);
    for (let i = 0; i < 10; i++) log.publish('bin', 'frame', i);
    expect(log.lastNumber).toBe(109);
    expect(log.since(107)?.map(({ body }) => body)).toEqual([8, 9]);
    expect(log.since(109)).toEqual([]);
    expect(log.since(99)).toBeNull(); // The log has discarded them.
    expect(log.since(105)?.length).toBe(4);
  });

  it('returns null for numbers of other processes', () => {
    const log = new EventLog(4, 100);
    log.publish('bin', 'frame', 0);
    expect(log.since(50)).toBeNull();
    expect(log.since(101)).toBeNull();
  });

  it('notifies listeners until they unsubscribe', () => {
    const log = new EventLog(4, 1);
    const heard: unknown[] = [];
    const leave = log.subscribe(({ body }) => heard.push(body));
    log.publish('queue', '', 'a');
    leave();
    log.publish('queue', '', 'b');
    expect(heard).toEqual(['a']);
  });
});
