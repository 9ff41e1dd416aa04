import { expect, it } from 'vitest';
import { makeContext2 } from '../../testing/small-context.ts';
import { readDrawingBuffer } from './read-drawing-buffer.ts';

it('reads the image regardless of read state, which it restores', () => {
  const gl = makeContext2();
  gl.clearColor(0, 0, 1, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.pixelStorei(gl.PACK_SKIP_PIXELS, 1000);
  gl.pixelStorei(gl.PACK_ROW_LENGTH, 2000);
  gl.readBuffer(gl.NONE);
  const packed = gl.createBuffer();
  gl.bindBuffer(gl.PIXEL_PACK_BUFFER, packed);
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, framebuffer);

  const { rgba } = readDrawingBuffer(gl);
  expect([...rgba.subarray(-4)]).toEqual([0, 0, 255, 255]);
  expect(gl.getError()).toBe(gl.NO_ERROR);
  expect(gl.getParameter(gl.PACK_SKIP_PIXELS)).toBe(1000);
  expect(gl.getParameter(gl.PACK_ROW_LENGTH)).toBe(2000);
  expect(gl.getParameter(gl.PIXEL_PACK_BUFFER_BINDING)).toBe(packed);
  expect(gl.getParameter(gl.READ_FRAMEBUFFER_BINDING)).toBe(framebuffer);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  expect(gl.getParameter(gl.READ_BUFFER)).toBe(gl.NONE);
});
