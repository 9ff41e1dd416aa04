/**
 * Framebuffer completeness by WebGL's rules (WebGL 1.0, section 6.6; OpenGL ES 3.0, section 4.4.4).
 */

import type { ContextCore } from '../context/context-core.ts';
import { enumName, GL } from '../interface/constants.ts';
import type { FramebufferAttachment, WebGLFramebuffer } from '../objects/webgl-framebuffer.ts';
import { findFormat, type InternalFormat, isColorTarget } from './internal-formats.ts';
import { isLevelAttachable } from './texture-levels.ts';
import { haveSameViews } from './view-rules.ts';

/** Size, format and sample count of an attached image. */
export interface AttachedImage {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly format: InternalFormat;
  readonly sampleCount: number;
}

/** Returns the image of an attachment, or `null` if it is not defined. */
export function attachedImage(attachment: FramebufferAttachment): AttachedImage | null {
  if (attachment.kind === 'renderbuffer') {
    const { internalFormat, widthPx, heightPx, sampleCount } = attachment.object;
    const format = findFormat(internalFormat, 0);
    return format && { widthPx, heightPx, format, sampleCount };
  }
  const { object, level, textureTarget, layer, viewCount = 1 } = attachment;
  const face = textureTarget - GL.TEXTURE_CUBE_MAP_POSITIVE_X;
  const image = object.imageAt(level, face >= 0 && face < 6 ? face : 0);
  if (image === null || layer + viewCount > image.depthPx) return null;
  const format = findFormat(image.internalFormat, image.type);
  return format && { widthPx: image.widthPx, heightPx: image.heightPx, format, sampleCount: 0 };
}

/** Returns whether an attachment point is a color attachment. */
export function isColorPoint(point: number): boolean {
  return point >= GL.COLOR_ATTACHMENT0 && point <= GL.COLOR_ATTACHMENT15;
}

/** Returns whether an image format is valid for an attachment point. */
function isFitting(core: ContextCore, point: number, format: InternalFormat): boolean {
  const [, , , , depthBits, stencilBits] = format.bits;
  if (isColorPoint(point)) return isColorTarget(core, format);
  if (core.rules.isDepthStencilTwoPoints) {
    if (point === GL.DEPTH_ATTACHMENT) return depthBits > 0;
    if (point === GL.STENCIL_ATTACHMENT) return stencilBits > 0;
  } else {
    if (point === GL.DEPTH_ATTACHMENT) return depthBits > 0 && stencilBits === 0;
    if (point === GL.STENCIL_ATTACHMENT) return stencilBits > 0 && depthBits === 0;
  }
  return depthBits > 0 && stencilBits > 0;
}

function isSameImage(a: FramebufferAttachment, b: FramebufferAttachment): boolean {
  if (a.object !== b.object) return false;
  if (a.kind === 'renderbuffer' || b.kind === 'renderbuffer') return true;
  return a.level === b.level && a.layer === b.layer && a.textureTarget === b.textureTarget;
}

/** Returns whether two color attachments share an image. */
function hasColorTwice({ attachments }: WebGLFramebuffer): boolean {
  const colors: FramebufferAttachment[] = [];
  for (const [point, attachment] of attachments) {
    if (!isColorPoint(point)) continue;
    if (colors.some((color) => isSameImage(color, attachment))) return true;
    colors.push(attachment);
  }
  return false;
}

/** Returns the completeness status of a framebuffer. `null` stands for the drawing buffer. */
export function framebufferStatus(core: ContextCore, framebuffer: WebGLFramebuffer | null): number {
  if (framebuffer === null) return GL.FRAMEBUFFER_COMPLETE;
  const { attachments } = framebuffer;
  if (attachments.size === 0) return GL.FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT;
  let first: AttachedImage | null = null;
  for (const [point, attachment] of attachments) {
    const image = attachedImage(attachment);
    if (image === null || image.widthPx === 0 || image.heightPx === 0) {
      return GL.FRAMEBUFFER_INCOMPLETE_ATTACHMENT;
    }
    if (!isFitting(core, point, image.format)) return GL.FRAMEBUFFER_INCOMPLETE_ATTACHMENT;
    if (attachment.kind === 'texture') {
      const { object, level } = attachment;
      if (!isLevelAttachable(core, object, level)) return GL.FRAMEBUFFER_INCOMPLETE_ATTACHMENT;
    }
    if (first === null) {
      first = image;
      continue;
    }
    const isSameSize = image.widthPx === first.widthPx && image.heightPx === first.heightPx;
    // OpenGL ES 3.0 allows images of different sizes and draws to their intersection. WebGL 2 does
    // not allow them.
    if (!isSameSize) return GL.FRAMEBUFFER_INCOMPLETE_DIMENSIONS;
    if (image.sampleCount !== first.sampleCount) return GL.FRAMEBUFFER_INCOMPLETE_MULTISAMPLE;
  }
  if (!haveSameViews(framebuffer)) return GL.FRAMEBUFFER_INCOMPLETE_VIEW_TARGETS_OVR;
  if (attachments.size > 1 && hasColorTwice(framebuffer)) return GL.FRAMEBUFFER_UNSUPPORTED;
  if (core.rules.isDepthStencilTwoPoints) {
    const [depth, stencil] = [GL.DEPTH_ATTACHMENT, GL.STENCIL_ATTACHMENT].map((point) =>
      attachments.get(point),
    );
    const areApart = depth && stencil && !isSameImage(depth, stencil);
    return areApart ? GL.FRAMEBUFFER_UNSUPPORTED : GL.FRAMEBUFFER_COMPLETE;
  }
  const depthPoints = [GL.DEPTH_ATTACHMENT, GL.STENCIL_ATTACHMENT, GL.DEPTH_STENCIL_ATTACHMENT];
  const isConflicting = depthPoints.filter((point) => attachments.has(point)).length > 1;
  return isConflicting ? GL.FRAMEBUFFER_UNSUPPORTED : GL.FRAMEBUFFER_COMPLETE;
}

/** Returns whether a framebuffer can be drawn to or read from. Raises the error otherwise. */
export function isComplete(
  core: ContextCore,
  caller: string,
  framebuffer: WebGLFramebuffer | null,
): boolean {
  if (framebuffer === null) return true;
  const status = framebufferStatus(core, framebuffer);
  if (status === GL.FRAMEBUFFER_COMPLETE) return true;
  const message = `the framebuffer is incomplete: ${enumName(status)}`;
  core.raise(GL.INVALID_FRAMEBUFFER_OPERATION, caller, message);
  return false;
}

/** Returns the framebuffer bound to a target, or `null` if the target does not exist. */
export function framebufferOf(
  core: ContextCore,
  target: number,
): { readonly framebuffer: WebGLFramebuffer | null } | null {
  if (target === GL.FRAMEBUFFER) return { framebuffer: core.drawFramebuffer };
  if (!core.rules.hasReadFramebuffers) return null;
  if (target === GL.DRAW_FRAMEBUFFER) return { framebuffer: core.drawFramebuffer };
  return target === GL.READ_FRAMEBUFFER ? { framebuffer: core.readFramebuffer } : null;
}
