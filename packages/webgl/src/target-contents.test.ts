/**
 * Contents of targets that were never cleared, and of the other images of a texture that is drawn
 * into.
 */
import { describe, expect, it } from 'vitest';
import { linkProgram, makeContext2, readPixel, useColorProgram } from './testing/small-context.ts';

type Context = ReturnType<typeof makeContext2>;

function drawColor(gl: Context, ...color: [number, number, number, number]): void {
  const program = useColorProgram(gl);
  gl.uniform4f(gl.getUniformLocation(program, 'color'), ...color);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
}

describe('colors without alpha', () => {
  it('have an alpha of 1 before the first clear', () => {
    const gl = makeContext2();
    const renderbuffer = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, renderbuffer);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGB565, 4, 4);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, renderbuffer);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.DST_ALPHA, gl.ZERO);
    drawColor(gl, 1, 0, 0, 0);
    expect(readPixel(gl)).toEqual([255, 0, 0, 255]);
  });

  it('do not affect the alpha of a float color buffer', () => {
    const gl = makeContext2();
    gl.getExtension('EXT_color_buffer_float');
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    for (const [i, format] of [gl.R11F_G11F_B10F, gl.RGBA8].entries()) {
      const renderbuffer = gl.createRenderbuffer();
      const point = gl.COLOR_ATTACHMENT0 + i;
      gl.bindRenderbuffer(gl.RENDERBUFFER, renderbuffer);
      gl.renderbufferStorage(gl.RENDERBUFFER, format, 4, 4);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, point, gl.RENDERBUFFER, renderbuffer);
    }
    gl.drawBuffers([gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1]);
    const program = linkProgram(
      gl,
      '#version 300 es\nin vec4 position; void main() { gl_Position = position; }',
      `#version 300 es
      layout(location = 0) out mediump vec4 a;
      layout(location = 1) out mediump vec4 b;
      void main() { a = b = vec4(0.2); }`,
    );
    useColorProgram(gl);
    gl.useProgram(program);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.readBuffer(gl.COLOR_ATTACHMENT1);
    expect(readPixel(gl)).toEqual([51, 51, 51, 51]);
  });

  it.each(['TEXTURE_3D', 'TEXTURE_2D_ARRAY'] as const)(
    'have it in slices of a %s that are drawn later',
    (target) => {
      const gl = makeContext2();
      const texture = gl.createTexture();
      gl.bindTexture(gl[target], texture);
      gl.texImage3D(gl[target], 0, gl.RGB8, 4, 4, 3, 0, gl.RGB, gl.UNSIGNED_BYTE, null);
      gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
      for (const slice of [0, 2]) {
        gl.framebufferTextureLayer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, texture, 0, slice);
        drawColor(gl, 0, slice / 2, 1, 0);
      }
      expect(readPixel(gl)).toEqual([0, 255, 255, 255]);
      gl.framebufferTextureLayer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, texture, 0, 1);
      expect(readPixel(gl)).toEqual([0, 0, 0, 255]);
    },
  );
});

it('a clear of one slice preserves the others', () => {
  const gl = makeContext2();
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_3D, texture);
  gl.texImage3D(gl.TEXTURE_3D, 0, gl.RGBA8, 4, 4, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  for (const slice of [0, 1]) {
    gl.framebufferTextureLayer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, texture, 0, slice);
    gl.clearColor(1, slice, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
  }
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  gl.clearColor(0, 0, 1, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  expect(readPixel(gl)).toEqual([0, 0, 255, 255]);
  gl.framebufferTextureLayer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, texture, 0, 0);
  expect(readPixel(gl)).toEqual([255, 0, 0, 255]);
});

describe('depths of 32-bit floats', () => {
  const VERTEX = `#version 300 es
in vec2 position; void main() { gl_Position = vec4(position, 0.5, 1); }`;
  const FRAGMENT = `#version 300 es
precision highp float; uniform highp sampler2D map; uniform float scale; out vec4 color;
void main() { color = vec4(texelFetch(map, ivec2(0), 0).r * scale, texelFetch(map, ivec2(1, 0), 0).r, 0, 1); }`;
  const SHADOW = `#version 300 es
precision highp float; uniform highp sampler2DShadow map; uniform float scale; out vec4 color;
void main() { color = vec4(texture(map, vec3(0.75, 0.5, scale))); }`;

  /** Creates a program and a texture of two depths to sample. */
  function setUp(fragmentSource: string, depths: Float32Array) {
    const gl = makeContext2();
    useColorProgram(gl);
    const program = linkProgram(gl, VERTEX, fragmentSource);
    gl.useProgram(program);
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    const { TEXTURE_2D: target, DEPTH_COMPONENT32F, DEPTH_COMPONENT, FLOAT, NEAREST } = gl;
    gl.texImage2D(target, 0, DEPTH_COMPONENT32F, 2, 1, 0, DEPTH_COMPONENT, FLOAT, depths);
    gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, NEAREST);
    gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, NEAREST);
    const scale = gl.getUniformLocation(program, 'scale');
    const draw = (value: number) => {
      gl.uniform1f(scale, value);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    };
    return { gl, texture, draw };
  }

  it('are sampled exactly, and stored in 24 bits once drawn to', () => {
    const { gl, texture, draw } = setUp(FRAGMENT, Float32Array.of(2 ** -30, 7));
    draw(2 ** 30);
    expect(readPixel(gl)).toEqual([255, 255, 0, 255]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
    expect(gl.checkFramebufferStatus(gl.FRAMEBUFFER)).toBe(gl.FRAMEBUFFER_COMPLETE);
    gl.bindTexture(gl.TEXTURE_2D, null);
    gl.enable(gl.DEPTH_TEST);
    gl.viewport(0, 0, 2, 1);
    draw(1);
    gl.disable(gl.DEPTH_TEST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.viewport(0, 0, 8, 8);
    draw(2 ** 30);
    // The drawn depth, ¾, is behind the first reference and in front of the second.
    expect(readPixel(gl)).toEqual([0, 191, 0, 255]);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('are compared with references greater than 1', () => {
    const { gl, draw } = setUp(SHADOW, Float32Array.of(0, 1));
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    for (const [reference, expected] of [
      [1, 255],
      [1.1, 0],
    ] as const) {
      draw(reference);
      expect(readPixel(gl)[0]).toBe(expected);
    }
  });
});

it('copies the faces of a level one by one', () => {
  const gl = makeContext2();
  gl.bindTexture(gl.TEXTURE_CUBE_MAP, gl.createTexture());
  gl.clearColor(1, 0, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  for (const [level, size] of [4, 2, 1].entries()) {
    for (let face = 0; face < 6; face++) {
      const target = gl.TEXTURE_CUBE_MAP_POSITIVE_X + face;
      gl.copyTexImage2D(target, level, gl.RGBA, 0, 0, size, size, 0);
    }
  }
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  const { TEXTURE_BINDING_CUBE_MAP, TEXTURE_CUBE_MAP_NEGATIVE_Z: last } = gl;
  const texture = gl.getParameter(TEXTURE_BINDING_CUBE_MAP);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, last, texture, 1);
  expect(readPixel(gl)).toEqual([255, 0, 0, 255]);
});
