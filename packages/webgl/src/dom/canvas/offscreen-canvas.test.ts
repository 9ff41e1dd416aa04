import { describe, expect, it, vi } from 'vitest';
import type { Context2d } from '../canvas-2d/context-2d.ts';
import { Document } from '../elements/document.ts';
import type { OffscreenCanvas as Canvas } from './offscreen-canvas.ts';

const { OffscreenCanvas } = new Document();

/** Clears a canvas to half-transparent red through WebGL. */
function clearToRed(canvas: Canvas, attributes: object = {}): WebGLRenderingContext {
  const gl = canvas.getContext('webgl', attributes) as unknown as WebGLRenderingContext;
  gl.clearColor(0.5, 0, 0, 0.5);
  gl.clear(gl.COLOR_BUFFER_BIT);
  return gl;
}

function readCorner(gl: WebGLRenderingContext): number[] {
  const rgba = new Uint8Array(4);
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, rgba);
  return [...rgba];
}

describe('OffscreenCanvas', () => {
  it('has the size it was given, and one context', () => {
    const canvas = new OffscreenCanvas(3, 2);
    const gl = canvas.getContext('webgl2') as unknown as WebGL2RenderingContext;
    expect([gl.canvas, gl.drawingBufferWidth, gl.drawingBufferHeight]).toEqual([canvas, 3, 2]);
    expect([canvas.getContext('webgl'), canvas.getContext('2d')]).toEqual([null, null]);
    canvas.width = 5;
    expect(gl.drawingBufferWidth).toBe(5);
    expect(() => new OffscreenCanvas(-1, 2)).toThrow('width -1');
    expect(() => {
      canvas.height = Number.NaN;
    }).toThrow(TypeError);
  });

  it.each([{}, { preserveDrawingBuffer: true }])(
    'moves its image into a bitmap, with %j',
    (attributes) => {
      const canvas = new OffscreenCanvas(1, 1);
      const gl = clearToRed(canvas, attributes);
      const bitmap = canvas.transferToImageBitmap();
      expect([...bitmap.takePixels()!.rgba]).toEqual([128, 0, 0, 128]);
      expect(readCorner(gl)).toEqual([0, 0, 0, 0]);
    },
  );

  it('moves the image of a 2D context, whose state stays', () => {
    const canvas = new OffscreenCanvas(1, 1);
    const context = canvas.getContext('2d') as Context2d;
    context.fillStyle = 'rgba(200, 100, 0, 0.4)';
    context.fillRect(0, 0, 1, 1);
    const bitmap = canvas.transferToImageBitmap();
    expect(bitmap.takePixels()).toMatchObject({ isPremultiplied: true, widthPx: 1 });
    expect([...bitmap.takePixels()!.rgba]).toEqual([80, 40, 0, 102]);
    expect([...context.getImageData(0, 0, 1, 1).data]).toEqual([0, 0, 0, 0]);
    expect(context.fillStyle).toBe('rgba(200, 100, 0, 0.4)');
    expect(() => new OffscreenCanvas(1, 1).transferToImageBitmap()).toThrow('no context');
  });

  it('encodes its image', async () => {
    const canvas = new OffscreenCanvas(2, 1);
    clearToRed(canvas);
    const blob = await canvas.convertToBlob();
    expect(blob.type).toBe('image/png');
    const { createImageBitmap } = await import('../images/image-bitmap.ts');
    const bitmap = await createImageBitmap(blob, { premultiplyAlpha: 'none' });
    expect([...bitmap.takePixels()!.rgba.subarray(0, 4)]).toEqual([255, 0, 0, 128]);
    await expect(new OffscreenCanvas(0, 1).convertToBlob()).rejects.toThrow('empty');
  });

  it('receives the events of a lost context', async () => {
    const canvas = new OffscreenCanvas(1, 1);
    const gl = clearToRed(canvas);
    const lost = new Promise((resolve) => canvas.addEventListener('webglcontextlost', resolve));
    gl.getExtension('WEBGL_lose_context')!.loseContext();
    expect(await lost).toBeInstanceOf(Event);
  });
});

describe('transferControlToOffscreen', () => {
  it('draws in place of the element', () => {
    const page = new Document();
    const element = page.createElement('canvas');
    Object.assign(element, { width: 2, height: 1 });
    const canvas = element.transferControlToOffscreen();
    expect(canvas).toBeInstanceOf(page.OffscreenCanvas);
    expect([canvas.width, canvas.height, canvas.isShown]).toEqual([2, 1, false]);
    page.body.appendChild(element);
    expect(canvas.isShown).toBe(true);

    const gl = clearToRed(canvas);
    expect([...element.takePixels().rgba.subarray(4)]).toEqual([128, 0, 0, 128]);
    canvas.endFrame();
    expect(readCorner(gl)).toEqual([0, 0, 0, 0]);
    expect([...element.takePixels().rgba.subarray(4)]).toEqual([128, 0, 0, 128]);

    canvas.width = 7;
    expect(element.width).toBe(2);
    page.endFrame();
    expect(element.width).toBe(7);
  });

  it('leaves the element without a context and a size of its own', () => {
    const element = new Document().createElement('canvas');
    element.transferControlToOffscreen();
    expect(() => element.getContext('2d')).toThrow('OffscreenCanvas draws in place');
    expect(() => Object.assign(element, { height: 3 })).toThrow('OffscreenCanvas draws in place');
    expect(() => element.transferControlToOffscreen()).toThrow(DOMException);
    const drawn = new Document().createElement('canvas');
    drawn.getContext('2d');
    expect(() => drawn.transferControlToOffscreen()).toThrow('has a context');
  });

  it('tells the context factory of the page which canvas is shown', () => {
    const createContext = vi.fn(() => null);
    const page = new Document({ createContext });
    const canvas = page.body.appendChild(page.createElement('canvas')).transferControlToOffscreen();
    expect(canvas.getContext('webgl2')).toBeNull();
    expect(createContext).toHaveBeenCalledWith('webgl2', canvas, {});
  });
});
