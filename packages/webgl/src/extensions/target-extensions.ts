/** Extensions of render targets and of blending. */
import { setDrawBuffers } from '../calls/framebuffers/draw-buffer-calls.ts';
import { CORE, type ContextObject } from '../context/call-table.ts';
import { BOTH, type ExtensionGroup, FIRST, SECOND } from './extension-entry.ts';
import { indexedDrawBufferCalls } from './indexed-draw-buffers.ts';

const drawBufferCalls = {
  drawBuffersWEBGL(this: ContextObject, buffers: Iterable<number>): void {
    setDrawBuffers(this[CORE], 'drawBuffersWEBGL', buffers);
  },
};

/** Extensions of targets. */
export const targetExtensions: ExtensionGroup = {
  EXT_blend_minmax: { versions: FIRST },
  EXT_color_buffer_float: { versions: SECOND },
  EXT_color_buffer_half_float: { versions: BOTH },
  EXT_float_blend: { versions: BOTH },
  OES_draw_buffers_indexed: { versions: SECOND, calls: indexedDrawBufferCalls },
  OES_fbo_render_mipmap: { versions: FIRST },
  WEBGL_color_buffer_float: { versions: FIRST },
  WEBGL_draw_buffers: {
    versions: FIRST,
    calls: drawBufferCalls,
    shaderName: 'GL_EXT_draw_buffers',
  },
};
