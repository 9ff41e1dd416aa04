/**
 * Formats and types of pixel reads (OpenGL ES 3.0, section 4.3.2; ES 2.0, section 4.3.1), and the
 * conversion of texels to them.
 */
import { TEXTURE_FORMATS, type TextureFormat } from '@tessera/frame';
import { GL } from '../api/constants.ts';
import { makeChannels, type TexelChannels, texelReader } from './texel-channels.ts';

const RED_INTEGER = 0x8d94;
const RG_INTEGER = 0x8228;
const RGB_INTEGER = 0x8d98;
const RGBA_INTEGER = 0x8d99;
const UNSIGNED_INT_2_10_10_10_REV = 0x8368;
const UNSIGNED_INT_10F_11F_11F_REV = 0x8c3b;

/** Format and type of a read. */
export interface ReadFormat {
  readonly format: number;
  readonly type: number;
}

/** Layout of pixels in the program's memory (`pixelStorei`). */
export interface PackLayout {
  readonly alignmentBytes: number;
  /** Pixels from row to row; 0 means the width. */
  readonly rowLengthPx: number;
  readonly skipRows: number;
  readonly skipPx: number;
}

/** Pack layout of a new context. */
export const INITIAL_PACK: PackLayout = Object.freeze({
  ...{ alignmentBytes: 4, rowLengthPx: 0, skipRows: 0, skipPx: 0 },
});

/** Channels of each format. */
const CHANNELS: ReadonlyMap<number, readonly number[]> = new Map<number, readonly number[]>([
  [GL.RED, [0]],
  [GL.RG, [0, 1]],
  [GL.RGB, [0, 1, 2]],
  [GL.RGBA, [0, 1, 2, 3]],
  [GL.ALPHA, [3]],
  [RED_INTEGER, [0]],
  [RG_INTEGER, [0, 1]],
  [RGB_INTEGER, [0, 1, 2]],
  [RGBA_INTEGER, [0, 1, 2, 3]],
]);

const INTEGER_FORMATS: readonly number[] = [RED_INTEGER, RG_INTEGER, RGB_INTEGER, RGBA_INTEGER];

/** Size of a component in bytes; of all components together for a packed type. */
const TYPES: ReadonlyMap<number, { readonly bytes: number; readonly fields?: readonly number[] }> =
  new Map<number, { readonly bytes: number; readonly fields?: readonly number[] }>([
    [GL.UNSIGNED_BYTE, { bytes: 1 }],
    [GL.BYTE, { bytes: 1 }],
    [GL.UNSIGNED_SHORT, { bytes: 2 }],
    [GL.SHORT, { bytes: 2 }],
    [GL.UNSIGNED_INT, { bytes: 4 }],
    [GL.INT, { bytes: 4 }],
    [GL.FLOAT, { bytes: 4 }],
    [GL.HALF_FLOAT, { bytes: 2 }],
    [GL.HALF_FLOAT_OES, { bytes: 2 }],
    [GL.UNSIGNED_SHORT_5_6_5, { bytes: 2, fields: [5, 6, 5] }],
    [GL.UNSIGNED_SHORT_4_4_4_4, { bytes: 2, fields: [4, 4, 4, 4] }],
    [GL.UNSIGNED_SHORT_5_5_5_1, { bytes: 2, fields: [5, 5, 5, 1] }],
    [UNSIGNED_INT_2_10_10_10_REV, { bytes: 4, fields: [10, 10, 10, 2] }],
    [UNSIGNED_INT_10F_11F_11F_REV, { bytes: 4, fields: [11, 11, 10] }],
  ]);

/** Returns whether any image could be read in this format and type. */
export function isReadEnum(format: number, type: number): boolean {
  return CHANNELS.has(format) && TYPES.has(type);
}

/** Returns the format and type in which every image of the format's kind can be read. */
function commonFormat(format: TextureFormat): ReadFormat {
  const { kind } = TEXTURE_FORMATS[format];
  if (kind === 'sint') return { format: RGBA_INTEGER, type: GL.INT };
  if (kind === 'uint') return { format: RGBA_INTEGER, type: GL.UNSIGNED_INT };
  return { format: GL.RGBA, type: format.includes('float') ? GL.FLOAT : GL.UNSIGNED_BYTE };
}

