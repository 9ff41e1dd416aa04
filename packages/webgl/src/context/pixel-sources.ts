/** Pictures of a page as texels: canvas, image, bitmap, `ImageData` (WebGL 1.0, section 5.14.8). */
import { isPixelSource } from '../dom/pixels.ts';
import { GL } from './constants.ts';

/** A picture: RGBA of 8 bits, from the top row. */
export interface SourcePixels {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rgba: Uint8Array | Uint8ClampedArray;
  readonly isPremultiplied: boolean;
}

/**
 * The picture of what `texImage2D` is given, `null` where it holds none.
 *
 * @throws {TypeError} If it is no picture.
 */
export function takeSource(where: string, source: unknown): SourcePixels | null {
  if (isPixelSource(source)) return source.takePixels();
  if (typeof source === 'object' && source !== null) {
    const { width, height, data } = source as { width?: unknown; height?: unknown; data?: unknown };
    const isBytes = data instanceof Uint8Array || data instanceof Uint8ClampedArray;
    if (typeof width === 'number' && typeof height === 'number' && isBytes) {
      if (data.length < width * height * 4) {
        throw new TypeError(`${where}: ${data.length} bytes of a picture of ${width}×${height}`);
      }
      return { widthPx: width, heightPx: height, rgba: data, isPremultiplied: false };
    }
  }
  throw new TypeError(`${where}: the argument is no picture`);
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
  [0x8c40, [0, 1, 2]],
  [GL.RGBA, [0, 1, 2, 3]],
  [GL.RGBA_INTEGER, [0, 1, 2, 3]],
  [0x8c42, [0, 1, 2, 3]],
]);

/** Texels of a format, tightly packed, and the type they have then. */
export interface PackedSource {
  readonly bytes: Uint8Array;
  readonly type: number;
}

/**
 * Texels of a picture, from the row that is uploaded first. Alpha and rows are as `pixelStorei` wants them.
 *
 * @param type Packed floating-point types become floats, which uploads convert.
 */
export function packSource(
  source: SourcePixels,
  format: number,
  type: number,
  options: { readonly isFlipped: boolean; readonly isPremultiplied: boolean },
): PackedSource {
  const { widthPx, heightPx } = source;
  const rgba = orient(
    adjustAlpha(source, options.isPremultiplied),
    widthPx,
    heightPx,
    options.isFlipped,
  );
  const channels = CHANNELS.get(format) ?? [0, 1, 2, 3];
  const count = widthPx * heightPx;
  switch (type) {
    case GL.UNSIGNED_BYTE:
      if (channels.length === 4) return { bytes: new Uint8Array(rgba), type };
      return { bytes: pick(rgba, channels, count, (value) => value, Uint8Array), type };
    case GL.UNSIGNED_SHORT_5_6_5:
      return { bytes: packWords(rgba, [8, 4, 8], [11, 5, 0]), type };
    case GL.UNSIGNED_SHORT_4_4_4_4:
      return { bytes: packWords(rgba, [16, 16, 16, 16], [12, 8, 4, 0]), type };
    case GL.UNSIGNED_SHORT_5_5_5_1:
      return { bytes: packWords(rgba, [8, 8, 8, 128], [11, 6, 1, 0]), type };
    case GL.HALF_FLOAT:
    case 0x8d61:
      return { bytes: pick(rgba, channels, count, (value) => value / 255, Float16Array), type };
    default: {
      const toFloat = (value: number): number => value / 255;
      return { bytes: pick(rgba, channels, count, toFloat, Float32Array), type: GL.FLOAT };
    }
  }
}

function adjustAlpha(source: SourcePixels, isPremultiplied: boolean): Uint8ClampedArray {
  const { rgba } = source;
  const result = new Uint8ClampedArray(rgba);
  if (source.isPremultiplied === isPremultiplied) return result;
  for (let at = 0; at < result.length; at += 4) {
    const alpha = result[at + 3]!;
    for (let c = at; c < at + 3; c++) {
      if (isPremultiplied) result[c] = (result[c]! * alpha) / 255;
      else result[c] = alpha === 0 ? 0 : (result[c]! * 255) / alpha;
    }
  }
  return result;
}

/** Uploads start with the row that texture coordinates call the lowest: the top row, unless it is turned over. */
function orient(
  rgba: Uint8ClampedArray,
  widthPx: number,
  heightPx: number,
  isFlipped: boolean,
): Uint8ClampedArray {
  if (!isFlipped) return rgba;
  const flipped = new Uint8ClampedArray(rgba.length);
  const rowBytes = widthPx * 4;
  for (let y = 0; y < heightPx; y++) {
    const row = rgba.subarray(y * rowBytes, (y + 1) * rowBytes);
    flipped.set(row, (heightPx - 1 - y) * rowBytes);
  }
  return flipped;
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
