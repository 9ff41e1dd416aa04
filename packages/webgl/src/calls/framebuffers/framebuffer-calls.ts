/** Framebuffer objects (WebGL 1.0, section 5.14.6; WebGL 2.0, section 3.7.4). */

import { checkObject, isAlive, isDeletable } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { LIMITS } from '../../interface/limits.ts';
import { type FramebufferAttachment, WebGLFramebuffer } from '../../objects/webgl-framebuffer.ts';
import { WebGLRenderbuffer } from '../../objects/webgl-object.ts';
import { WebGLTexture } from '../../objects/webgl-texture.ts';
import {
  framebufferOf,
  framebufferStatus,
  isColorPoint,
  isComplete,
} from '../../rules/framebuffer-state.ts';
import { hasOneView, viewCountOf } from '../../rules/view-rules.ts';

/** Returns whether an attachment point exists. Raises the error otherwise. */
export function isAttachmentPoint(core: ContextCore, caller: string, point: number): boolean {
  const hasColors = core.hasFeature('colorAttachments');
  const most = hasColors ? LIMITS.colorAttachments : 1;
  const isKnown =
    (point >= GL.COLOR_ATTACHMENT0 && point < GL.COLOR_ATTACHMENT0 + most) ||
    point === GL.DEPTH_ATTACHMENT ||
    point === GL.STENCIL_ATTACHMENT ||
    point === GL.DEPTH_STENCIL_ATTACHMENT;
  if (isKnown) return true;
  core.rejectEnum(caller, 'attachment', point);
  return false;
}

/** Returns the framebuffer bound to a target, or `null` after an error. */
export function attachmentTarget(
  core: ContextCore,
  caller: string,
  target: number,
  point: number,
): WebGLFramebuffer | null {
  const found = framebufferOf(core, target);
  if (found === null) {
    core.rejectEnum(caller, 'target', target);
    return null;
  }
  if (!isAttachmentPoint(core, caller, point)) return null;
  if (found.framebuffer === null) {
    core.raise(GL.INVALID_OPERATION, caller, 'no framebuffer is bound');
  }
  return found.framebuffer;
}

/**
 * Records an attachment. In WebGL 2, DEPTH_STENCIL_ATTACHMENT stands for both the depth and the
 * stencil attachment point.
 */
export function recordAttachment(
  core: ContextCore,
  framebuffer: WebGLFramebuffer,
  point: number,
  attachment: FramebufferAttachment | null,
): void {
  const isBoth = core.rules.isDepthStencilTwoPoints && point === GL.DEPTH_STENCIL_ATTACHMENT;
  const points = isBoth ? [GL.DEPTH_ATTACHMENT, GL.STENCIL_ATTACHMENT] : [point];
  for (const each of points) {
    if (attachment === null) framebuffer.attachments.delete(each);
    else framebuffer.attachments.set(each, attachment);
  }
}

/**
 * Detaches a deleted object from the bound framebuffers.
 *
 * @param deleteName Deletes the object in the state machine.
 */
export function detachFromBound(
  core: ContextCore,
  object: WebGLRenderbuffer | WebGLTexture,
  deleteName: () => void,
): void {
  for (const framebuffer of new Set([core.drawFramebuffer, core.readFramebuffer])) {
    for (const [point, attachment] of framebuffer?.attachments ?? []) {
      if (attachment.object === object) framebuffer?.attachments.delete(point);
    }
  }
  deleteName();
  const { drawFramebuffer } = core;
  if (drawFramebuffer !== null) {
    reattach(core, drawFramebuffer, GL.FRAMEBUFFER, GL.DEPTH_STENCIL_ATTACHMENT);
  }
}

