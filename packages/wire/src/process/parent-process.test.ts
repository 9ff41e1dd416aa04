import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { onParentLeft, type StartedProcess } from './parent-process.ts';

function startedProcess(fields: object): StartedProcess & EventEmitter {
  return Object.assign(new EventEmitter(), fields) as unknown as StartedProcess & EventEmitter;
}

describe('the end of the parent', () => {
  it.each([
    ['is reported when it leaves', { send: () => {}, connected: true }, 1, 1],
    ['is reported where it has left already', { send: () => {}, connected: false }, 1, 0],
    ['does not matter without a channel', { connected: undefined }, 0, 0],
  ])('%s', (_title, fields, calls, listeners) => {
    const started = startedProcess(fields);
    const onLeft = vi.fn();
    onParentLeft(onLeft, started);
    expect(started.listenerCount('disconnect')).toBe(listeners);
    started.emit('disconnect');
    expect(onLeft).toHaveBeenCalledTimes(calls);
  });
});
