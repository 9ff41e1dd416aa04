import { describe, expect, it, vi } from 'vitest';
import type { CanvasContext } from '../canvas/canvas-surface.ts';
import type { Context2d } from '../canvas-2d/context-2d.ts';
import { CanvasElement } from '../elements/canvas-element.ts';
import type { ScriptElement } from '../elements/script-element.ts';
import { createWindow, installWindow, type WindowOptions } from './window.ts';

const OPTIONS: WindowOptions = { createContext: () => null };

describe('createWindow', () => {
  it('finds elements of its page by id, tag and selector', () => {
    const { document } = createWindow(OPTIONS);
    const span = document.createElement('span');
    span.id = 'caption';
    span.appendChild(document.createTextNode('hello'));
    expect(document.getElementById('caption')).toBeNull();
    document.body.appendChild(span);
    expect(document.getElementById('caption')).toBe(span);
    expect(document.querySelector('span')?.textContent).toBe('hello');
    document.body.removeChild(span);
    expect(document.getElementsByTagName('span')).toEqual([]);
  });

  it('runs a script when it is added to the page, not before', () => {
    const run: string[] = [];
    const runScript = (script: ScriptElement) => run.push(script.text);
    const { document } = createWindow({ ...OPTIONS, runScript });
    const script = document.createElement('script');
    script.text = 'first';
    const holder = document.createElement('div');
    holder.appendChild(script);
    expect(run).toEqual([]);
    document.head.appendChild(holder);
    expect(run).toEqual(['first']);
  });

  it('refuses the page of a frame by its address, unless the host opens it', () => {
    const refused = createWindow(OPTIONS).document;
    const frame = refused.createElement('iframe');
    refused.body.appendChild(frame);
    frame.src = 'about:blank';
    expect(() => Object.assign(frame, { src: 'inner.html' })).toThrow('(inner.html) cannot be');
    const other = refused.createElement('iframe');
    other.srcdoc = '<p>';
    expect(() => refused.body.appendChild(other)).toThrow('(srcdoc) cannot be loaded');

    const openFrame = vi.fn();
    const { document } = createWindow({ ...OPTIONS, openFrame });
    const opened = document.createElement('iframe');
    opened.src = 'inner.html';
    expect(openFrame).not.toHaveBeenCalled();
    document.body.appendChild(opened);
    expect(openFrame).toHaveBeenCalledWith(opened);
    expect([opened.contentWindow, opened.contentDocument]).toEqual([null, null]);
  });

  it('gives a canvas one context, and passes its size on', () => {
    const resize = vi.fn();
    const context: CanvasContext = {
      canvas: null,
      drawingBufferWidth: 300,
      drawingBufferHeight: 150,
      resize,
    };
    const { document } = createWindow({ createContext: () => context });
    const canvas = document.createElement('canvas');
    expect(canvas.getContext('webgl')).toBe(context);
    expect(canvas.getContext('experimental-webgl')).toBe(context);
    expect(canvas.getContext('2d')).toBeNull();
    expect(canvas.getContext('bitmaprenderer')).toBeNull();
    expect(context.canvas).toBe(canvas);
    canvas.width = 20;
    expect(resize).toHaveBeenLastCalledWith(20, 150);

    const other = document.createElement('canvas');
    other.attachContext('webgl2', { ...context, drawingBufferWidth: 7 });
    expect([other.width, other.getContext('webgl')]).toEqual([7, null]);
  });

  it('renders in this process by default', () => {
    const { document } = createWindow();
    const canvas = document.createElement('canvas');
    canvas.width = 2;
    canvas.height = 1;
    const gl = canvas.getContext('webgl') as unknown as WebGLRenderingContext;
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(1, 0, 1, 1);
    gl.clearColor(1, 0, 0, 0.5);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const image = document.createElement('canvas').getContext('2d') as Context2d;
    image.drawImage(canvas, 0, 0);
    expect([...image.getImageData(0, 0, 2, 1).data]).toEqual([0, 0, 0, 0, 255, 0, 0, 128]);
  });

  it('loads an image that a canvas encoded', async () => {
    const { document, createImageBitmap } = createWindow(OPTIONS);
    const canvas = document.createElement('canvas');
    canvas.width = 2;
    canvas.height = 2;
    const context = canvas.getContext('2d') as Context2d;
    context.fillStyle = 'rgba(10, 20, 30, 0.4)';
    context.fillRect(0, 0, 2, 1);
    const image = document.createElement('img');
    const loaded = vi.fn();
    image.onload = loaded;
    image.src = canvas.toDataURL();
    expect(image.complete).toBe(false);
    await image.decode();
    expect(loaded).toHaveBeenCalledOnce();
    expect([image.width, image.naturalHeight]).toEqual([2, 2]);
    expect([...image.takePixels()!.rgba.subarray(0, 4)]).toEqual([10, 20, 30, 102]);

    const make = createImageBitmap as typeof import('../images/image-bitmap.ts').createImageBitmap;
    const flipped = await make(image, { imageOrientation: 'flipY', premultiplyAlpha: 'none' });
    expect([...flipped.takePixels()!.rgba.subarray(8, 12)]).toEqual([10, 20, 30, 102]);
    const multiplied = await make(image, 0, 0, 1, 1);
    expect(multiplied.width).toBe(1);
    expect([...multiplied.takePixels()!.rgba]).toEqual([4, 8, 12, 102]);
  });

  it('draws an SVG image at the element size', async () => {
    const { document } = createWindow(OPTIONS);
    const image = document.createElement('img');
    const shapes = '<svg width="1" height="2"><rect width="1" height="1" fill="red"/></svg>';
    image.src = `data:image/svg+xml,${encodeURIComponent(shapes)}`;
    await image.decode();
    expect([...image.takePixels()!.rgba]).toEqual([255, 0, 0, 255, 0, 0, 0, 0]);
    image.height = 4;
    expect([image.naturalHeight, image.takePixels()!.heightPx]).toEqual([2, 4]);
    expect([...image.takePixels()!.rgba.subarray(4, 12)]).toEqual([255, 0, 0, 255, 0, 0, 0, 0]);
  });

  it('fires error for a file that is not an image', async () => {
    const { document } = createWindow(OPTIONS);
    const image = document.createElement('img');
    const failed = vi.fn();
    image.addEventListener('error', failed);
    image.src = 'data:text/plain,hello';
    await expect(image.decode()).rejects.toThrow(/hello/);
    expect(failed).toHaveBeenCalledOnce();
    expect(image.takePixels()).toBeNull();
  });

  it('runs the callbacks of a frame together, without canceled ones', async () => {
    const { requestAnimationFrame: request, cancelAnimationFrame: cancel } = createWindow(
      OPTIONS,
    ) as unknown as Window;
    const times: number[] = [];
    request((time) => times.push(time));
    cancel(request(() => times.push(-1)));
    await new Promise<void>((done) => {
      request((time) => {
        times.push(time);
        done();
      });
    });
    expect(times).toHaveLength(2);
    expect(times[0]).toBe(times[1]);
  });
});

