/**
 * Conversion of page images to texels: canvas, image, bitmap, `ImageData` (WebGL 1.0, section
 * 5.14.8).
 */

import { GL } from '../interface/constants.ts';
import { isPixelSource, requireReadable } from './pixels.ts';

/** RGBA image with 8 bits per channel, top row first. */
export interface SourcePixels {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rgba: Uint8Array | Uint8ClampedArray;
  /** The same pixels with 16 bits per channel and straight alpha, if the source has as many. */
  readonly rgba16?: Uint16Array;
  readonly isPremultiplied: boolean;
  /** Whether rows and colors are used unchanged, ignoring `pixelStorei`. */
  readonly isReadyToUpload?: boolean;
}

/**
 * Returns the pixels of an argument of `texImage2D`, or `null` if it has none yet.
 *
 * @throws {TypeError} If the argument is not an image.
 * @throws {DOMException} SecurityError if the image has a foreign origin.
 */
export function takeSource(caller: string, source: unknown): SourcePixels | null {
  if (isPixelSource(source)) {
    const pixels = source.takePixels();
    if (pixels === null) return null;
    requireReadable(caller, pixels);
    if (source.isReadyToUpload === true) return { ...pixels, isReadyToUpload: true };
    const rgba16 = source.takeDeepRgba?.() ?? null;
    return rgba16 === null ? pixels : { ...pixels, rgba16 };
  }
  if (typeof source === 'object' && source !== null) {
    const { width, height, data } = readPlainImage(caller, source);
    const isBytes = data instanceof Uint8Array || data instanceof Uint8ClampedArray;
    if (typeof width === 'number' && typeof height === 'number' && isBytes) {
      if (data.length < width * height * 4) {
        throw new TypeError(
          `${caller}: an image of ${width}×${height} needs ${width * height * 4} bytes, but has ${data.length}`,
        );
      }
      return { widthPx: width, heightPx: height, rgba: data, isPremultiplied: false };
    }
  }
  throw new TypeError(`${caller}: the argument is not an image`);
}

interface PlainImage {
  readonly width?: unknown;
  readonly height?: unknown;
  readonly data?: unknown;
}

/** @throws {TypeError} If a getter of the object throws. Those of images do not. */
function readPlainImage(caller: string, image: PlainImage): PlainImage {
  try {
    const { width, height, data } = image;
    return { width, height, data };
  } catch (cause) {
    throw new TypeError(`${caller}: the argument is not an image`, { cause });
  }
}

/**
 * Types to which images can be converted (WebGL 2.0, section 3.7.6). Integer formats need
 * UNSIGNED_BYTE.
 */
const IMAGE_TYPES: readonly number[] = [
  GL.UNSIGNED_BYTE,
  GL.UNSIGNED_SHORT_5_6_5,
  GL.UNSIGNED_SHORT_4_4_4_4,
  GL.UNSIGNED_SHORT_5_5_5_1,
  GL.UNSIGNED_INT_2_10_10_10_REV,
  GL.UNSIGNED_INT_10F_11F_11F_REV,
  GL.HALF_FLOAT,
  GL.FLOAT,
  GL.HALF_FLOAT_OES,
];

/** Types that store more than 8 bits per channel. */
const DEEP_TYPES: readonly number[] = [
  GL.UNSIGNED_INT_2_10_10_10_REV,
  GL.UNSIGNED_INT_10F_11F_11F_REV,
  GL.HALF_FLOAT,
  GL.FLOAT,
  GL.HALF_FLOAT_OES,
];

/**
 * Returns whether an image can be uploaded with a matching pair of format and type. No image has
 * depths.
 */
export function isImageType(format: number, type: number): boolean {
  if (format === GL.DEPTH_COMPONENT || format === GL.DEPTH_STENCIL) return false;
  return IMAGE_TYPES.includes(type) && (format !== GL.RGBA_INTEGER || type === GL.UNSIGNED_BYTE);
}

/**
 * Part of an image that an upload reads. y counts from the top row, or from the bottom row if the
 * image is flipped.
 */
export interface SourceBox {
  readonly x: number;
  readonly y: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly depthPx: number;
  /** Number of image rows from one slice to the next. */
  readonly sliceRows: number;
}

/** Returns whether the box is inside the image. */
export function isBoxInside({ widthPx, heightPx }: SourcePixels, box: SourceBox): boolean {
  const lastRow = box.y + (box.depthPx - 1) * box.sliceRows + box.heightPx;
  return box.x + box.widthPx <= widthPx && lastRow <= heightPx;
}

/** Source channels of each format; 0 to 3 stand for red, green, blue and alpha. */
const CHANNELS: ReadonlyMap<number, readonly number[]> = new Map<number, readonly number[]>([
  [GL.RED, [0]],
  [GL.RED_INTEGER, [0]],
  [GL.LUMINANCE, [0]],
  [GL.ALPHA, [3]],
  [GL.RG, [0, 1]],
  [GL.RG_INTEGER, [0, 1]],
  [GL.LUMINANCE_ALPHA, [0, 3]],
  [GL.RGB, [0, 1, 2]],
  [GL.RGB_INTEGER, [0, 1, 2]],
  [GL.SRGB_EXT, [0, 1, 2]],
  [GL.RGBA, [0, 1, 2, 3]],
  [GL.RGBA_INTEGER, [0, 1, 2, 3]],
  [GL.SRGB_ALPHA_EXT, [0, 1, 2, 3]],
]);

/** Tightly packed texels and their type. */
export interface PackedSource {
  readonly bytes: Uint8Array;
  readonly type: number;
}

/**
 * Packs a part of an image, with alpha and row order as `pixelStorei` requests. The first row to
 * upload comes first.
 *
 * @param type Upload type. Packed float types are packed as floats, which uploads convert.
 */