/**
 * Returns the second format and type of an image: its storage
 * (`GL_IMPLEMENTATION_COLOR_READ_FORMAT`, `…_TYPE`).
 */
export function nativeReadFormat(format: TextureFormat, hasAlpha: boolean): ReadFormat {
  const { kind, channels, bytesPerTexel } = TEXTURE_FORMATS[format];
  if (format === 'rg11b10ufloat') return { format: GL.RGB, type: UNSIGNED_INT_10F_11F_11F_REV };
  if (format === 'rgb10a2unorm') return { format: GL.RGBA, type: UNSIGNED_INT_2_10_10_10_REV };
  if (format === 'rgb10a2uint') {
    return { format: RGBA_INTEGER, type: UNSIGNED_INT_2_10_10_10_REV };
  }
  const isInteger = kind === 'sint' || kind === 'uint';
  const last = channels - 1;
  const layout = isInteger
    ? INTEGER_FORMATS[last]!
    : [GL.RED, GL.RG, GL.RGB, hasAlpha ? GL.RGBA : GL.RGB][last]!;
  const bytes = bytesPerTexel / channels;
  if (format.includes('float')) {
    return { format: layout, type: bytes === 2 ? GL.HALF_FLOAT : GL.FLOAT };
  }
  const signed = [GL.BYTE, GL.SHORT, 0, GL.INT][bytes - 1]!;
  const unsigned = [GL.UNSIGNED_BYTE, GL.UNSIGNED_SHORT, 0, GL.UNSIGNED_INT][bytes - 1]!;
  return { format: layout, type: kind === 'sint' ? signed : unsigned };
}

/** Returns whether an image can be read in a format and type. */
export function isReadable(
  image: TextureFormat,
  hasAlpha: boolean,
  { format, type }: ReadFormat,
): boolean {
  const fits = [commonFormat(image), nativeReadFormat(image, hasAlpha)].some(
    (known) => known.format === format && known.type === type,
  );
  // 16-bit floats can be read as half floats or as floats, and also as RGBA half floats.
  return fits || (image.includes('16float') && format === GL.RGBA && type === GL.HALF_FLOAT);
}

/** Positions of packed pixels. */
export interface PackedPlaces {
  readonly pixelBytes: number;
  readonly rowBytes: number;
  readonly startBytes: number;
  /** Number of bytes from the start of the memory to the end of the last pixel. */
  readonly sizeBytes: number;
}

/** Returns the positions of packed pixels. */
export function measurePacked(
  { format, type }: ReadFormat,
  widthPx: number,
  heightPx: number,
  layout: PackLayout,
): PackedPlaces {
  const { bytes, fields } = TYPES.get(type)!;
  const pixelBytes = fields === undefined ? bytes * CHANNELS.get(format)!.length : bytes;
  const rowPx = layout.rowLengthPx > 0 ? layout.rowLengthPx : widthPx;
  const { alignmentBytes } = layout;
  const rowBytes = Math.ceil((rowPx * pixelBytes) / alignmentBytes) * alignmentBytes;
  const startBytes = layout.skipRows * rowBytes + layout.skipPx * pixelBytes;
  const isEmpty = widthPx === 0 || heightPx === 0;
  const sizeBytes = isEmpty ? 0 : startBytes + (heightPx - 1) * rowBytes + widthPx * pixelBytes;
  return { pixelBytes, rowBytes, startBytes, sizeBytes };
}

/** Function that writes a pixel at an offset. */
type WritePixel = (channels: TexelChannels, view: DataView, at: number) => void;

function pixelWriter({ format, type }: ReadFormat): WritePixel {
  const { bytes, fields } = TYPES.get(type)!;
  const order = CHANNELS.get(format)!;
  if (type === UNSIGNED_INT_10F_11F_11F_REV) return writePackedFloats;
  const isInteger = INTEGER_FORMATS.includes(format);
  if (fields !== undefined) {
    const isReversed = type === UNSIGNED_INT_2_10_10_10_REV;
    return (channels, view, at) => {
      let word = 0;
      let lowest = isReversed ? 0 : bytes * 8;
      fields.forEach((width, i) => {
        if (!isReversed) lowest -= width;
        const value = channels[order[i]!]!;
        word += (isInteger ? value : toUnorm(value, 2 ** width - 1)) * 2 ** lowest;
        if (isReversed) lowest += width;
      });
      if (bytes === 2) view.setUint16(at, word, true);
      else view.setUint32(at, word, true);
    };
  }
  const write = componentWriter(type);
  return (channels, view, at) => {
    for (let i = 0; i < order.length; i++) write(view, at + i * bytes, channels[order[i]!]!);
  };
}

