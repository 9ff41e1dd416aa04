/**
 * Reads the image of a WebGL canvas through its public calls and restores the context's state
 * afterwards.
 */
import type { Pixels } from '../../pixels/pixels.ts';
import { flipPixels } from '../../pixels/pixels.ts';

/** Returns the pixels of a context's drawing buffer. */
export function readDrawingBuffer(gl: WebGLRenderingContext | WebGL2RenderingContext): Pixels {
  const [widthPx, heightPx] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
  const attributes = gl.getContextAttributes();
  const rgba = new Uint8Array(widthPx * heightPx * 4);
  const restore = 'readBuffer' in gl ? prepareRead2(gl) : prepareRead(gl);
  gl.readPixels(0, 0, widthPx, heightPx, gl.RGBA, gl.UNSIGNED_BYTE, rgba);
  restore();
  const isPremultiplied = (attributes?.alpha ?? true) && (attributes?.premultipliedAlpha ?? true);
  return flipPixels({
    widthPx,
    heightPx,
    rgba: new Uint8ClampedArray(rgba.buffer),
    isPremultiplied,
  });
}

/**
 * Binds the drawing buffer and selects tight packing. @returns Function that restores the state.
 */
function prepareRead(gl: WebGLRenderingContext): () => void {
  const framebuffer: WebGLFramebuffer | null = gl.getParameter(gl.FRAMEBUFFER_BINDING);
  const restore = setPacking(gl, [gl.PACK_ALIGNMENT]);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return () => {
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    restore();
  };
}

/** Also unbinds the pack buffer and selects the back buffer, which exist only in WebGL 2. */
function prepareRead2(gl: WebGL2RenderingContext): () => void {
  const framebuffer: WebGLFramebuffer | null = gl.getParameter(gl.READ_FRAMEBUFFER_BINDING);
  const packed: WebGLBuffer | null = gl.getParameter(gl.PIXEL_PACK_BUFFER_BINDING);
  const { PACK_ALIGNMENT, PACK_ROW_LENGTH, PACK_SKIP_ROWS, PACK_SKIP_PIXELS } = gl;
  const restore = setPacking(gl, [
    PACK_ALIGNMENT,
    PACK_ROW_LENGTH,
    PACK_SKIP_ROWS,
    PACK_SKIP_PIXELS,
  ]);
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, null);
  gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
  const readBuffer: number = gl.getParameter(gl.READ_BUFFER);
  gl.readBuffer(gl.BACK);
  return () => {
    gl.readBuffer(readBuffer);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, packed);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, framebuffer);
    restore();
  };
}

/** Selects tight packing. Rows start at multiples of 4 bytes, which every RGBA row does. */
function setPacking(
  gl: WebGLRenderingContext | WebGL2RenderingContext,
  parameters: readonly number[],
): () => void {
  const before = parameters.map((parameter): number => gl.getParameter(parameter));
  for (const parameter of parameters) {
    gl.pixelStorei(parameter, parameter === gl.PACK_ALIGNMENT ? 4 : 0);
  }
  return () => {
    parameters.forEach((parameter, i) => {
      gl.pixelStorei(parameter, before[i]!);
    });
  };
}
