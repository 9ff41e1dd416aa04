/**
 * Checks texture uploads by WebGL's rules and packs the texels tightly for the state machine (WebGL
 * 1.0, section 5.14.8; WebGL 2.0, section 3.7.6). The calls are in texture-upload-calls.ts.
 */

import type { NeededExtension } from '@tessera/gl';
import type { ContextCore } from '../../context/context-core.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { LIMITS } from '../../interface/limits.ts';
import type { WebGLTexture } from '../../objects/webgl-texture.ts';
import { convertToDisplayP3 } from '../../pixels/color-spaces.ts';
import {
  placePixels,
  premultiplyPixels,
  texelBytes,
  tightenPixels,
} from '../../pixels/pixel-packing.ts';
import {
  isBoxInside,
  isImageType,
  type PackedSource,
  packSource,
  type SourcePixels,
} from '../../pixels/pixel-sources.ts';
import type { PixelLayout } from '../../pixels/pixel-storage.ts';
import { findCompressedFormat } from '../../rules/compressed-formats.ts';
import { isUsable } from '../../rules/feedback-conflicts.ts';
import { findFormat, isUnsizedFormat } from '../../rules/internal-formats.ts';
import { sliceView } from '../buffers/buffer-calls.ts';

/** Arguments of an upload that describe the texels. */
export interface UploadCall {
  readonly caller: string;
  readonly target: number;
  readonly level: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly depthPx: number;
  readonly format: number;
  readonly type: number;
}

/** Source of the texels. */
export type UploadPixels =
  | { readonly kind: 'view'; readonly view: ArrayBufferView | null; readonly offset?: unknown }
  | { readonly kind: 'buffer'; readonly offsetBytes: number }
  | {
      readonly kind: 'image';
      readonly image: SourcePixels;
      /** Whether the call has no size argument and therefore uploads the whole image. */
      readonly isWhole: boolean;
    };

/**
 * Returns the texture bound to an upload target and the face that the target selects. Returns
 * `null` after an error.
 */
export function uploadTarget(
  core: ContextCore,
  caller: string,
  target: number,
  dimension: '2d' | '3d',
): { readonly texture: WebGLTexture; readonly face: number } | null {
  const isFace =
    target >= GL.TEXTURE_CUBE_MAP_POSITIVE_X && target <= GL.TEXTURE_CUBE_MAP_NEGATIVE_Z;
  const isKnown =
    dimension === '2d'
      ? target === GL.TEXTURE_2D || isFace
      : target === GL.TEXTURE_3D || target === GL.TEXTURE_2D_ARRAY;
  if (!isKnown) {
    core.rejectEnum(caller, 'target', target);
    return null;
  }
  const texture = core.textureUnits.bound(isFace ? GL.TEXTURE_CUBE_MAP : target);
  if (texture === null) {
    core.raise(GL.INVALID_OPERATION, caller, 'no texture is bound');
    return null;
  }
  return { texture, face: isFace ? target - GL.TEXTURE_CUBE_MAP_POSITIVE_X : 0 };
}

/**
 * Returns whether a texture can have a level of this index and size. Raises the error otherwise.
 */
export function isLevelSize(
  core: ContextCore,
  { caller, target, level, widthPx, heightPx, depthPx }: Omit<UploadCall, 'format' | 'type'>,
): boolean {
  const isDeep = target === GL.TEXTURE_3D;
  const most = isDeep ? LIMITS.textureSlices : LIMITS.textureEdgePx;
  const levels = 32 - Math.clz32(most);
  const mostPx = most >> Math.max(0, level);
  const mostSlices = target === GL.TEXTURE_2D_ARRAY ? LIMITS.textureSlices : mostPx;
  const isCube = target !== GL.TEXTURE_2D && !isDeep && target !== GL.TEXTURE_2D_ARRAY;
  const isPowerOfTwo = (size: number): boolean => (size & (size - 1)) === 0;
  const isFitting =
    level >= 0 &&
    level < levels &&
    Math.min(widthPx, heightPx, depthPx) >= 0 &&
    Math.max(widthPx, heightPx) <= mostPx &&
    depthPx <= mostSlices &&
    (!isCube || widthPx === heightPx) &&
    (!core.gl.rules.isPowerOfTwoOnly ||
      level === 0 ||
      (isPowerOfTwo(widthPx) && isPowerOfTwo(heightPx)));
  if (!isFitting) {
    core.raise(
      GL.INVALID_VALUE,
      caller,
      `${widthPx}×${heightPx}×${depthPx} is not a valid size for level ${level} of ${enumName(target)}`,
    );
  }
  return isFitting;
}

/**
 * Returns whether format and type are valid enumerations for uploads. Raises the error otherwise.
 */
export function areUploadEnums(
  core: ContextCore,
  caller: string,
  format: number,
  type: number,
): boolean {
  const isAccepted = (table: ReadonlyMap<number, NeededExtension>, value: number): boolean => {
    const extension = table.get(value);
    return extension === null || (extension !== undefined && core.extensions.isEnabled(extension));
  };
  const { uploadFormats, uploadTypes } = core.rules;
  if (isAccepted(uploadFormats, format) && isAccepted(uploadTypes, type)) return true;
  core.raise(
    GL.INVALID_ENUM,
    caller,
    `format ${enumName(format)} with type ${enumName(type)} is not accepted`,
  );
  return false;
}

