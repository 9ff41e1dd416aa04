import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { resolveCoordinatorUrl, type StartedProcess } from './announced-address.ts';

/** Returns a fake process with or without a channel. */
function startProcess(connected: boolean): EventEmitter & StartedProcess {
  return Object.assign(new EventEmitter(), { connected }) as unknown as EventEmitter &
    StartedProcess;
}

describe('resolveCoordinatorUrl', () => {
  it('replaces port 0 by the announced port', async () => {
    const started = startProcess(true);
    const url = resolveCoordinatorUrl('wss://127.0.0.1:0/chiplets', started);
    started.emit('message', { kind: 'coordinator', port: 4711 });
    expect(await url).toBe('wss://127.0.0.1:4711/chiplets');
    expect(started.eventNames()).toEqual([]);
  });

  it('does not wait if the port is known or there is no parent process', async () => {
    const known = 'ws://127.0.0.1:8080/chiplets';
    expect(await resolveCoordinatorUrl(known, startProcess(true))).toBe(known);
    const without = 'ws://127.0.0.1:0/chiplets';
    expect(await resolveCoordinatorUrl(without, startProcess(false))).toBe(without);
  });

  it('gives null when the announcing process exits', async () => {
    const started = startProcess(true);
    const url = resolveCoordinatorUrl('ws://127.0.0.1:0/chiplets', started);
    started.emit('disconnect');
    expect(await url).toBeNull();
    expect(started.eventNames()).toEqual([]);
  });
});
