import { describe, expect, it } from 'vitest';
import { linkProgram, makeContext, makeContext2, readPixel } from '../testing/small-context.ts';

interface StencilTexturing {
  readonly DEPTH_STENCIL_TEXTURE_MODE_WEBGL: number;
  readonly STENCIL_INDEX_WEBGL: number;
}

const VERTEX = `#version 300 es
layout(location = 0) in vec2 position;
void main() { gl_Position = vec4(position, 0, 1); }`;
const PLAIN = '#version 300 es\nvoid main() {}';
/** Writes the texel of each pixel in a level of the texture. */
const readingOf = (sampler: string) => `#version 300 es
precision highp float;
uniform highp ${sampler} map;
uniform int level;
out vec4 color;
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy) >> level;
  color = vec4(texelFetch(map, at, level)) / (${sampler === 'usampler2D'} ? 255.0 : 1.0);
}`;

/** Returns the word of a texel of type UNSIGNED_INT_24_8. */
const wordOf = (depth: number, stencil: number) =>
  (Math.round(depth * 0xff_ffff) * 256 + stencil) >>> 0;

function start() {
  const gl = makeContext2({ antialias: false });
  const extension = gl.getExtension('WEBGL_stencil_texturing') as unknown as StencilTexturing;
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, Float32Array.of(-1, -1, 1, -1, -1, 1, 1, 1), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  const programs = {
    depth: linkProgram(gl, VERTEX, readingOf('sampler2D')),
    stencil: linkProgram(gl, VERTEX, readingOf('usampler2D')),
    plain: linkProgram(gl, VERTEX, PLAIN),
  };
  const setMode = (mode: number) =>
    gl.texParameteri(gl.TEXTURE_2D, extension.DEPTH_STENCIL_TEXTURE_MODE_WEBGL, mode);
  const sample = (aspect: 'depth' | 'stencil', level = 0): number => {
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.useProgram(programs[aspect]);
    gl.uniform1i(gl.getUniformLocation(programs[aspect], 'level'), level);
    setMode(aspect === 'depth' ? gl.DEPTH_COMPONENT : extension.STENCIL_INDEX_WEBGL);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    return gl.getError();
  };
  return { gl, extension, programs, setMode, sample };
}