/** WebGL calls for framebuffer objects. */
export const framebufferCalls = {
  createFramebuffer(this: ContextObject): WebGLFramebuffer {
    const core = this[CORE];
    return new WebGLFramebuffer(core, core.gl.framebuffers.generate(1)[0]!);
  },
  deleteFramebuffer(this: ContextObject, framebuffer: WebGLFramebuffer | null): void {
    const core = this[CORE];
    if (!isDeletable(core, 'deleteFramebuffer', framebuffer, WebGLFramebuffer)) return;
    framebuffer.isDeleted = true;
    if (core.drawFramebuffer === framebuffer) core.drawFramebuffer = null;
    if (core.readFramebuffer === framebuffer) core.readFramebuffer = null;
    core.gl.framebuffers.remove([framebuffer.glName]);
  },
  isFramebuffer(this: ContextObject, framebuffer: WebGLFramebuffer | null): boolean {
    const core = this[CORE];
    return isAlive(core, 'isFramebuffer', framebuffer, WebGLFramebuffer) && framebuffer.wasBound;
  },
  bindFramebuffer(this: ContextObject, target: number, framebuffer: WebGLFramebuffer | null): void {
    const core = this[CORE];
    const caller = 'bindFramebuffer';
    const isNone = framebuffer === null || framebuffer === undefined;
    if (!isNone && !checkObject(core, caller, framebuffer, WebGLFramebuffer)) return;
    if (framebufferOf(core, target) === null) {
      core.rejectEnum(caller, 'target', target);
      return;
    }
    if (!isNone) framebuffer.wasBound = true;
    const bound = isNone ? null : framebuffer;
    if (target !== GL.READ_FRAMEBUFFER) core.drawFramebuffer = bound;
    if (target !== GL.DRAW_FRAMEBUFFER) core.readFramebuffer = bound;
    core.gl.framebuffers.bind(target, isNone ? 0 : framebuffer.glName);
  },
  checkFramebufferStatus(this: ContextObject, target: number): number {
    const core = this[CORE];
    const found = framebufferOf(core, target >>> 0);
    if (found !== null) return framebufferStatus(core, found.framebuffer);
    core.rejectEnum('checkFramebufferStatus', 'target', target);
    return 0;
  },

  framebufferRenderbuffer(
    this: ContextObject,
    target: number,
    attachment: number,
    renderbufferTarget: number,
    renderbuffer: WebGLRenderbuffer | null,
  ): void {
    const core = this[CORE];
    const caller = 'framebufferRenderbuffer';
    const isNone = renderbuffer === null || renderbuffer === undefined;
    if (!isNone && !checkObject(core, caller, renderbuffer, WebGLRenderbuffer)) return;
    if (renderbufferTarget !== GL.RENDERBUFFER) {
      core.rejectEnum(caller, 'renderbuffer target', renderbufferTarget);
      return;
    }
    const framebuffer = attachmentTarget(core, caller, target, attachment);
    if (framebuffer === null) return;
    if (!isNone && !renderbuffer.wasBound) {
      core.raise(GL.INVALID_OPERATION, caller, 'the renderbuffer was never bound');
      return;
    }
    const recorded = isNone ? null : ({ kind: 'renderbuffer', object: renderbuffer } as const);
    recordAttachment(core, framebuffer, attachment, recorded);
    const glName = isNone ? 0 : renderbuffer.glName;
    core.gl.framebuffers.attachRenderbuffer(target, attachment, renderbufferTarget, glName);
    if (isNone) reattach(core, framebuffer, target, attachment);
  },

  framebufferTexture2D(
    this: ContextObject,
    target: number,
    attachment: number,
    textureTarget: number,
    texture: WebGLTexture | null,
    level: number,
  ): void {
    const core = this[CORE];
    const caller = 'framebufferTexture2D';
    const isNone = texture === null || texture === undefined;
    if (!isNone && !checkObject(core, caller, texture, WebGLTexture)) return;
    const framebuffer = attachmentTarget(core, caller, target, attachment);
    if (framebuffer === null) return;
    const isFace =
      textureTarget >= GL.TEXTURE_CUBE_MAP_POSITIVE_X &&
      textureTarget <= GL.TEXTURE_CUBE_MAP_NEGATIVE_Z;
    if (!isNone) {
      if (textureTarget !== GL.TEXTURE_2D && !isFace) {
        core.rejectEnum(caller, 'texture target', textureTarget);
        return;
      }
      if (texture.boundTarget !== (isFace ? GL.TEXTURE_CUBE_MAP : GL.TEXTURE_2D)) {
        core.raise(
          GL.INVALID_OPERATION,
          caller,
          `the texture was first bound to ${enumName(texture.boundTarget)}`,
        );
        return;
      }
      const hasLevels = core.hasFeature('mipmapTargets');
      if (level < 0 || level > (hasLevels ? LIMITS.textureLevels - 1 : 0)) {
        core.raise(GL.INVALID_VALUE, caller, `level ${level} cannot be attached`);
        return;
      }
    }
    const recorded = isNone
      ? null
      : ({ kind: 'texture', object: texture, level, textureTarget, layer: 0 } as const);
    recordAttachment(core, framebuffer, attachment, recorded);
    const glName = isNone ? 0 : texture.glName;
    core.gl.framebuffers.attachTexture(target, attachment, textureTarget, glName, level);
    if (isNone) reattach(core, framebuffer, target, attachment);
  },

  blitFramebuffer(this: ContextObject, ...numbers: readonly number[]): void {
    const core = this[CORE];
    const caller = 'blitFramebuffer';
    const { readFramebuffer, drawFramebuffer } = core;
    if (!isComplete(core, caller, readFramebuffer)) return;
    if (!isComplete(core, caller, drawFramebuffer)) return;
    if (!hasOneView(core, caller)) return;
    if (viewCountOf(drawFramebuffer) !== null) {
      const message = 'the draw framebuffer has views, into which nothing can be blitted';
      core.raise(GL.INVALID_FRAMEBUFFER_OPERATION, caller, message);
      return;
    }
    const [x0, y0, x1, y1, toX0, toY0, toX1, toY1, mask, filter] = numbers.map((n) => n | 0);
    const spans = [x1! - x0!, y1! - y0!, toX1! - toX0!, toY1! - toY0!];
    if (spans.some((span) => Math.abs(span) > MAX_INT)) {
      core.raise(GL.INVALID_VALUE, caller, 'the width or height of a rectangle exceeds 2147483647');
      return;
    }
    for (const [bit, buffer] of BLIT_BUFFERS) {
      if ((mask! & bit) === 0) continue;
      if (
        hasBuffer(core, drawFramebuffer, buffer, false) &&
        !hasBuffer(core, readFramebuffer, buffer, true)
      ) {
        core.raise(GL.INVALID_OPERATION, caller, `the read framebuffer has no ${buffer} buffer`);
        return;
      }
    }
    core.gl.blits.blit(
      [x0!, y0!, x1!, y1!],
      [toX0!, toY0!, toX1!, toY1!],
      mask! >>> 0,
      filter! >>> 0,
    );
  },
};

