/** Pictures of a page as texels: canvas, image, bitmap, `ImageData` (WebGL 1.0, section 5.14.8). */

import { GL } from '../interface/constants.ts';
import { isPixelSource, requireReadable } from './pixels.ts';

/** A picture: RGBA of 8 bits, from the top row. */
export interface SourcePixels {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rgba: Uint8Array | Uint8ClampedArray;
  readonly isPremultiplied: boolean;
  /** Whether rows and colors are taken as they are, whatever `pixelStorei` says. */
  readonly isReadyToUpload?: boolean;
}

/**
 * The picture of what `texImage2D` is given, `null` where it holds none.
 *
 * @throws {TypeError} If it is no picture.
 * @throws {DOMException} SecurityError if it is of another origin.
 */
export function takeSource(caller: string, source: unknown): SourcePixels | null {
  if (isPixelSource(source)) {
    const pixels = source.takePixels();
    if (pixels !== null) requireReadable(caller, pixels);
    return pixels !== null && source.isReadyToUpload === true
      ? { ...pixels, isReadyToUpload: true }
      : pixels;
  }
  if (typeof source === 'object' && source !== null) {
    const { width, height, data } = source as { width?: unknown; height?: unknown; data?: unknown };
    const isBytes = data instanceof Uint8Array || data instanceof Uint8ClampedArray;
    if (typeof width === 'number' && typeof height === 'number' && isBytes) {
      if (data.length < width * height * 4) {
        throw new TypeError(`${caller}: ${data.length} bytes of a picture of ${width}×${height}`);
      }
      return { widthPx: width, heightPx: height, rgba: data, isPremultiplied: false };
    }
  }
  throw new TypeError(`${caller}: the argument is no picture`);
}

/** Types that pictures can become (WebGL 2.0, section 3.7.6); of those, integers are of 8 bits. */
const PICTURE_TYPES: readonly number[] = [
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

/** Whether a picture can be uploaded with a format and type that go together. */
export function isImageType(format: number, type: number): boolean {
  return PICTURE_TYPES.includes(type) && (format !== GL.RGBA_INTEGER || type === GL.UNSIGNED_BYTE);
}

/** The part of a picture that an upload takes, counted from its top row, or from its bottom row if it is turned over. */
export interface SourceBox {
  readonly x: number;
  readonly y: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly depthPx: number;
  /** Rows from slice to slice. */
  readonly sliceRows: number;
}

/** Whether all of the box lies on the picture. */
export function isBoxInside({ widthPx, heightPx }: SourcePixels, box: SourceBox): boolean {
  const lastRow = box.y + (box.depthPx - 1) * box.sliceRows + box.heightPx;
  return box.x + box.widthPx <= widthPx && lastRow <= heightPx;
}

/** Channels of a source that a format takes: red, green, blue, alpha are 0 to 3. */
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

/** Texels of a format, tightly packed, and the type they have then. */
export interface PackedSource {
  readonly bytes: Uint8Array;
  readonly type: number;
}

/**
 * Texels of a part of a picture, from the row that is uploaded first. Alpha and rows are as `pixelStorei` wants them.
 *
 * @param type Packed floating-point types become floats, which uploads convert.
 */
export function packSource(
  source: SourcePixels,
  box: SourceBox,
  format: number,
  type: number,
  options: { readonly isFlipped: boolean; readonly isPremultiplied: boolean },
): PackedSource {
  const isReady = source.isReadyToUpload === true;
  const rgba = cutRows(source, box, options.isFlipped && !isReady);
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

/** A copy of the rows of a box. @param isFlipped Whether the picture is turned over before the box is cut. */
function cutRows(
  { widthPx, heightPx: rowCount, rgba }: SourcePixels,
  box: SourceBox,
  isFlipped: boolean,
): Uint8ClampedArray<ArrayBuffer> {
  const rowBytes = box.widthPx * 4;
  const rows = new Uint8ClampedArray(rowBytes * box.heightPx * box.depthPx);
  let to = 0;
  for (let z = 0; z < box.depthPx; z++) {
    for (let y = 0; y < box.heightPx; y++, to += rowBytes) {
      const row = box.y + z * box.sliceRows + y;
      const from = ((isFlipped ? rowCount - 1 - row : row) * widthPx + box.x) * 4;
      rows.set(rgba.subarray(from, from + rowBytes), to);
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
  rgba: Uint8ClampedArray,
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

/** Words of 16 bits: each channel loses the bits that `divisors` says. */
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
