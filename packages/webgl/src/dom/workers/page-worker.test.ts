/** Workers of a page in real threads. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { WEBGL_CLASSES } from '../../webgl-classes.ts';
import type { ImageBitmap } from '../images/image-bitmap.ts';
import { createWindow } from '../page/window.ts';
import { WEBGL_NAMES } from '../worker-thread/lazy-contexts.ts';
import { PageWorkers } from './page-workers.ts';

const folder = mkdtempSync(join(tmpdir(), 'tessera-workers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const errors = vi.fn();
let workers = new PageWorkers();
afterEach(() => {
  workers.terminate();
  errors.mockClear();
});

/** Page in the folder, with its own workers. */
function openPage() {
  workers = new PageWorkers();
  const address = pathToFileURL(join(folder, 'page.html')).href;
  return createWindow({ workers, address, reportError: errors }) as unknown as Window &
    typeof globalThis;
}

function writeScript(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

function blobOf(text: string): string {
  return URL.createObjectURL(new Blob([text]));
}

/** Returns the data of the next message. */
function nextMessage(worker: Worker): Promise<unknown> {
  return new Promise((resolve) => {
    worker.addEventListener('message', ({ data }) => resolve(data), { once: true });
  });
}

function eventually(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 });
}

describe('script of a worker', () => {
  const ECHO = 'onmessage = ({ data }) => postMessage([self.name, data]);';

  it.each([
    ['a file', () => writeScript('echo.js', ECHO), {}],
    ['a module', () => writeScript('echo.mjs', `export {}; ${ECHO}`), { type: 'module' }],
    ['a blob that is revoked at once', () => blobOf(ECHO), {}],
    ['a module in a blob', () => blobOf(`export {}; ${ECHO}`), { type: 'module' }],
    ['a data address', () => `data:text/javascript,${encodeURIComponent(ECHO)}`, {}],
  ] as const)('can be %s', async (_what, write, options) => {
    const address = write();
    const worker = new (openPage().Worker)(address, { name: 'one', ...options });
    if (address.startsWith('blob:')) URL.revokeObjectURL(address);
    worker.postMessage(7);
    expect(await nextMessage(worker)).toEqual(['one', 7]);
  });

  it('can import modules and scripts relative to its address', async () => {
    writeScript('part.ts', 'export const value: number = 5;');
    writeScript('part.js', 'var classic = 6;');
    writeScript('imports.mjs', "import { value } from './part.ts'; postMessage(value);");
    const own = blobOf('var own = 7;');
    writeScript(
      'imports.js',
      `importScripts('part.js', '${own}'); postMessage([classic, own]);
       importScripts(URL.createObjectURL(new Blob(['postMessage(8)'])));`,
    );
    const page = openPage();
    expect(await nextMessage(new page.Worker('imports.mjs', { type: 'module' }))).toBe(5);
    const received: unknown[] = [];
    await new Promise<void>((resolve) => {
      new page.Worker('imports.js').onmessage = ({ data }) => {
        received.push(data);
        if (received.length === 2) resolve();
      };
    });
    expect(received).toEqual([[6, 7], 8]);
  });

  it('sees the names of a worker, and none of Node by which libraries know it', async () => {
    const names = ['process', 'window', 'document', 'importScripts', 'XMLHttpRequest', 'Worker'];
    const source = `postMessage([
      ${JSON.stringify(names)}.map((name) => typeof self[name]),
      self instanceof WorkerGlobalScope, self instanceof DedicatedWorkerGlobalScope,
      self === globalThis, location.protocol, typeof WebGLTexture, navigator.userAgent,
    ])`;
    const worker = new (openPage().Worker)(blobOf(source));
    expect(await nextMessage(worker)).toEqual([
      ['undefined', 'undefined', 'undefined', 'function', 'function', 'function'],
      ...[true, true, true, 'blob:', 'function', 'Tessera'],
    ]);
    expect(WEBGL_NAMES.toSorted()).toEqual(Object.keys(WEBGL_CLASSES).toSorted());
  });

  it('reads the files of the page', async () => {
    writeScript('data.json', '{"value": 9}');
    const source = `
      const request = new XMLHttpRequest();
      request.open('GET', 'data.json', false);
      request.send();
      fetch('data.json').then((response) => response.json()).then(({ value }) => {
        postMessage([value, request.responseText]);
      });`;
    const worker = new (openPage().Worker)(writeScript('reads.js', source));
    expect(await nextMessage(worker)).toEqual([9, '{"value": 9}']);
  });
});

