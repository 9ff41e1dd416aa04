/**
 * `texImage…` and `texSubImage…` (WebGL 1.0, section 5.14.8; WebGL 2.0, section 3.7.6).
 */
import { toLongLong } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { type SourcePixels, takeSource } from '../../pixels/pixel-sources.ts';
import { findFormat, findSizedFormat } from '../../rules/internal-formats.ts';
import {
  areUploadEnums,
  isDefinable,
  isLevelSize,
  isUnpackBufferBound,
  packPixels,
  type UploadCall,
  type UploadPixels,
  uploadTarget,
} from './texture-upload.ts';

/** Reads the pixel arguments of an upload that has a size. Returns `null` after an error. */
function readPixelArgument(
  core: ContextCore,
  caller: string,
  pixels: unknown,
  offset: unknown,
): UploadPixels | null {
  if (pixels === null || pixels === undefined) return { kind: 'view', view: null };
  if (ArrayBuffer.isView(pixels)) return { kind: 'view', view: pixels, offset };
  // In WebGL 2, WebIDL converts every argument that is not an object to an offset.
  if (typeof pixels !== 'object' && core.rules.hasPixelBuffers)
    return { kind: 'buffer', offsetBytes: toLongLong(pixels) };
  if (typeof pixels === 'object') {
    const image = readSourceImage(core, caller, pixels);
    return image === null ? null : { kind: 'image', image, isWhole: false };
  }
  throw new TypeError(`${caller}: the pixels are neither an ArrayBufferView nor an image`);
}

function defineImage(
  core: ContextCore,
  call: UploadCall,
  [internalFormat, border, dimension]: readonly [number, number, '2d' | '3d'],
  pixels: UploadPixels,
): void {
  const { caller, target, level, widthPx, heightPx, depthPx, format, type } = call;
  const place = uploadTarget(core, caller, target, dimension);
  if (place === null || !areUploadEnums(core, caller, format, type)) return;
  const isEmpty = pixels.kind === 'view' && pixels.view === null;
  if (!isDefinable(core, call, internalFormat, isEmpty)) return;
  if (!isLevelSize(core, call)) return;
  if (border !== 0) {
    core.raise(GL.INVALID_VALUE, caller, `border ${border} must be 0`);
    return;
  }
  const { texture, face } = place;
  if (texture.isImmutable) {
    core.raise(GL.INVALID_OPERATION, caller, 'the texture is immutable');
    return;
  }
  const packed = packPixels(core, call, pixels);
  if (packed === null) return;
  const upload = { target, level, widthPx, heightPx, depthPx, format, ...packed };
  core.gl.textures.uploads.image(internalFormat, upload);
  const size = { widthPx, heightPx, depthPx };
  texture.setImage(level, face, { internalFormat, format, type, ...size });
}

function replaceImage(
  core: ContextCore,
  call: UploadCall,
  [x, y, z, dimension]: readonly [number, number, number, '2d' | '3d'],
  pixels: UploadPixels,
): void {
  const { caller, target, level, widthPx, heightPx, depthPx, format, type } = call;
  const place = uploadTarget(core, caller, target, dimension);
  if (place === null || !areUploadEnums(core, caller, format, type)) return;
  const smallest = Math.min(level, x, y, z, widthPx, heightPx, depthPx);
  const image = smallest < 0 ? null : place.texture.imageAt(level, place.face);
  if (smallest < 0 || level > 31) {
    core.raise(
      GL.INVALID_VALUE,
      caller,
      `size ${widthPx}×${heightPx}, offset ${x}, ${y} or level ${level} is out of range`,
    );
    return;
  }
  if (image === null) {
    core.raise(GL.INVALID_OPERATION, caller, `level ${level} of the texture is not defined`);
    return;
  }
  const isInside =
    x + widthPx <= image.widthPx && y + heightPx <= image.heightPx && z + depthPx <= image.depthPx;
  if (!isInside) {
    core.raise(
      GL.INVALID_VALUE,
      caller,
      `${widthPx}×${heightPx} at ${x}, ${y} exceeds the level of ${image.widthPx}×${image.heightPx}`,
    );
    return;
  }
  const stored = findFormat(image.internalFormat, image.type);
  const isSized = findSizedFormat(image.internalFormat) !== null;
  const isFitting =
    stored?.format === format && (isSized ? stored.types.includes(type) : image.type === type);
  if (!isFitting) {
    core.raise(
      GL.INVALID_OPERATION,
      caller,
      `format ${enumName(format)} with type ${enumName(type)} does not match the level's ${enumName(image.internalFormat)}`,
    );
    return;
  }
  if (!core.rules.canUploadDepth && stored.bits[4] > 0) {
    core.raise(GL.INVALID_OPERATION, caller, 'WebGL 1 cannot upload to a depth texture');
    return;
  }
  if (pixels.kind === 'view' && pixels.view === null) {
    core.raise(GL.INVALID_VALUE, caller, 'the pixels are null');
    return;
  }
  const packed = packPixels(core, call, pixels);
  if (packed === null || packed.bytes === null) return;
  const upload = { target, level, widthPx, heightPx, depthPx, format, ...packed };
  core.gl.textures.uploads.subImage(x, y, upload, z);
}

