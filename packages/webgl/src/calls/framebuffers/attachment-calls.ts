/**
 * Queries about attachments (OpenGL ES 2.0, section 6.1.3; OpenGL ES 3.0, section 6.1.13), and
 * attachments of texture layers.
 */

import { checkObject } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { LIMITS } from '../../interface/limits.ts';
import type { FramebufferAttachment } from '../../objects/webgl-framebuffer.ts';
import { WebGLTexture } from '../../objects/webgl-texture.ts';
import { attachedImage, framebufferOf } from '../../rules/framebuffer-state.ts';
import { findSizedFormat, type InternalFormat } from '../../rules/internal-formats.ts';
import { viewsOf } from '../../rules/view-rules.ts';
import { attachmentTarget, isAttachmentPoint, recordAttachment } from './framebuffer-calls.ts';

const SIZES: readonly number[] = [
  GL.FRAMEBUFFER_ATTACHMENT_RED_SIZE,
  GL.FRAMEBUFFER_ATTACHMENT_GREEN_SIZE,
  GL.FRAMEBUFFER_ATTACHMENT_BLUE_SIZE,
  GL.FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE,
  GL.FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE,
  GL.FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE,
];

/** Parameters that can be queried for the drawing buffer. */
const OF_DEFAULT: readonly number[] = [
  ...SIZES,
  GL.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE,
  GL.FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE,
  GL.FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING,
];

const COMPONENT_TYPES = {
  unorm: GL.UNSIGNED_NORMALIZED,
  snorm: GL.SIGNED_NORMALIZED,
  float: GL.FLOAT,
  int: GL.INT,
  uint: GL.UNSIGNED_INT,
} as const;

/**
 * Returns whether programs can query component types. In WebGL 1 the parameter exists only with an
 * extension.
 */
function hasComponentTypes(core: ContextCore): boolean {
  return core.hasFeature('floatTargets');
}

/** Returns a parameter that depends on the image format, or `undefined` for other parameters. */
function readFormatParameter(
  core: ContextCore,
  format: InternalFormat,
  parameter: number,
): number | undefined {
  const hasEncoding = core.hasFeature('srgb');
  if (parameter === GL.FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING && hasEncoding) {
    return format.isSrgb ? GL.SRGB : GL.LINEAR;
  }
  if (parameter === GL.FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE && hasComponentTypes(core)) {
    return COMPONENT_TYPES[format.kind];
  }
  return core.rules.hasAttachmentQueries && SIZES.includes(parameter)
    ? format.bits[SIZES.indexOf(parameter)]
    : undefined;
}

function readAttachment(
  core: ContextCore,
  attachment: FramebufferAttachment,
  parameter: number,
): unknown {
  switch (parameter) {
    case GL.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE:
      return attachment.kind === 'texture' ? GL.TEXTURE : GL.RENDERBUFFER;
    case GL.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME:
      return attachment.object;
    default:
  }
  const image = attachedImage(attachment);
  if (image !== null) {
    const value = readFormatParameter(core, image.format, parameter);
    if (value !== undefined) return value;
  }
  if (core.extensions.isEnabled('OVR_multiview2')) {
    const { count, first } = viewsOf(attachment) ?? { count: 1, first: 0 };
    if (parameter === GL.FRAMEBUFFER_ATTACHMENT_TEXTURE_NUM_VIEWS_OVR) return count;
    if (parameter === GL.FRAMEBUFFER_ATTACHMENT_TEXTURE_BASE_VIEW_INDEX_OVR) return first;
  }
  if (attachment.kind !== 'texture') return undefined;
  switch (parameter) {
    case GL.FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL:
      return attachment.level;
    case GL.FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE:
      return attachment.object.boundTarget === GL.TEXTURE_CUBE_MAP ? attachment.textureTarget : 0;
    case GL.FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER:
      return core.rules.hasAttachmentQueries ? attachment.layer : undefined;
    default:
      return undefined;
  }
}

/** Returns a parameter of the drawing buffer (OpenGL ES 3.0, section 6.1.13). */
function readDefault(core: ContextCore, point: number, parameter: number): unknown {
  const { alpha, depth, stencil } = core.attributes;
  const hasBuffer =
    point === GL.BACK || (point === GL.DEPTH && depth) || (point === GL.STENCIL && stencil);
  if (parameter === GL.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) {
    return hasBuffer ? GL.FRAMEBUFFER_DEFAULT : GL.NONE;
  }
  const format = point === GL.BACK ? (alpha ? GL.RGBA8 : GL.RGB8) : GL.DEPTH24_STENCIL8;
  return hasBuffer ? readFormatParameter(core, findSizedFormat(format)!, parameter) : undefined;
}

