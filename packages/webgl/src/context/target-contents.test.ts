/** What targets hold that nobody cleared, and images beside the one that is drawn. */
import { describe, expect, it } from 'vitest';
import { makeContext2, readPixel, useColorProgram } from '../testing/small-context.ts';

type Context = ReturnType<typeof makeContext2>;

function drawColor(gl: Context, ...color: [number, number, number, number]): void {
  const program = useColorProgram(gl);
  gl.uniform4f(gl.getUniformLocation(program, 'color'), ...color);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
}

describe('colours without alpha', () => {
  it('have an alpha of 1 where nothing was cleared', () => {
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

it('a clear of one slice leaves the others', () => {
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
