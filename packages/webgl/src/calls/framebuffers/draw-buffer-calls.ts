/**
 * Selection of the color buffers that draws write and reads use (WebGL 2.0, section 3.7.4;
 * WEBGL_draw_buffers).
 */
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { LIMITS } from '../../interface/limits.ts';
import { isColorPoint } from '../../rules/framebuffer-state.ts';

/** Implements `drawBuffers` of WebGL 2 and `drawBuffersWEBGL`. */
export function setDrawBuffers(core: ContextCore, caller: string, given: Iterable<number>): void {
  const buffers = Array.from(given, (buffer) => buffer >>> 0);
  const framebuffer = core.drawFramebuffer;
  if (framebuffer === null) {
    const [only] = buffers;
    if (buffers.length !== 1 || (only !== GL.BACK && only !== GL.NONE)) {
      core.raise(
        GL.INVALID_OPERATION,
        caller,
        'the drawing buffer accepts only one buffer, BACK or NONE',
      );
      return;
    }
    core.defaultDrawBuffers = buffers;
    core.gl.framebuffers.setDrawBuffers(buffers);
    return;
  }
  if (buffers.length > LIMITS.colorAttachments) {
    core.raise(
      GL.INVALID_VALUE,
      caller,
      `${buffers.length} buffers exceed the limit of ${LIMITS.colorAttachments}`,
    );
    return;
  }
  for (const [i, buffer] of buffers.entries()) {
    if (buffer === GL.NONE || buffer === GL.COLOR_ATTACHMENT0 + i) continue;
    const isEnum = buffer === GL.BACK || isColorPoint(buffer);
    const code = isEnum ? GL.INVALID_OPERATION : GL.INVALID_ENUM;
    core.raise(code, caller, `${enumName(buffer)} is not accepted for output ${i}`);
    return;
  }
  framebuffer.drawBuffers = buffers;
  core.gl.framebuffers.setDrawBuffers(buffers);
}

/** WebGL calls that select draw and read buffers. */
export const drawBufferCalls = {
  drawBuffers(this: ContextObject, buffers: Iterable<number>): void {
    setDrawBuffers(this[CORE], 'drawBuffers', buffers);
  },

  readBuffer(this: ContextObject, source: number): void {
    const core = this[CORE];
    const caller = 'readBuffer';
    const { readFramebuffer } = core;
    const isAttachment =
      source >= GL.COLOR_ATTACHMENT0 && source < GL.COLOR_ATTACHMENT0 + LIMITS.colorAttachments;
    if (source !== GL.NONE && source !== GL.BACK && !isColorPoint(source)) {
      core.rejectEnum(caller, 'buffer', source);
      return;
    }
    const isFitting =
      source === GL.NONE || (readFramebuffer === null ? source === GL.BACK : isAttachment);
    if (!isFitting) {
      core.raise(GL.INVALID_OPERATION, caller, enumName(source));
      return;
    }
    if (readFramebuffer === null) core.defaultReadBuffer = source;
    else readFramebuffer.readBuffer = source;
    core.gl.framebuffers.setReadBuffer(source);
  },
};
