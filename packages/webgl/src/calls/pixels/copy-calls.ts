/**
 * Copies from the read framebuffer to textures (WebGL 1.0, section 5.14.8; OpenGL ES 3.0, section
 * 3.8.5).
 */
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { attachedImage, isComplete } from '../../rules/framebuffer-state.ts';
import {
  findFormat,
  findSizedFormat,
  type InternalFormat,
  isColorTarget,
  isUnsizedFormat,
} from '../../rules/internal-formats.ts';
import { hasOneView } from '../../rules/view-rules.ts';
import { isLevelSize, uploadTarget } from './texture-upload.ts';

/** Returns the format of the read buffer, or `null` after an error. */
function readFormat(core: ContextCore, caller: string): InternalFormat | null {
  if (!isComplete(core, caller, core.readFramebuffer) || !hasOneView(core, caller)) return null;
  const { readFramebuffer } = core;
  if (readFramebuffer === null) {
    const found = findSizedFormat(core.attributes.alpha ? GL.RGBA8 : GL.RGB8);
    if (core.defaultReadBuffer !== GL.NONE) return found;
  } else {
    const attachment = readFramebuffer.attachments.get(readFramebuffer.readBuffer);
    const image = attachment === undefined ? null : attachedImage(attachment);
    if (image !== null) return image.format;
  }
  core.raise(GL.INVALID_OPERATION, caller, 'the read buffer is NONE or has no image');
  return null;
}

/** Formats of three channels that are no color buffers, with those that are and have alpha. */
const WITH_ALPHA: ReadonlyMap<number, number> = new Map<number, number>([
  [GL.SRGB8, GL.SRGB8_ALPHA8],
  [GL.RGB16F, GL.RGBA16F],
  [GL.RGB32F, GL.RGBA32F],
  [GL.RGB8I, GL.RGBA8I],
  [GL.RGB8UI, GL.RGBA8UI],
  [GL.RGB16I, GL.RGBA16I],
  [GL.RGB16UI, GL.RGBA16UI],
  [GL.RGB32I, GL.RGBA32I],
  [GL.RGB32UI, GL.RGBA32UI],
]);

/**
 * Returns whether a format can be the internal format of a copy: an unsized one, or one of a color
 * buffer, also without its alpha.
 */
function isCopyFormat(core: ContextCore, internalFormat: number): boolean {
  const isUnsizedSrgb = internalFormat === GL.SRGB_EXT || internalFormat === GL.SRGB_ALPHA_EXT;
  if (isUnsizedFormat(internalFormat)) return !isUnsizedSrgb;
  if (!core.rules.hasSizedFormats) return false;
  const format = findSizedFormat(WITH_ALPHA.get(internalFormat) ?? internalFormat);
  return format !== null && isColorTarget(core, format);
}

/** Channels that an unsized format needs from the read buffer. Luminance is read from red. */
const CHANNELS_NEEDED: ReadonlyMap<number, readonly number[]> = new Map<number, readonly number[]>([
  [GL.ALPHA, [3]],
  [GL.LUMINANCE, [0]],
  [GL.LUMINANCE_ALPHA, [0, 3]],
  [GL.RED, [0]],
  [GL.RG, [0, 1]],
  [GL.RGB, [0, 1, 2]],
  [GL.RGBA, [0, 1, 2, 3]],
  [GL.RED_INTEGER, [0]],
  [GL.RG_INTEGER, [0, 1]],
  [GL.RGB_INTEGER, [0, 1, 2]],
  [GL.RGBA_INTEGER, [0, 1, 2, 3]],
]);

/** Returns whether colors of one format can be copied to another. Raises the error otherwise. */
function areCompatible(
  core: ContextCore,
  caller: string,
  source: InternalFormat,
  into: InternalFormat,
): boolean {
  const needed = CHANNELS_NEEDED.get(into.format);
  const sourceChannels = CHANNELS_NEEDED.get(source.format) ?? [];
  const isFitting =
    needed?.every((channel) => sourceChannels.includes(channel)) === true &&
    source.kind === into.kind &&
    source.isSrgb === into.isSrgb;
  if (!isFitting)
    core.raise(
      GL.INVALID_OPERATION,
      caller,
      'the read buffer does not have the components of the texture format',
    );
  return isFitting;
}

/**
 * Returns whether the components of a sized format have the sizes of the read buffer's components.
 * Raises the error otherwise.
 */
function haveEqualSizes(
  core: ContextCore,
  caller: string,
  source: InternalFormat,
  into: InternalFormat,
): boolean {
  const isAlike = [0, 1, 2, 3].every((c) => into.bits[c] === 0 || into.bits[c] === source.bits[c]);
  if (!isAlike)
    core.raise(
      GL.INVALID_OPERATION,
      caller,
      'the component sizes of the internal format differ from the read buffer',
    );
  return isAlike;
}