/** WebGL calls that query attachments and attach layers. */
export const attachmentCalls = {
  getFramebufferAttachmentParameter(
    this: ContextObject,
    target: number,
    point: number,
    parameter: number,
  ): unknown {
    const core = this[CORE];
    const caller = 'getFramebufferAttachmentParameter';
    const found = framebufferOf(core, target);
    if (found === null) {
      core.rejectEnum(caller, 'target', target);
      return null;
    }
    const { framebuffer } = found;
    if (framebuffer === null) {
      const isPoint = point === GL.BACK || point === GL.DEPTH || point === GL.STENCIL;
      const { hasAttachmentQueries } = core.rules;
      const value =
        hasAttachmentQueries && isPoint ? readDefault(core, point, parameter) : undefined;
      if (value !== undefined) return value;
      // A missing buffer raises INVALID_OPERATION for parameters that existing buffers have.
      const isKnown = isPoint && OF_DEFAULT.includes(parameter);
      const code = hasAttachmentQueries && !isKnown ? GL.INVALID_ENUM : GL.INVALID_OPERATION;
      core.raise(
        code,
        caller,
        `the drawing buffer has no ${enumName(parameter)} at ${enumName(point)}`,
      );
      return null;
    }
    if (!isAttachmentPoint(core, caller, point)) return null;
    const isBoth = core.rules.isDepthStencilTwoPoints && point === GL.DEPTH_STENCIL_ATTACHMENT;
    const attachment = framebuffer.attachments.get(isBoth ? GL.DEPTH_ATTACHMENT : point);
    const stencil = framebuffer.attachments.get(GL.STENCIL_ATTACHMENT);
    if (isBoth && attachment?.object !== stencil?.object) {
      core.raise(GL.INVALID_OPERATION, caller, 'depth and stencil have different attachments');
      return null;
    }
    if (attachment === undefined) {
      if (parameter === GL.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) return GL.NONE;
      const isName = parameter === GL.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME;
      if (isName && core.rules.hasAttachmentQueries) return null;
      core.raise(
        core.rules.missingAttachmentError,
        caller,
        `nothing is attached to ${enumName(point)}`,
      );
      return null;
    }
    const isType =
      parameter === GL.FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE && hasComponentTypes(core);
    if (isType && point === GL.DEPTH_STENCIL_ATTACHMENT) {
      core.raise(GL.INVALID_OPERATION, caller, 'depth and stencil have different component types');
      return null;
    }
    const value = readAttachment(core, attachment, parameter);
    if (value !== undefined) return value;
    core.rejectEnum(caller, 'parameter', parameter);
    return null;
  },

  framebufferTextureLayer(
    this: ContextObject,
    target: number,
    point: number,
    texture: WebGLTexture | null,
    level: number,
    layer: number,
  ): void {
    const core = this[CORE];
    const caller = 'framebufferTextureLayer';
    const isNone = texture === null || texture === undefined;
    if (!isNone && !checkObject(core, caller, texture, WebGLTexture)) return;
    const framebuffer = attachmentTarget(core, caller, target, point);
    if (framebuffer === null) return;
    if (!isNone) {
      const isLayered =
        texture.boundTarget === GL.TEXTURE_3D || texture.boundTarget === GL.TEXTURE_2D_ARRAY;
      if (!isLayered) {
        core.raise(
          GL.INVALID_OPERATION,
          caller,
          'the texture is neither a 3D nor a 2D array texture',
        );
        return;
      }
      const levels = texture.boundTarget === GL.TEXTURE_3D ? 12 : LIMITS.textureLevels;
      if (level < 0 || level >= levels || layer < 0 || layer >= LIMITS.textureSlices) {
        core.raise(GL.INVALID_VALUE, caller, `layer ${layer} or level ${level} is out of range`);
        return;
      }
    }
    const recorded = isNone
      ? null
      : ({ kind: 'texture', object: texture, level, textureTarget: 0, layer } as const);
    recordAttachment(core, framebuffer, point, recorded);
    const glName = isNone ? 0 : texture.glName;
    core.gl.framebuffers.attachLayer(target, point, glName, level, layer);
  },
};