const MAX_INT = 2 ** 31 - 1;

const BLIT_BUFFERS = [
  [GL.COLOR_BUFFER_BIT, 'color'],
  [GL.DEPTH_BUFFER_BIT, 'depth'],
  [GL.STENCIL_BUFFER_BIT, 'stencil'],
] as const;

/** Returns whether a framebuffer has a buffer to draw to, or to read from. */
function hasBuffer(
  { attributes, defaultDrawBuffers, defaultReadBuffer }: ContextCore,
  framebuffer: WebGLFramebuffer | null,
  buffer: 'color' | 'depth' | 'stencil',
  isRead: boolean,
): boolean {
  if (framebuffer === null) {
    if (buffer !== 'color') return attributes[buffer];
    return (isRead ? defaultReadBuffer : defaultDrawBuffers[0]) !== GL.NONE;
  }
  const { attachments, drawBuffers, readBuffer } = framebuffer;
  if (buffer === 'depth') return attachments.has(GL.DEPTH_ATTACHMENT);
  if (buffer === 'stencil') return attachments.has(GL.STENCIL_ATTACHMENT);
  return isRead ? attachments.has(readBuffer) : drawBuffers.some((point) => attachments.has(point));
}

/**
 * Restores depth and stencil attachments of WebGL 1. The state machine has one attachment point for
 * both, so removing one attachment can remove another.
 */
function reattach(
  core: ContextCore,
  framebuffer: WebGLFramebuffer,
  target: number,
  removed: number,
): void {
  if (core.rules.isDepthStencilTwoPoints || isColorPoint(removed)) return;
  for (const [point, attachment] of framebuffer.attachments) {
    if (isColorPoint(point)) continue;
    const { glName } = attachment.object;
    if (attachment.kind === 'renderbuffer') {
      core.gl.framebuffers.attachRenderbuffer(target, point, GL.RENDERBUFFER, glName);
    } else {
      const { textureTarget, level } = attachment;
      core.gl.framebuffers.attachTexture(target, point, textureTarget, glName, level);
    }
  }
}