/**
 * Returns the image that a call received, or `null` after an error.
 *
 * @throws {TypeError} If the argument is not an image.
 */
function readSourceImage(core: ContextCore, caller: string, given: unknown): SourcePixels | null {
  if (given === null || given === undefined) {
    throw new TypeError(`${caller}: the image is missing`);
  }
  const image = takeSource(caller, given);
  // As in Chromium, a bound buffer comes before an image without pixels.
  if (image === null && isUnpackBufferBound(core, caller)) return null;
  if (image === null) core.raise(GL.INVALID_VALUE, caller, 'the image has no pixels yet');
  return image;
}

/** WebGL calls that define and update the images of textures. */
export const textureUploadCalls = {
  texImage2D(this: ContextObject, ...given: unknown[]): void {
    const core = this[CORE];
    const caller = 'texImage2D';
    const [target, level, internalFormat] = given as number[];
    const ids = { caller, target: target! >>> 0, level: level! | 0, depthPx: 1 };
    if (given.length < 9) {
      const [, , , format, type, pixels] = given as number[];
      const source = readSourceImage(core, caller, pixels);
      if (source === null) return;
      const { widthPx, heightPx } = source;
      const call = { ...ids, widthPx, heightPx, format: format! >>> 0, type: type! >>> 0 };
      const whole = { kind: 'image', image: source, isWhole: true } as const;
      defineImage(core, call, [internalFormat! >>> 0, 0, '2d'], whole);
      return;
    }
    const [, , , width, height, border, format, type, pixels, offset] = given as number[];
    const size = { widthPx: width! | 0, heightPx: height! | 0 };
    const call = { ...ids, ...size, format: format! >>> 0, type: type! >>> 0 };
    const source = readPixelArgument(core, caller, pixels, offset);
    if (source === null) return;
    defineImage(core, call, [internalFormat! >>> 0, border! | 0, '2d'], source);
  },

  texSubImage2D(this: ContextObject, ...given: unknown[]): void {
    const core = this[CORE];
    const caller = 'texSubImage2D';
    const [target, level, x, y] = given as number[];
    const ids = { caller, target: target! >>> 0, level: level! | 0, depthPx: 1 };
    if (given.length < 9) {
      const [, , , , format, type, pixels] = given as number[];
      const source = readSourceImage(core, caller, pixels);
      if (source === null) return;
      const { widthPx, heightPx } = source;
      const call = { ...ids, widthPx, heightPx, format: format! >>> 0, type: type! >>> 0 };
      const whole = { kind: 'image', image: source, isWhole: true } as const;
      replaceImage(core, call, [x! | 0, y! | 0, 0, '2d'], whole);
      return;
    }
    const [, , , , width, height, format, type, pixels, offset] = given as number[];
    const size = { widthPx: width! | 0, heightPx: height! | 0 };
    const call = { ...ids, ...size, format: format! >>> 0, type: type! >>> 0 };
    const source = readPixelArgument(core, caller, pixels, offset);
    if (source === null) return;
    replaceImage(core, call, [x! | 0, y! | 0, 0, '2d'], source);
  },

  texImage3D(this: ContextObject, ...given: unknown[]): void {
    const caller = 'texImage3D';
    const [target, level, internalFormat, width, height, depth] = given as number[];
    const [, , , , , , border, format, type, pixels, offset] = given as number[];
    const call = {
      caller,
      target: target! >>> 0,
      level: level! | 0,
      widthPx: width! | 0,
      heightPx: height! | 0,
      depthPx: depth! | 0,
      format: format! >>> 0,
      type: type! >>> 0,
    };
    const source = readPixelArgument(this[CORE], caller, pixels, offset);
    if (source === null) return;
    defineImage(this[CORE], call, [internalFormat! >>> 0, border! | 0, '3d'], source);
  },

  texSubImage3D(this: ContextObject, ...given: unknown[]): void {
    const caller = 'texSubImage3D';
    const [target, level, x, y, z, width, height, depth] = given as number[];
    const [format, type, pixels, offset] = given.slice(8) as number[];
    const call = {
      caller,
      target: target! >>> 0,
      level: level! | 0,
      widthPx: width! | 0,
      heightPx: height! | 0,
      depthPx: depth! | 0,
      format: format! >>> 0,
      type: type! >>> 0,
    };
    const source = readPixelArgument(this[CORE], caller, pixels, offset);
    if (source === null) return;
    replaceImage(this[CORE], call, [x! | 0, y! | 0, z! | 0, '3d'], source);
  },
};