describe('messages of a worker', () => {
  it('transfer buffers and objects of a page', async () => {
    const page = openPage();
    const source = `onmessage = ({ data }) => {
      const { bitmap, image, bytes } = data.list[0];
      const canvas = new OffscreenCanvas(1, 1);
      canvas.getContext('2d').drawImage(bitmap, 0, 0);
      const made = canvas.transferToImageBitmap();
      postMessage([image.data[0], bytes, new Map([['made', made]])], [made, bytes.buffer]);
    };`;
    const worker = new page.Worker(blobOf(source));
    const image = new page.ImageData(1, 1);
    image.data.set([200, 100, 0, 255]);
    const bitmap = await page.createImageBitmap(image);
    const bytes = Uint8Array.of(1, 2);
    worker.postMessage({ list: [{ bitmap, image, bytes }] }, [bitmap, bytes.buffer]);
    expect([bitmap.width, bytes.length]).toEqual([0, 0]);
    const [red, back, made] = (await nextMessage(worker)) as [
      number,
      Uint8Array,
      Map<string, ImageBitmap>,
    ];
    expect([red, ...back]).toEqual([200, 1, 2]);
    expect(made.get('made')).toBeInstanceOf(page.ImageBitmap);
    expect([...made.get('made')!.takePixels()!.rgba]).toEqual([200, 100, 0, 255]);
  });

  it('cannot contain elements, contexts or a canvas that is not transferred', () => {
    const page = openPage();
    const worker = new page.Worker(blobOf(''));
    const canvas = page.document.createElement('canvas');
    const offscreen = new page.OffscreenCanvas(1, 1);
    for (const value of [canvas, canvas.getContext('2d'), { offscreen }, () => {}]) {
      expect(() => worker.postMessage(value)).toThrow(DOMException);
    }
    expect(() => worker.postMessage(offscreen, [offscreen, offscreen])).toThrow('twice');
    offscreen.getContext('2d');
    expect(() => worker.postMessage(offscreen, [offscreen])).toThrow('context');
  });

  it('stop when the worker is terminated or closes itself', async () => {
    const page = openPage();
    const worker = new page.Worker(blobOf('postMessage(1); onmessage = () => postMessage(2);'));
    await nextMessage(worker);
    const received = vi.fn();
    worker.onmessage = received;
    worker.postMessage(0);
    worker.terminate();
    const closing = new page.Worker(blobOf('postMessage(3); close();'));
    expect(await nextMessage(closing)).toBe(3);
    await eventually(() => expect(workers.pending.isEmpty).toBe(true));
    expect(received).not.toHaveBeenCalled();
  });
});

