import { ImageDecoder } from '@tessera/scenes/images';
import { describe, expect, it } from 'vitest';
import { WEBGL_METHODS, WEBGL2_METHODS } from './interface/webgl-interface.ts';
import { WebGLBuffer } from './objects/webgl-object.ts';
import { WebGL2RenderingContext, WebGLRenderingContext } from './rendering-context.ts';
import { makeContext, makeContext2, readPixel, useColorProgram } from './testing/small-context.ts';

describe('context classes', () => {
  it('have the names that programs check, and no common base', () => {
    const [gl, gl2] = [makeContext(), makeContext2()];
    expect(gl.constructor.name).toBe('WebGLRenderingContext');
    expect(gl2.constructor.name).toBe('WebGL2RenderingContext');
    expect(gl2).not.toBeInstanceOf(WebGLRenderingContext);
    expect(gl).not.toBeInstanceOf(WebGL2RenderingContext);
    expect(Object.getPrototypeOf(WebGLRenderingContext.prototype)).toBe(Object.prototype);
  });

  it('have every method that the DOM lists for their version', () => {
    for (const name of Object.keys(WEBGL_METHODS)) {
      expect(WebGLRenderingContext.prototype, name).toHaveProperty(name);
      expect(WebGL2RenderingContext.prototype, name).toHaveProperty(name);
    }
    for (const name of Object.keys(WEBGL2_METHODS)) {
      expect(WebGL2RenderingContext.prototype, name).toHaveProperty(name);
      expect(WebGLRenderingContext.prototype, name).not.toHaveProperty(name);
    }
  });

  it('list only constants and methods as properties', () => {
    const names: string[] = [];
    const gl = makeContext();
    for (const name in gl) if (typeof gl[name as keyof typeof gl] !== 'function') names.push(name);
    const others = names.filter((name) => !/^[A-Z][A-Z0-9_]*$/.test(name) && !/[xx]\d/.test(name));
    expect(others.sort()).toEqual([
      'canvas',
      'drawingBufferColorSpace',
      'drawingBufferHeight',
      'drawingBufferWidth',
      'unpackColorSpace',
    ]);
  });

  it('have no canvas of their own until a program assigns one', () => {
    const gl = makeContext();
    expect([Object.hasOwn(gl, 'canvas'), gl.canvas]).toEqual([false, null]);
    const canvas = { width: 8 };
    Object.assign(gl, { canvas });
    expect(gl.canvas).toBe(canvas);
    expect(makeContext().canvas).toBeNull();
  });

  it('throw if an object is missing that the call needs', () => {
    const none = null as unknown as WebGLProgram & WebGLShader & WebGLUniformLocation;
    for (const gl of [makeContext(), makeContext2()]) {
      const program = gl.createProgram();
      expect(() => gl.linkProgram(none)).toThrow(TypeError);
      expect(() => gl.attachShader(program, none)).toThrow(TypeError);
      expect(() => gl.getUniform(none, none)).toThrow(TypeError);
      gl.useProgram(null);
      gl.uniform1f(null, 1);
      expect(gl.getError()).toBe(gl.NO_ERROR);
    }
  });

  it('cannot be constructed by programs, nor can their objects', () => {
    for (const kind of [WebGLRenderingContext, WebGL2RenderingContext, WebGLBuffer]) {
      expect(() => Reflect.construct(kind, [])).toThrow(TypeError);
    }
  });

  it('throw if arguments are missing', () => {
    const gl = makeContext();
    expect(() => Reflect.apply(gl.bindBuffer, gl, [gl.ARRAY_BUFFER])).toThrow(TypeError);
  });
});

describe('createContext', () => {
  it('reports its attributes', () => {
    const attributes = makeContext({ alpha: false, antialias: false }).getContextAttributes();
    expect(attributes).toMatchObject({ alpha: false, depth: true, stencil: false });
    expect(attributes?.antialias).toBe(false);
  });

  it('reads back a clear, then a square drawn over it', () => {
    const gl = makeContext();
    gl.clearColor(0, 0, 1, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    expect(readPixel(gl)).toEqual([0, 0, 255, 255]);
    const program = useColorProgram(gl);
    gl.uniform4f(gl.getUniformLocation(program, 'color'), 1, 0.2, 0, 1);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    expect(readPixel(gl, 7, 7)).toEqual([255, 51, 0, 255]);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('skips frames but keeps their texture contents', () => {
    const gl = makeContext();
    expect(gl.hasImage).toBe(false);
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 2, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    const framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    const { FRAMEBUFFER, COLOR_ATTACHMENT0, TEXTURE_2D } = gl;
    gl.framebufferTexture2D(FRAMEBUFFER, COLOR_ATTACHMENT0, TEXTURE_2D, texture, 0);
    gl.clearColor(1, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.clear(gl.COLOR_BUFFER_BIT);
    expect(gl.hasImage).toBe(true);
    gl.skipFrame();
    expect(gl.hasImage).toBe(false);
    expect(readPixel(gl)).toEqual([0, 0, 0, 0]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    expect(readPixel(gl)).toEqual([255, 0, 0, 255]);
  });

  it('returns frames that encode their image as an opaque PNG', async () => {
    const gl = makeContext({ alpha: true });
    gl.clearColor(1, 0.2, 0, 0.5);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const { image, png } = gl.frame();
    expect([...image.rgba.subarray(0, 4)]).toEqual([255, 51, 0, 128]);
    const limits = { maxTextureEdgePx: 64, maxTextureTexels: 4096, maxDecodeBytes: 2 ** 20 };
    const decoded = new ImageDecoder(limits).decode('frame', await png());
    expect(decoded).toMatchObject({ widthPx: image.widthPx, heightPx: image.heightPx });
    const opaque = image.rgba.map((value, at) => (at % 4 === 3 ? 255 : value));
    expect(Buffer.compare(decoded.rgba, opaque)).toBe(0);
  });

  it('returns frames with a report of all parts, and the same image for any number of chiplets', () => {
    const [one, four] = [1, 4].map((chipletCount) => {
      const gl = makeContext({ gpu: { chipletCount, timing: 'cycle' } });
      const program = useColorProgram(gl);
      gl.uniform4f(gl.getUniformLocation(program, 'color'), 0, 1, 0, 1);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
      readPixel(gl);
      gl.drawArrays(gl.TRIANGLES, 1, 3);
      return gl.frame();
    });
    expect(four!.image.rgba).toEqual(one!.image.rgba);
    expect([...one!.image.rgba.subarray(0, 4)]).toEqual([0, 255, 0, 255]);
    expect(one!.report?.chiplets.length).toBe(1);
    expect(four!.report?.chiplets.length).toBe(4);
    expect(one!.timeline).not.toBeNull();
  });
});