describe('WEBGL_stencil_texturing', () => {
  it('samples the stencil values of uploaded levels', () => {
    const { gl, sample } = start();
    const upload = (level: number, edgePx: number, words: readonly number[]) =>
      gl.texImage2D(
        ...([gl.TEXTURE_2D, level, gl.DEPTH24_STENCIL8, edgePx, edgePx, 0] as const),
        ...([gl.DEPTH_STENCIL, gl.UNSIGNED_INT_24_8, Uint32Array.from(words)] as const),
      );
    upload(
      0,
      2,
      [10, 20, 30, 255].map((stencil) => wordOf(0.2, stencil)),
    );
    upload(1, 1, [wordOf(0.8, 77)]);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST_MIPMAP_NEAREST);
    expect(sample('stencil')).toBe(gl.NO_ERROR);
    // Alpha of an integer texel is 1.
    expect(readPixel(gl, 0, 0)).toEqual([10, 0, 0, 1]);
    expect(readPixel(gl, 1, 1)).toEqual([255, 0, 0, 1]);
    sample('stencil', 1);
    expect(readPixel(gl, 1, 0)).toEqual([77, 0, 0, 1]);
    sample('depth');
    expect(readPixel(gl, 1, 0)[0]).toBe(51);
    sample('depth', 1);
    expect(readPixel(gl, 1, 0)[0]).toBe(204);
  });

  it.each(['DEPTH24_STENCIL8', 'DEPTH32F_STENCIL8'] as const)(
    'samples what passes have drawn so far into %s',
    (format) => {
      const { gl, programs, sample } = start();
      gl.texStorage2D(gl.TEXTURE_2D, 1, gl[format], 8, 8);
      const texture = gl.getParameter(gl.TEXTURE_BINDING_2D) as WebGLTexture;
      const framebuffer = gl.createFramebuffer();
      gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
      const point = gl.DEPTH_STENCIL_ATTACHMENT;
      gl.framebufferTexture2D(gl.FRAMEBUFFER, point, gl.TEXTURE_2D, texture, 0);
      const drawAt = (x: number, stencil: number) => {
        gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
        gl.useProgram(programs.plain);
        for (const test of [gl.STENCIL_TEST, gl.SCISSOR_TEST]) gl.enable(test);
        gl.scissor(x, 0, 4, 8);
        gl.stencilFunc(gl.ALWAYS, stencil, 0xff);
        gl.stencilOp(gl.KEEP, gl.KEEP, gl.REPLACE);
        gl.bindTexture(gl.TEXTURE_2D, null);
        gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
        gl.bindTexture(gl.TEXTURE_2D, texture);
        for (const test of [gl.STENCIL_TEST, gl.SCISSOR_TEST]) gl.disable(test);
      };
      const readRow = (): number[] => {
        expect(sample('stencil')).toBe(gl.NO_ERROR);
        return [readPixel(gl, 1, 4)[0]!, readPixel(gl, 6, 4)[0]!];
      };
      gl.clearStencil(5);
      gl.clear(gl.STENCIL_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      expect(readRow()).toEqual([5, 5]);
      drawAt(0, 170);
      expect(readRow()).toEqual([170, 5]);
      drawAt(4, 200);
      gl.frame();
      expect(readRow()).toEqual([170, 200]);
      expect(sample('depth')).toBe(gl.NO_ERROR);
      expect(readPixel(gl, 1, 4)[0]).toBe(255);
    },
  );

  it('requires samplers of unsigned integers, also for incomplete textures', () => {
    const { gl, programs, setMode, extension } = start();
    const { TEXTURE_2D: target, LINEAR } = gl;
    const draw = (aspect: 'depth' | 'stencil'): number => {
      gl.useProgram(programs[aspect]);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
      return gl.getError();
    };
    const [format, type] = [gl.DEPTH_STENCIL, gl.UNSIGNED_INT_24_8];
    const word = Uint32Array.of(wordOf(1, 99));
    gl.texImage2D(target, 0, gl.DEPTH24_STENCIL8, 1, 1, 0, format, type, word);
    setMode(extension.STENCIL_INDEX_WEBGL);
    // Stencil values are never compared.
    gl.texParameteri(target, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    expect([draw('depth'), draw('stencil')]).toEqual([gl.INVALID_OPERATION, gl.NO_ERROR]);
    expect(readPixel(gl)).toEqual([99, 0, 0, 1]);
    gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, LINEAR);
    expect([draw('depth'), draw('stencil')]).toEqual([gl.INVALID_OPERATION, gl.NO_ERROR]);
    expect(readPixel(gl).slice(0, 3)).toEqual([0, 0, 0]);
    // Formats without stencil values ignore the mode.
    const { DEPTH_COMPONENT24, DEPTH_COMPONENT, UNSIGNED_INT } = gl;
    gl.texImage2D(target, 0, DEPTH_COMPONENT24, 1, 1, 0, DEPTH_COMPONENT, UNSIGNED_INT, word);
    gl.texParameteri(target, gl.TEXTURE_COMPARE_MODE, gl.NONE);
    gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    expect([draw('depth'), draw('stencil')]).toEqual([gl.NO_ERROR, gl.INVALID_OPERATION]);
  });

  it('has a parameter of textures alone, and only WebGL 2 has it', () => {
    const { gl, extension, setMode } = start();
    const { DEPTH_STENCIL_TEXTURE_MODE_WEBGL: parameter, STENCIL_INDEX_WEBGL: stencil } = extension;
    expect(gl.getTexParameter(gl.TEXTURE_2D, parameter)).toBe(gl.DEPTH_COMPONENT);
    setMode(stencil);
    expect(gl.getTexParameter(gl.TEXTURE_2D, parameter)).toBe(stencil);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    setMode(gl.STENCIL);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    expect(gl.getTexParameter(gl.TEXTURE_2D, parameter)).toBe(stencil);
    gl.samplerParameteri(gl.createSampler(), parameter, stencil);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    const other = makeContext2();
    other.bindTexture(other.TEXTURE_2D, other.createTexture());
    expect(other.getTexParameter(other.TEXTURE_2D, parameter)).toBeNull();
    expect(other.getError()).toBe(other.INVALID_ENUM);
    expect(makeContext().getExtension('WEBGL_stencil_texturing')).toBeNull();
  });
});