describe('images of another origin', () => {
  it('can be drawn, but neither read back nor uploaded', async () => {
    const own = createWindow(OPTIONS).document.createElement('canvas');
    const png = Buffer.from(own.toDataURL().split(',')[1]!, 'base64');
    const { document } = createWindow({
      fetchBytes: async () => png,
      isOwnAddress: (address) => !address.startsWith('http://elsewhere/'),
    });
    const [near, far, asked] = ['near.png', 'http://elsewhere/far.png', 'http://elsewhere/a.png'];
    const images = [near, far, asked].map((address) => {
      const image = document.createElement('img');
      if (address === asked) image.crossOrigin = 'anonymous';
      image.src = address!;
      return image;
    });
    await Promise.all(images.map((image) => image.decode()));
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d') as Context2d;
    context.drawImage(images[0]!, 0, 0);
    context.drawImage(images[2]!, 0, 0);
    expect(canvas.toDataURL()).toMatch(/^data:image\/png/);
    context.drawImage(images[1]!, 0, 0);
    expect(() => context.getImageData(0, 0, 1, 1)).toThrow('another origin');
    expect(() => canvas.toDataURL()).toThrow('another origin');
    const gl = document
      .createElement('canvas')
      .getContext('webgl') as unknown as WebGLRenderingContext | null;
    expect(gl).not.toBeNull();
    const upload = (source: unknown) =>
      gl!.texImage2D(0x0de1, 0, 0x1908, 0x1908, 0x1401, source as HTMLCanvasElement);
    expect(() => upload(canvas)).toThrow('another origin');
    canvas.width = 2;
    expect(canvas.toDataURL()).toMatch(/^data:image\/png/);
  });
});

describe('installWindow', () => {
  it('defines names on the global object and removes them again', () => {
    const nodes = globalThis.navigator;
    const uninstall = installWindow(OPTIONS);
    try {
      expect(self).toBe(globalThis);
      expect(navigator.userAgent).toBe('Tessera');
      expect(document.createElement('canvas')).toBeInstanceOf(CanvasElement);
      expect(new Image(3, 4).width).toBe(3);
      expect(structuredClone(new ImageData(1, 1))).toBeInstanceOf(ImageData);
    } finally {
      uninstall();
    }
    expect(globalThis.navigator).toBe(nodes);
    expect(typeof document).toBe('undefined');
  });
});

describe('messages and files of a page', () => {
  it.each([
    ['a target origin', ['*']],
    ['options', [{ targetOrigin: '*' }]],
    ['no target', []],
  ])('delivers a message to the window asynchronously, with %s', async (_what, rest) => {
    const page = createWindow(OPTIONS) as unknown as Window;
    const received: unknown[] = [];
    const done = new Promise<void>((resolve) => {
      page.addEventListener('message', ({ data, source }) => {
        received.push(data, source === page);
        resolve();
      });
    });
    page.postMessage({ greeting: 'hello' }, ...(rest as [string]));
    expect(received).toEqual([]);
    await done;
    expect(received).toEqual([{ greeting: 'hello' }, true]);
  });

  it('clones values on globalThis', () => {
    const removeWindow = installWindow(OPTIONS);
    try {
      const value = { list: [1, 2] };
      const clone = structuredClone(value);
      expect(clone).toEqual(value);
      expect(clone).not.toBe(value);
    } finally {
      removeWindow();
    }
  });

  it('fetches files that the document finds', async () => {
    const fetchBytes = async (address: string) => new TextEncoder().encode(`at ${address}`);
    const { fetch: fetchOfPage } = createWindow({ ...OPTIONS, fetchBytes }) as unknown as Window;
    expect(await (await fetchOfPage('models/a.txt')).text()).toBe('at models/a.txt');
    expect(await (await fetchOfPage('data:,hello')).text()).toBe('hello');
    const missing = createWindow({ ...OPTIONS, fetchBytes: () => Promise.reject(new Error('no')) });
    await expect((missing as unknown as Window).fetch('a.txt')).rejects.toThrow(TypeError);
  });
});
