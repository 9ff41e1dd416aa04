import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createWindow } from '../page/window.ts';

const folder = mkdtempSync(join(tmpdir(), 'tessera-requests-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'a.json'), '{"value": 3}');

const address = pathToFileURL(join(folder, 'page.html')).href;
const page = createWindow({ address }) as unknown as Window & typeof globalThis;
const file = pathToFileURL(join(folder, 'a.json')).href;

/** Sends a request and returns it with the names of its events. */
async function request(
  from: string,
  type: XMLHttpRequestResponseType,
  prepare?: (r: XMLHttpRequest) => void,
) {
  const made = new page.XMLHttpRequest();
  const events: string[] = [];
  for (const name of ['loadstart', 'progress', 'load', 'error', 'abort', 'loadend']) {
    made.addEventListener(name, (event) => events.push(event.type));
  }
  made.open('get', from);
  made.responseType = type;
  prepare?.(made);
  const done = new Promise((resolve) => {
    made.onloadend = resolve;
  });
  made.send();
  await done;
  return { made, events };
}

describe('XMLHttpRequest', () => {
  it('loads a file with its events', async () => {
    const states: number[] = [];
    const { made, events } = await request(file, 'json', (each) => {
      each.onreadystatechange = (event) => states.push((event.target as XMLHttpRequest).readyState);
    });
    expect(made.response).toEqual({ value: 3 });
    expect(() => made.responseText).toThrow('responseType is json');
    expect(events).toEqual(['loadstart', 'progress', 'load', 'loadend']);
    expect(states).toEqual([2, 3, 4]);
    expect([made.status, made.getResponseHeader('content-length')]).toEqual([200, '12']);
    expect(made.responseURL).toBe(file);
  });

  it.each([
    ['', '{"value": 3}'],
    ['text', '{"value": 3}'],
    ['arraybuffer', expect.any(ArrayBuffer)],
    ['blob', expect.any(Blob)],
  ] as const)('has a response of type "%s"', async (type, expected) => {
    expect((await request(file, type)).made.response).toEqual(expected);
  });

  it('reports a missing file and an abort', async () => {
    const missing = await request('data:text/plain;base64,%', 'text');
    expect(missing.events).toEqual(['loadstart', 'error', 'loadend']);
    expect([missing.made.status, missing.made.responseText]).toEqual([0, '']);
    const made = new page.XMLHttpRequest();
    const loaded = vi.fn();
    made.onload = loaded;
    made.open('GET', file);
    made.send();
    made.abort();
    await request(file, 'text');
    expect([made.readyState, loaded.mock.calls.length]).toEqual([0, 0]);
    expect(() => made.send()).toThrow('not open');
  });

  it('reads files while the page waits', () => {
    const made = new page.XMLHttpRequest();
    made.open('GET', file, false);
    made.send();
    expect([made.status, made.responseText]).toEqual([200, '{"value": 3}']);
    made.open('GET', 'http://localhost/a.json', false);
    expect(() => made.send()).toThrow('synchronously');
  });
});
