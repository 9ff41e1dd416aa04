import { describe, expect, it, vi } from 'vitest';
import * as webgl from '../../index.ts';
import type { Document } from '../elements/document.ts';
import { createWindow, installWindow, type WindowOptions } from './window.ts';

const OPTIONS: WindowOptions = { createContext: () => null };
const tagOf = (value: unknown) => Object.prototype.toString.call(value);

describe('classes of a page', () => {
  it('identify the objects of WebGL', () => {
    const gl = webgl.createContext(2, 2, { createWebGL2Context: true });
    const objects = {
      WebGLBuffer: gl.createBuffer(),
      WebGLFramebuffer: gl.createFramebuffer(),
      WebGLProgram: gl.createProgram(),
      WebGLQuery: gl.createQuery(),
      WebGLRenderbuffer: gl.createRenderbuffer(),
      WebGLSampler: gl.createSampler(),
      WebGLShader: gl.createShader(gl.VERTEX_SHADER),
      WebGLTexture: gl.createTexture(),
      WebGLTransformFeedback: gl.createTransformFeedback(),
      WebGLVertexArrayObject: gl.createVertexArray(),
      WebGL2RenderingContext: gl,
    };
    const page = createWindow(OPTIONS);
    for (const [name, object] of Object.entries(objects)) {
      expect(object).toBeInstanceOf(page[name] as typeof Object);
      expect(tagOf(object)).toBe(`[object ${name}]`);
    }
    expect(gl.createBuffer()).not.toBeInstanceOf(page.WebGLTexture as typeof Object);
  });

  it('identify the elements of a page by their names', () => {
    const { document } = createWindow(OPTIONS);
    expect(tagOf(document)).toBe('[object HTMLDocument]');
    expect(tagOf(document.createElement('canvas'))).toBe('[object HTMLCanvasElement]');
    expect(tagOf(document.createElement('img'))).toBe('[object HTMLImageElement]');
    expect(tagOf(document.createElement('p'))).toBe('[object HTMLElement]');
  });

  it('let libraries recognize a page by process.browser, until the window is removed', () => {
    const uninstall = installWindow(OPTIONS);
    expect((process as { browser?: boolean }).browser).toBe(true);
    uninstall();
    expect('browser' in process).toBe(false);
  });
});

describe('observers of elements', () => {
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

  function observe(name: 'ResizeObserver' | 'IntersectionObserver', document: Document) {
    const page = createWindow(OPTIONS) as unknown as Window & typeof globalThis;
    const received = vi.fn();
    const observer = new page[name](received);
    const canvas = document.createElement('canvas');
    observer.observe(canvas as unknown as HTMLCanvasElement);
    return { observer, received, canvas };
  }

  it('report a size once, and after a frame that changed it', async () => {
    const { document } = createWindow(OPTIONS);
    const { observer, received, canvas } = observe('ResizeObserver', document);
    expect(received).not.toHaveBeenCalled();
    await turn();
    document.endFrame();
    expect(received).toHaveBeenCalledOnce();
    const [[entry]] = received.mock.calls[0]!;
    expect(entry.contentRect).toMatchObject({ width: 300, height: 150 });
    expect(entry.devicePixelContentBoxSize).toEqual([{ inlineSize: 300, blockSize: 150 }]);
    canvas.width = 20;
    document.endFrame();
    expect(received.mock.calls[1]![0][0].contentRect.width).toBe(20);
    observer.disconnect();
    canvas.width = 30;
    document.endFrame();
    expect(received).toHaveBeenCalledTimes(2);
  });

  it('report the style that promises of the script have set', async () => {
    const { document } = createWindow(OPTIONS);
    const { received, canvas } = observe('ResizeObserver', document);
    await Promise.resolve();
    canvas.style.width = '40px';
    await turn();
    expect(received.mock.calls[0]![0][0].contentRect.width).toBe(40);
    expect(document.pending.started).toBe(1);
    expect(document.pending.isEmpty).toBe(true);
  });

  it('report whether an element is in the page', async () => {
    const { document } = createWindow(OPTIONS);
    const { received, canvas } = observe('IntersectionObserver', document);
    await turn();
    expect(received.mock.calls[0]![0][0]).toMatchObject({ isIntersecting: false, target: canvas });
    document.body.appendChild(canvas);
    document.endFrame();
    expect(received.mock.calls[1]![0][0]).toMatchObject({ isIntersecting: true });
  });
});

describe('matchMedia', () => {
  const page = createWindow({ ...OPTIONS, innerWidth: 640, innerHeight: 360 });
  const { matchMedia } = page as unknown as Window;

  it.each([
    ['(min-width: 640px)', true],
    ['(min-width: 641px)', false],
    ['screen and (max-height: 360px)', true],
    ['print, (resolution: 1dppx)', true],
    ['(resolution: 2dppx)', false],
    ['(prefers-color-scheme: dark)', false],
  ])('%s', (query, matches) => {
    expect(matchMedia(query)).toMatchObject({ media: query, matches });
  });
});