describe('errors of a worker', () => {
  it.each([
    ['its script', 'null.x;', 1],
    ['a handler', '\nonmessage = () => null.x;', 2],
    ['a timer', 'setTimeout(() => null.x, 1);', 1],
  ])('in %s reach its listener with their place', async (_what, source, line) => {
    const worker = new (openPage().Worker)(writeScript('fails.js', source));
    worker.postMessage(0);
    const event = await new Promise<ErrorEvent>((resolve) => {
      worker.onerror = resolve as (event: ErrorEvent) => void;
    });
    expect(event.message).toMatch(/^Uncaught TypeError: Cannot read properties of null/);
    expect([event.filename, event.lineno]).toEqual([
      pathToFileURL(join(folder, 'fails.js')).href,
      line,
    ]);
    expect(errors).not.toHaveBeenCalled();
  });

  it('are errors of the page without a listener', async () => {
    const page = openPage();
    new page.Worker(blobOf('Promise.reject(new RangeError("lost"));'));
    await eventually(() => expect(errors).toHaveBeenCalledOnce());
    expect(errors.mock.calls[0]![0]).toMatchObject({ name: 'RangeError', message: 'lost' });
    new page.Worker('missing.js');
    await eventually(() => expect(errors).toHaveBeenCalledTimes(2));
    expect(String(errors.mock.calls[1]![0])).toContain('missing.js cannot be loaded');
    expect(() => new page.Worker('http://')).toThrow('not valid');
  });

  it('can be handled by the worker', async () => {
    const source = 'onerror = (message) => { postMessage(message); return true; }; null.x;';
    const worker = new (openPage().Worker)(blobOf(source));
    worker.onerror = errors;
    expect(await nextMessage(worker)).toMatch('Uncaught TypeError');
    expect(errors).not.toHaveBeenCalled();
  });
});

describe('canvas in a worker', () => {
  it('draws in place of an element of the page', async () => {
    const { Worker, document } = openPage();
    const element = document.createElement('canvas');
    Object.assign(element, { width: 2, height: 1 });
    const canvas = element.transferControlToOffscreen();
    // The worker of the page passes the canvas on to its own worker.
    const inner = `onmessage = ({ data: canvas }) => {
      const gl = canvas.getContext('webgl');
      gl.clearColor(1, 0, 0, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      postMessage([gl instanceof WebGLRenderingContext, gl.canvas === canvas]);
    };`;
    const outer = `
      const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(inner)}])));
      worker.onmessage = ({ data }) => postMessage(data);
      onmessage = ({ data: canvas }) => worker.postMessage(canvas, [canvas]);`;
    const worker = new Worker(blobOf(outer));
    worker.postMessage(canvas, [canvas]);
    expect([canvas.width, canvas.height]).toEqual([0, 0]);
    expect(() => canvas.getContext('2d')).toThrow('moved');
    expect(await nextMessage(worker)).toEqual([true, true]);
    const source = element as unknown as ImageBitmap;
    await eventually(() => expect(source.takePixels()!.rgba[4]).toBe(255));
    expect([element.width, element.height]).toEqual([2, 1]);
  });

  it('runs animation frames', async () => {
    const source = `
      const times = [];
      const run = (time) => (times.push(time) < 2 ? requestAnimationFrame(run) : postMessage(times));
      requestAnimationFrame(run);`;
    const times = (await nextMessage(new (openPage().Worker)(blobOf(source)))) as number[];
    expect(times[1]).toBeGreaterThan(times[0]!);
  });
});

describe('pending work of a worker', () => {
  it('ends when its messages and what they started have ended', async () => {
    const page = openPage();
    writeScript('slow.txt', 'x'.repeat(1000));
    const source = `onmessage = async () => {
      const text = await (await fetch('slow.txt')).text();
      setTimeout(() => postMessage(text.length), 20);
    };`;
    const worker = new page.Worker(writeScript('slow.js', source));
    const address = pathToFileURL(join(folder, 'slow.js')).href;
    expect(workers.pending.list()).toEqual([`worker ${address}`]);
    worker.postMessage(0);
    const received = vi.fn();
    worker.onmessage = received;
    const seen = new Set<string>();
    while (!workers.pending.isEmpty) {
      for (const name of workers.pending.list()) seen.add(name);
      await workers.pending.changed();
    }
    expect(received).toHaveBeenCalledOnce();
    expect(seen).toContain(`worker ${address}: timer of 20 ms`);
    expect([workers.messageCount, workers.loadCount > 0]).toEqual([2, true]);
  });
});