/**
 * Returns whether an upload can define an image of the internal format. Raises the error otherwise.
 */
export function isDefinable(
  core: ContextCore,
  { caller, target, level, format, type }: UploadCall,
  internalFormat: number,
  isEmpty: boolean,
): boolean {
  const isSized = findFormat(internalFormat, -1) !== null;
  const { hasSizedFormats, uploadFormats } = core.rules;
  const isKnown = hasSizedFormats
    ? isSized || isUnsizedFormat(internalFormat)
    : uploadFormats.has(internalFormat);
  if (!isKnown) {
    const isCompressed = findCompressedFormat(core, internalFormat) !== null;
    core.raise(
      isCompressed ? GL.INVALID_OPERATION : core.rules.unknownInternalFormatError,
      caller,
      `internal format ${enumName(internalFormat)} is not accepted`,
    );
    return false;
  }
  const found = findFormat(internalFormat, type);
  // Unsized float formats exist only in extensions of WebGL 1.
  const isOfWebGl1 = hasSizedFormats && !isSized && found?.kind === 'float';
  const isFitting =
    found !== null &&
    !isOfWebGl1 &&
    found.format === format &&
    found.types.includes(type) &&
    (isSized || internalFormat === format);
  if (!isFitting) {
    core.raise(
      GL.INVALID_OPERATION,
      caller,
      `internal format ${enumName(internalFormat)} does not accept format ${enumName(format)} with type ${enumName(type)}`,
    );
    return false;
  }
  const isDepth = format === GL.DEPTH_COMPONENT || format === GL.DEPTH_STENCIL;
  if (
    isDepth &&
    !core.rules.canUploadDepth &&
    (target !== GL.TEXTURE_2D || level !== 0 || !isEmpty)
  ) {
    core.raise(
      GL.INVALID_OPERATION,
      caller,
      'in WebGL 1 a depth texture must be level 0 of TEXTURE_2D without pixels',
    );
    return false;
  }
  if (isDepth && target === GL.TEXTURE_3D) {
    core.raise(GL.INVALID_OPERATION, caller, 'a 3D texture cannot have a depth format');
    return false;
  }
  return true;
}

const VIEWS_BY_TYPE: ReadonlyMap<number, readonly string[]> = new Map<number, readonly string[]>([
  [GL.UNSIGNED_BYTE, ['Uint8Array', 'Uint8ClampedArray']],
  [GL.BYTE, ['Int8Array']],
  [GL.UNSIGNED_SHORT, ['Uint16Array']],
  [GL.UNSIGNED_SHORT_5_6_5, ['Uint16Array']],
  [GL.UNSIGNED_SHORT_4_4_4_4, ['Uint16Array']],
  [GL.UNSIGNED_SHORT_5_5_5_1, ['Uint16Array']],
  [GL.HALF_FLOAT, ['Uint16Array', 'Float16Array']],
  [GL.HALF_FLOAT_OES, ['Uint16Array', 'Float16Array']],
  [GL.SHORT, ['Int16Array']],
  [GL.UNSIGNED_INT, ['Uint32Array']],
  [GL.UNSIGNED_INT_24_8, ['Uint32Array']],
  [GL.UNSIGNED_INT_2_10_10_10_REV, ['Uint32Array']],
  [GL.UNSIGNED_INT_10F_11F_11F_REV, ['Uint32Array']],
  [GL.UNSIGNED_INT_5_9_9_9_REV, ['Uint32Array']],
  [GL.INT, ['Int32Array']],
  [GL.FLOAT, ['Float32Array']],
]);

/**
 * Returns whether the elements of a view match a type. Raises the error otherwise.
 *
 * @param unknownType GL error for an unknown type.
 */
export function isViewOf(
  core: ContextCore,
  caller: string,
  view: ArrayBufferView,
  type: number,
  unknownType: number = GL.INVALID_OPERATION,
): boolean {
  const name = Object.prototype.toString.call(view).slice(8, -1);
  const names = VIEWS_BY_TYPE.get(type);
  if (names?.includes(name) === true) return true;
  if (names === undefined) {
    core.raise(unknownType, caller, enumName(type));
    return false;
  }
  core.raise(
    GL.INVALID_OPERATION,
    caller,
    `type ${enumName(type)} needs a ${names.join(' or ')}, not a ${name}`,
  );
  return false;
}

/** Packed texels and their type; `bytes` is `null` if the upload has no texels. */
interface PackedPixels {
  readonly bytes: Uint8Array | null;
  readonly type: number;
}

/** Raises an error if a buffer is bound from which texels would be read; returns whether it is. */
export function isUnpackBufferBound(core: ContextCore, caller: string): boolean {
  if (!core.boundBuffers.has(GL.PIXEL_UNPACK_BUFFER)) return false;
  core.raise(GL.INVALID_OPERATION, caller, 'a buffer is bound to PIXEL_UNPACK_BUFFER');
  return true;
}

