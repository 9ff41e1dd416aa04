import { describe, expect, it } from 'vitest';
import type { TesseraContext2 } from '../create-context.ts';
import { makeContext2, readPixel, useColorProgram } from '../testing/small-context.ts';

const RED = [255, 0, 0, 255];
const GREEN = [0, 255, 0, 255];
const BLUE = [0, 0, 255, 255];

function attachTexture(gl: TesseraContext2, point: number, edgePx: number): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  const texels = new Uint8Array(edgePx * edgePx * 4).map((_, at) => BLUE[at % 4]!);
  const { TEXTURE_2D: target, RGBA, UNSIGNED_BYTE } = gl;
  gl.texImage2D(target, 0, RGBA, edgePx, edgePx, 0, RGBA, UNSIGNED_BYTE, texels);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, point, target, texture, 0);
  return texture;
}

function attachDepth(gl: TesseraContext2, width: number, height: number): void {
  const depth = gl.createRenderbuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, depth);
  gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH24_STENCIL8, width, height);
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_STENCIL_ATTACHMENT, gl.RENDERBUFFER, depth);
}

/** Blue, 8×8, with a depth buffer of 4×2. */
function setUp(): TesseraContext2 {
  const gl = makeContext2();
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  attachTexture(gl, gl.COLOR_ATTACHMENT0, 8);
  attachDepth(gl, 4, 2);
  return gl;
}

/** Inside of what all attachments have, right of it, and above. */
const readPlaces = (gl: TesseraContext2) => [
  readPixel(gl, 3, 1),
  readPixel(gl, 4, 1),
  readPixel(gl, 3, 2),
];

describe('framebuffers with images of several sizes (OpenGL ES 3.0, section 4.4.4)', () => {
  it('are cleared where all have pixels', () => {
    const gl = setUp();
    expect(gl.checkFramebufferStatus(gl.FRAMEBUFFER)).toBe(gl.FRAMEBUFFER_COMPLETE);
    gl.clearColor(1, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    expect(readPlaces(gl)).toEqual([RED, BLUE, BLUE]);
  });

  it('are drawn into where all have pixels, and keep what was there', () => {
    const gl = setUp();
    const color = gl.getUniformLocation(useColorProgram(gl), 'color');
    gl.enable(gl.DEPTH_TEST);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.uniform4f(color, 0, 1, 0, 1);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    expect(readPlaces(gl)).toEqual([GREEN, BLUE, BLUE]);
    gl.framebufferRenderbuffer(
      ...([gl.FRAMEBUFFER, gl.DEPTH_STENCIL_ATTACHMENT, gl.RENDERBUFFER, null] as const),
    );
    gl.disable(gl.DEPTH_TEST);
    gl.uniform4f(color, 1, 0, 0, 1);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    expect(readPlaces(gl)).toEqual([RED, RED, RED]);
  });

  it('go on with what was cleared before another image was attached', () => {
    const gl = setUp();
    gl.clearColor(1, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const { FRAMEBUFFER, DEPTH_STENCIL_ATTACHMENT, RENDERBUFFER } = gl;
    gl.framebufferRenderbuffer(FRAMEBUFFER, DEPTH_STENCIL_ATTACHMENT, RENDERBUFFER, null);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(7, 7, 1, 1);
    gl.clearColor(0, 1, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    expect(readPlaces(gl)).toEqual([RED, BLUE, BLUE]);
    expect(readPixel(gl, 7, 7)).toEqual(GREEN);
  });

  it('are copied and blitted from', () => {
    const gl = setUp();
    const framebuffer = gl.getParameter(gl.FRAMEBUFFER_BINDING);
    gl.clearColor(1, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    attachTexture(gl, gl.COLOR_ATTACHMENT0, 8);
    const copied = gl.getParameter(gl.FRAMEBUFFER_BINDING);
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.copyTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 0, 0, 4, 2);
    gl.bindFramebuffer(gl.FRAMEBUFFER, copied);
    expect(readPlaces(gl)).toEqual([RED, BLUE, BLUE]);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, framebuffer);
    gl.blitFramebuffer(0, 0, 4, 2, 0, 0, 8, 4, gl.COLOR_BUFFER_BIT, gl.LINEAR);
    gl.bindFramebuffer(gl.FRAMEBUFFER, copied);
    expect(readPixel(gl, 7, 3)).toEqual(RED);
    expect(readPixel(gl, 7, 4)).toEqual(BLUE);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });
});
