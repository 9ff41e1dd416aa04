/** Attachments with views (OVR_multiview2). */

import { DEFAULT_SHADER_LIMITS } from '@tessera/shader';
import { checkObject } from '../../context/arguments.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { GL } from '../../interface/constants.ts';
import { LIMITS } from '../../interface/limits.ts';
import { WebGLTexture } from '../../objects/webgl-texture.ts';
import { attachmentTarget, recordAttachment } from './framebuffer-calls.ts';

const { maxViews } = DEFAULT_SHADER_LIMITS;

/**
 * `framebufferTextureMultiviewOVR`. Like Chromium, it checks the texture and its views before the
 * framebuffer.
 *
 * @param baseViewIndex Layer of the first view.
 */
export function attachViews(
  core: ContextCore,
  target: number,
  point: number,
  texture: WebGLTexture | null,
  level: number,
  baseViewIndex: number,
  viewCount: number,
): void {
  const caller = 'framebufferTextureMultiviewOVR';
  const isNone = texture === null || texture === undefined;
  if (!isNone) {
    if (!checkObject(core, caller, texture, WebGLTexture)) return;
    if (texture.boundTarget !== GL.TEXTURE_2D_ARRAY) {
      core.raise(GL.INVALID_OPERATION, caller, 'the texture is not a 2D array texture');
      return;
    }
    const isLevel = level >= 0 && level < LIMITS.textureLevels;
    const isLayer = baseViewIndex >= 0 && baseViewIndex + viewCount <= LIMITS.textureSlices;
    if (!isLevel || !isLayer || viewCount < 1 || viewCount > maxViews) {
      const message = `level ${level}, first view ${baseViewIndex} or number of views ${viewCount} is out of range`;
      core.raise(GL.INVALID_VALUE, caller, message);
      return;
    }
  }
  const framebuffer = attachmentTarget(core, caller, target, point);
  if (framebuffer === null) return;
  const views = { level, textureTarget: 0, layer: baseViewIndex, viewCount };
  const recorded = isNone ? null : ({ kind: 'texture', object: texture, ...views } as const);
  recordAttachment(core, framebuffer, point, recorded);
  const [glName, layer] = isNone ? [0, 0] : [texture.glName, baseViewIndex];
  core.gl.framebuffers.attachLayer(target, point, glName, isNone ? 0 : level, layer, viewCount);
}
