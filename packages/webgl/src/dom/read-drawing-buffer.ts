/** Takes a picture of a WebGL canvas through its public calls, leaving the context's state as it was. */
import type { Pixels } from './pixels.ts';
import { flipPixels } from './pixels.ts';

export function readDrawingBuffer(gl: WebGLRenderingContext): Pixels {
  const [widthPx, heightPx] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
  const attributes = gl.getContextAttributes();
  const rgba = new Uint8Array(widthPx * heightPx * 4);
  const framebuffer: WebGLFramebuffer | null = gl.getParameter(gl.FRAMEBUFFER_BINDING);
  const alignment: number = gl.getParameter(gl.PACK_ALIGNMENT);
  if (framebuffer !== null) gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.pixelStorei(gl.PACK_ALIGNMENT, 4);
  gl.readPixels(0, 0, widthPx, heightPx, gl.RGBA, gl.UNSIGNED_BYTE, rgba);
  gl.pixelStorei(gl.PACK_ALIGNMENT, alignment);
  if (framebuffer !== null) gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  const isPremultiplied = (attributes?.alpha ?? true) && (attributes?.premultipliedAlpha ?? true);
  return flipPixels({
    widthPx,
    heightPx,
    rgba: new Uint8ClampedArray(rgba.buffer),
    isPremultiplied,
  });
}
