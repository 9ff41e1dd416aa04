/** Extensions of render targets and of blending. */
import { attachViews } from '../calls/framebuffers/attach-views.ts';
import { setDrawBuffers } from '../calls/framebuffers/draw-buffer-calls.ts';
import { CORE, type ContextObject } from '../context/call-table.ts';
import type { WebGLTexture } from '../objects/webgl-texture.ts';
import { BOTH, type ExtensionGroup, FIRST, SECOND } from './extension-entry.ts';
import { indexedDrawBufferCalls } from './indexed-draw-buffers.ts';

const drawBufferCalls = {
  drawBuffersWEBGL(this: ContextObject, buffers: Iterable<number>): void {
    setDrawBuffers(this[CORE], 'drawBuffersWEBGL', buffers);
  },
};

const multiviewCalls = {
  framebufferTextureMultiviewOVR(
    this: ContextObject,
    target: number,
    point: number,
    texture: WebGLTexture | null,
    level: number,
    baseViewIndex: number,
    viewCount: number,
  ): void {
    attachViews(this[CORE], target, point, texture, level, baseViewIndex, viewCount);
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
  OVR_multiview2: { versions: SECOND, calls: multiviewCalls, shaderName: 'GL_OVR_multiview2' },
  WEBGL_color_buffer_float: { versions: FIRST },
  WEBGL_draw_buffers: {
    versions: FIRST,
    calls: drawBufferCalls,
    shaderName: 'GL_EXT_draw_buffers',
  },
};