export function packSource(
  source: SourcePixels,
  box: SourceBox,
  format: number,
  type: number,
  options: { readonly isFlipped: boolean; readonly isPremultiplied: boolean },
): PackedSource {
  const isReady = source.isReadyToUpload === true;
  const { rgba16 } = source;
  if (rgba16 !== undefined && DEEP_TYPES.includes(type)) {
    return packDeep({ ...source, rgba: rgba16 }, box, format, type, options);
  }
  const rows = new Uint8ClampedArray(box.widthPx * box.heightPx * box.depthPx * 4);
  const rgba = cutRows(source, box, options.isFlipped && !isReady, rows);
  if (!isReady) adjustAlpha(rgba, source.isPremultiplied, options.isPremultiplied);
  const channels = CHANNELS.get(format) ?? [0, 1, 2, 3];
  const count = rgba.length / 4;
  switch (type) {
    case GL.UNSIGNED_BYTE:
      if (channels.length === 4) return { bytes: new Uint8Array(rgba.buffer), type };
      return { bytes: pick(rgba, channels, count, (value) => value, Uint8Array), type };
    case GL.UNSIGNED_SHORT_5_6_5:
      return { bytes: packWords(rgba, [8, 4, 8], [11, 5, 0]), type };
    case GL.UNSIGNED_SHORT_4_4_4_4:
      return { bytes: packWords(rgba, [16, 16, 16, 16], [12, 8, 4, 0]), type };
    case GL.UNSIGNED_SHORT_5_5_5_1:
      return { bytes: packWords(rgba, [8, 8, 8, 128], [11, 6, 1, 0]), type };
    case GL.HALF_FLOAT:
    case GL.HALF_FLOAT_OES:
      return { bytes: pick(rgba, channels, count, (value) => value / 255, Float16Array), type };
    default: {
      const toFloat = (value: number): number => value / 255;
      return { bytes: pick(rgba, channels, count, toFloat, Float32Array), type: GL.FLOAT };
    }
  }
}

/** Packs a part of an image with 16 bits per channel. */
function packDeep(
  source: Rows<Uint16Array>,
  box: SourceBox,
  format: number,
  type: number,
  {
    isFlipped,
    isPremultiplied,
  }: { readonly isFlipped: boolean; readonly isPremultiplied: boolean },
): PackedSource {
  const rows = new Uint16Array(box.widthPx * box.heightPx * box.depthPx * 4);
  const rgba = Float32Array.from(cutRows(source, box, isFlipped, rows), (value) => value / 65_535);
  for (let at = 0; isPremultiplied && at < rgba.length; at += 4) {
    for (let c = at; c < at + 3; c++) rgba[c]! *= rgba[at + 3]!;
  }
  const channels = CHANNELS.get(format) ?? [0, 1, 2, 3];
  const isHalf = type === GL.HALF_FLOAT || type === GL.HALF_FLOAT_OES;
  const List = isHalf ? Float16Array : Float32Array;
  const bytes = pick(rgba, channels, rgba.length / 4, (value) => value, List);
  return { bytes, type: isHalf ? type : GL.FLOAT };
}

/** Rows of an image. */
interface Rows<List> {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rgba: List;
}

/**
 * Copies the rows of a box. @param isFlipped Whether to flip the image before the box is cut.
 *
 * @param rows Receives the rows, 4 values per pixel.
 */
function cutRows<List extends Uint8ClampedArray<ArrayBuffer> | Uint16Array>(
  { widthPx, heightPx: rowCount, rgba }: Rows<Uint8Array | Uint8ClampedArray | Uint16Array>,
  box: SourceBox,
  isFlipped: boolean,
  rows: List,
): List {
  const rowLength = box.widthPx * 4;
  let to = 0;
  for (let z = 0; z < box.depthPx; z++) {
    for (let y = 0; y < box.heightPx; y++, to += rowLength) {
      const row = box.y + z * box.sliceRows + y;
      const from = ((isFlipped ? rowCount - 1 - row : row) * widthPx + box.x) * 4;
      rows.set(rgba.subarray(from, from + rowLength), to);
    }
  }
  return rows;
}

function adjustAlpha(rgba: Uint8ClampedArray, isMultiplied: boolean, isWanted: boolean): void {
  if (isMultiplied === isWanted) return;
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3]!;
    for (let c = at; c < at + 3; c++) {
      if (isWanted) rgba[c] = (rgba[c]! * alpha) / 255;
      else rgba[c] = alpha === 0 ? 0 : (rgba[c]! * 255) / alpha;
    }
  }
}

function pick(
  rgba: Uint8ClampedArray | Float32Array,
  channels: readonly number[],
  count: number,
  convert: (value: number) => number,
  List: new (length: number) => { [index: number]: number; readonly buffer: ArrayBufferLike },
): Uint8Array {
  const result = new List(count * channels.length);
  let to = 0;
  for (let texel = 0; texel < count; texel++) {
    for (const channel of channels) result[to++] = convert(rgba[texel * 4 + channel]!);
  }
  return new Uint8Array(result.buffer);
}

/**
 * Packs texels into 16-bit words. Each channel is divided by its divisor and shifted into place.
 */
function packWords(
  rgba: Uint8ClampedArray,
  divisors: readonly number[],
  shifts: readonly number[],
): Uint8Array {
  const words = new Uint16Array(rgba.length / 4);
  for (let texel = 0; texel < words.length; texel++) {
    let word = 0;
    for (let c = 0; c < divisors.length; c++) {
      word |= Math.floor(rgba[texel * 4 + c]! / divisors[c]!) << shifts[c]!;
    }
    words[texel] = word;
  }
  return new Uint8Array(words.buffer);
}