/** Packs the texels of an upload tightly. Returns `null` after an error. */
export function packPixels(
  core: ContextCore,
  call: UploadCall,
  pixels: UploadPixels,
): PackedPixels | null {
  const { caller, format, type } = call;
  const { isFlipped, isPremultiplied } = core.pixelStorage;
  const isOfMemory = pixels.kind === 'image' || (pixels.kind === 'view' && pixels.view !== null);
  if (isOfMemory && isUnpackBufferBound(core, caller)) return null;
  if (pixels.kind === 'image') {
    return packImageSource(core, call, pixels);
  }
  if (pixels.kind === 'view' && pixels.view === null) return { bytes: null, type };
  if (isOverlapping(core.pixelStorage.unpack, call)) {
    core.raise(
      GL.INVALID_OPERATION,
      caller,
      'the unpack parameters make rows or slices overlap in memory',
    );
    return null;
  }
  const isPlain = pixels.kind === 'buffer' || isDeepTarget(call.target);
  if (isPlain && (isFlipped || isPremultiplied)) {
    const message =
      'UNPACK_FLIP_Y_WEBGL and UNPACK_PREMULTIPLY_ALPHA_WEBGL must be false for buffers and for textures with layers';
    core.raise(GL.INVALID_OPERATION, caller, message);
    return null;
  }
  const bytesPerTexel = texelBytes(format, type);
  const { unpack } = core.pixelStorage;
  const layout = isDeepTarget(call.target) ? unpack : { ...unpack, imageHeight: 0, skipImages: 0 };
  const places = placePixels(layout, call, bytesPerTexel);
  let bytes: Uint8Array | null;
  if (pixels.kind === 'buffer') {
    const buffer = core.gl.buffers.bound(GL.PIXEL_UNPACK_BUFFER);
    if (buffer === null) {
      core.raise(GL.INVALID_OPERATION, caller, 'no buffer is bound to PIXEL_UNPACK_BUFFER');
      return null;
    }
    if (!isUsable(core, caller, core.boundBuffers.get(GL.PIXEL_UNPACK_BUFFER)!)) return null;
    bytes = buffer.share().subarray(pixels.offsetBytes);
  } else {
    const { view } = pixels;
    if (view === null || !isViewOf(core, caller, view, type)) return null;
    bytes = sliceView(core, caller, view, pixels.offset, undefined, GL.INVALID_OPERATION);
    if (bytes === null) return null;
  }
  if (bytes.length < places.neededBytes) {
    const message = `the upload needs ${places.neededBytes} bytes, but only ${bytes.length} are available`;
    core.raise(GL.INVALID_OPERATION, caller, message);
    return null;
  }
  const tight = tightenPixels(bytes, places, call, bytesPerTexel, isFlipped);
  return { bytes: isPremultiplied ? premultiplyPixels(tight, format, type) : tight, type };
}

function isDeepTarget(target: number): boolean {
  return target === GL.TEXTURE_3D || target === GL.TEXTURE_2D_ARRAY;
}

/**
 * Returns whether the skipped pixels or rows make a row or a slice too short (WebGL 2.0, section
 * 5.36).
 */
function isOverlapping(
  { rowLength, imageHeight, skipPixels, skipRows }: PixelLayout,
  { target, widthPx, heightPx }: UploadCall,
): boolean {
  const rowPx = rowLength > 0 ? rowLength : widthPx;
  if (skipPixels + widthPx > rowPx) return true;
  return isDeepTarget(target) && skipRows + heightPx > (imageHeight > 0 ? imageHeight : heightPx);
}

/**
 * Packs the texels of an image, or the part of it that the call's size selects. Returns `null`
 * after an error.
 */
function packImageSource(
  core: ContextCore,
  { caller, widthPx, heightPx, depthPx, format, type }: UploadCall,
  { image, isWhole }: UploadPixels & { readonly kind: 'image' },
): PackedSource | null {
  if (!isImageType(format, type)) {
    const message = `format ${enumName(format)} with type ${enumName(type)} is not accepted for images`;
    core.raise(GL.INVALID_ENUM, caller, message);
    return null;
  }
  const { unpack, colorSpace, colorspaceConversion } = core.pixelStorage;
  const sliceRows = depthPx > 1 && unpack.imageHeight > 0 ? unpack.imageHeight : heightPx;
  const skippedRows = unpack.skipRows + (depthPx > 1 ? unpack.skipImages * sliceRows : 0);
  const start = isWhole ? { x: 0, y: 0 } : { x: unpack.skipPixels, y: skippedRows };
  const box = { ...start, widthPx, heightPx, depthPx, sliceRows };
  if (!isBoxInside(image, box)) {
    const message = `${widthPx}×${heightPx}×${depthPx} at ${box.x}, ${box.y} exceeds the image of ${image.widthPx}×${image.heightPx}`;
    core.raise(GL.INVALID_OPERATION, caller, message);
    return null;
  }
  const isConverted = colorSpace !== 'srgb' && colorspaceConversion !== GL.NONE;
  const converted = isConverted ? convertToDisplayP3(image) : image;
  return packSource(converted, box, format, type, core.pixelStorage);
}