/** WebGL calls that copy from the read framebuffer to textures. */
export const copyCalls = {
  copyTexImage2D(
    this: ContextObject,
    target: number,
    level: number,
    internalFormat: number,
    x: number,
    y: number,
    width: number,
    height: number,
    border: number,
  ): void {
    const core = this[CORE];
    const caller = 'copyTexImage2D';
    const place = uploadTarget(core, caller, target >>> 0, '2d');
    if (place === null) return;
    if (!isCopyFormat(core, internalFormat)) {
      core.rejectEnum(caller, 'internal format', internalFormat);
      return;
    }
    const size = { widthPx: width | 0, heightPx: height | 0, depthPx: 1 };
    if (!isLevelSize(core, { caller, target, level: level | 0, ...size })) return;
    if ((border | 0) !== 0) {
      core.raise(GL.INVALID_VALUE, caller, `border ${border} must be 0`);
      return;
    }
    const source = readFormat(core, caller);
    if (source === null) return;
    const into = findFormat(internalFormat, GL.UNSIGNED_BYTE) ?? null;
    if (into === null) {
      core.raise(GL.INVALID_OPERATION, caller, 'depth and stencil formats cannot be copied to');
      return;
    }
    const isFloat = source.kind === 'float' && isUnsizedFormat(internalFormat);
    if (!areCompatible(core, caller, source, isFloat ? { ...into, kind: 'float' } : into)) return;
    const isSized = findSizedFormat(internalFormat) !== null;
    if (isSized && !haveEqualSizes(core, caller, source, into)) return;
    if (place.texture.isImmutable) {
      core.raise(GL.INVALID_OPERATION, caller, 'the texture is immutable');
      return;
    }
    const type = findSizedFormat(internalFormat)?.types[0] ?? GL.UNSIGNED_BYTE;
    if (size.widthPx === 0 || size.heightPx === 0) {
      const { format } = into;
      core.gl.textures.uploads.image(internalFormat, {
        target,
        level,
        ...size,
        format,
        type,
        bytes: null,
      });
    } else {
      core.gl.copies.image(target, level | 0, internalFormat, x | 0, y | 0, width | 0, height | 0);
    }
    const image = { internalFormat, format: into.format, type, ...size };
    place.texture.setImage(level | 0, place.face, image);
  },

  copyTexSubImage2D(
    this: ContextObject,
    target: number,
    level: number,
    intoX: number,
    intoY: number,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void {
    const core = this[CORE];
    const caller = 'copyTexSubImage2D';
    const into = [intoX | 0, intoY | 0, 0] as const;
    const rect = [x | 0, y | 0, width | 0, height | 0] as const;
    if (!isCopyable(core, caller, [target >>> 0, level | 0, '2d'], into, rect)) return;
    if (rect[2] > 0 && rect[3] > 0) {
      core.gl.copies.subImage(target, level | 0, into[0], into[1], ...rect);
    }
  },

  copyTexSubImage3D(
    this: ContextObject,
    target: number,
    level: number,
    intoX: number,
    intoY: number,
    intoZ: number,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void {
    const core = this[CORE];
    const into = [intoX | 0, intoY | 0, intoZ | 0] as const;
    const rect = [x | 0, y | 0, width | 0, height | 0] as const;
    if (!isCopyable(core, 'copyTexSubImage3D', [target >>> 0, level | 0, '3d'], into, rect)) return;
    if (rect[2] > 0 && rect[3] > 0) core.gl.copies.subImage3d(target, level | 0, ...into, ...rect);
  },
};

/** Returns whether a rectangle can be copied into a part of a level. Raises the error otherwise. */
function isCopyable(
  core: ContextCore,
  caller: string,
  [target, level, dimension]: readonly [number, number, '2d' | '3d'],
  [intoX, intoY, intoZ]: readonly [number, number, number],
  [, , width, height]: readonly [number, number, number, number],
): boolean {
  const place = uploadTarget(core, caller, target, dimension);
  if (place === null) return false;
  if (Math.min(level, intoX, intoY, intoZ, width, height) < 0) {
    core.raise(
      GL.INVALID_VALUE,
      caller,
      `size ${width}×${height}, offset ${intoX}, ${intoY}, ${intoZ} or level ${level} is negative`,
    );
    return false;
  }
  const image = place.texture.imageAt(level, place.face);
  if (image === null) {
    core.raise(GL.INVALID_OPERATION, caller, `level ${level} of the texture is not defined`);
    return false;
  }
  const isInside =
    intoX + width <= image.widthPx && intoY + height <= image.heightPx && intoZ < image.depthPx;
  if (!isInside) {
    core.raise(
      GL.INVALID_VALUE,
      caller,
      `${width}×${height} at ${intoX}, ${intoY}, ${intoZ} exceeds the level of ${image.widthPx}×${image.heightPx}×${image.depthPx}`,
    );
    return false;
  }
  const source = readFormat(core, caller);
  if (source === null) return false;
  const into = findFormat(image.internalFormat, image.type);
  if (into !== null) return areCompatible(core, caller, source, into);
  const message = `level ${level} of ${enumName(image.internalFormat)} is compressed`;
  core.raise(GL.INVALID_OPERATION, caller, message);
  return false;
}