function componentWriter(type: number): (view: DataView, at: number, value: number) => void {
  switch (type) {
    case GL.FLOAT:
      return (view, at, value) => view.setFloat32(at, value, true);
    case GL.HALF_FLOAT:
    case GL.HALF_FLOAT_OES:
      return (view, at, value) => view.setFloat16(at, value, true);
    case GL.INT:
      return (view, at, value) => view.setInt32(at, value, true);
    case GL.UNSIGNED_INT:
      return (view, at, value) => view.setUint32(at, value, true);
    case GL.SHORT:
      return (view, at, value) => view.setInt16(at, value, true);
    case GL.UNSIGNED_SHORT:
      return (view, at, value) => view.setUint16(at, value, true);
    case GL.BYTE:
      return (view, at, value) => view.setInt8(at, value);
    default:
      return (view, at, value) => view.setUint8(at, value);
  }
}

/** Packs three unsigned floats into a word. They come from the texel, so nothing is rounded. */
const writePackedFloats: WritePixel = (channels, view, at) => {
  const bits = (c: number, dropped: number): number => {
    view.setFloat16(at, channels[c]!, true);
    return view.getUint16(at, true) >>> dropped;
  };
  view.setUint32(at, bits(0, 4) + bits(1, 4) * 2 ** 11 + bits(2, 5) * 2 ** 22, true);
};

function toUnorm(value: number, max: number): number {
  return Math.floor(Math.min(1, Math.max(0, value)) * max + 0.5);
}

/** Image that is read. */
export interface ReadImage {
  readonly format: TextureFormat;
  readonly hasAlpha: boolean;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Texels with row 0 lowest; `null` means zeros. */
  readonly texels: Uint8Array | null;
}

/**
 * Reads a rectangle. Destinations of pixels outside the image keep their contents.
 *
 * @param rect Rectangle with rows counted from the lowest.
 */
export function packPixels(
  image: ReadImage,
  rect: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  wanted: ReadFormat,
  layout: PackLayout,
  destination: Uint8Array,
): void {
  const { format, widthPx, heightPx, texels, hasAlpha } = image;
  const { pixelBytes, rowBytes, startBytes } = measurePacked(
    wanted,
    rect.width,
    rect.height,
    layout,
  );
  const { bytesPerTexel } = TEXTURE_FORMATS[format];
  const left = Math.max(0, rect.x);
  const right = Math.min(widthPx, rect.x + rect.width);
  const bottom = Math.max(0, rect.y);
  const top = Math.min(heightPx, rect.y + rect.height);
  if (left >= right) return;
  const isByteForByte =
    format.startsWith('rgba8unorm') &&
    wanted.format === GL.RGBA &&
    wanted.type === GL.UNSIGNED_BYTE;
  const read = texelReader(format);
  const isScaled = wanted.type === GL.UNSIGNED_BYTE && !INTEGER_FORMATS.includes(wanted.format);
  const write = pixelWriter(wanted);
  const channels = makeChannels();
  channels[3] = hasAlpha ? 0 : 1;
  const source = texels && new DataView(texels.buffer, texels.byteOffset, texels.byteLength);
  const target = new DataView(destination.buffer, destination.byteOffset, destination.byteLength);
  for (let y = bottom; y < top; y++) {
    let to = startBytes + (y - rect.y) * rowBytes + (left - rect.x) * pixelBytes;
    let from = (y * widthPx + left) * bytesPerTexel;
    if (isByteForByte && texels !== null) {
      destination.set(texels.subarray(from, from + (right - left) * 4), to);
      continue;
    }
    for (let x = left; x < right; x++, to += pixelBytes, from += bytesPerTexel) {
      if (source !== null) read(source, from, channels);
      if (isScaled) for (let c = 0; c < 4; c++) channels[c] = toUnorm(channels[c]!, 255);
      write(channels, target, to);
      if (source === null && isScaled) for (let c = 0; c < 4; c++) channels[c]! /= 255;
    }
  }
}
