/**
 * Checks a PNG (ISO/IEC 15948) before pngjs reads it: its chunks are inside the file, its palette
 * has a valid length, and its pixels inflate to exactly the bytes that the size requires.
 *
 * The last check does not only reject bombs. The synchronous reader of pngjs 7 confuses the counts
 * that zlib reports. It would turn a stream that ends early into an image of uninitialized memory,
 * and inflate an interlaced one without bound. A stream that passes here fills its buffer.
 */
import { inflateSync } from 'node:zlib';
import { RenderError } from '@tessera/frame';

const SIGNATURE_BYTES = 8;
/** Length, type and checksum of a chunk. */
const CHUNK_FRAME_BYTES = 12;
const HEADER_BYTES = 13;
const MAX_PALETTE_BYTES = 3 * 256;
const INDEXED = 3;

const CHANNELS_BY_COLOR_TYPE: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [INDEXED, 1],
  [4, 2],
  [6, 4],
]);

/** Origin and distance of the pixels of each Adam7 pass. */
const ADAM7_PASSES = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
];
const WHOLE_PICTURE = [{ x: 0, y: 0, dx: 1, dy: 1 }];

interface PngHeader {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bitDepth: number;
  readonly colorType: number;
  readonly isInterlaced: boolean;
}

/** PNG whose chunks are in order. */
export interface CheckedPng {
  /** The file up to its last chunk; some writers append bytes after it. */
  readonly bytes: Uint8Array;
  /**
   * Approximate memory that decoding takes: three times the rows, samples of 16 bits, and the
   * image.
   */
  readonly decodeBytes: number;
  /**
   * Red, green and blue of the transparent color in 16 bits, `null` if there is none. pngjs turns
   * texels of this color into transparent black.
   */
  readonly keyColor: readonly number[] | null;
  /**
   * Inflates the pixels.
   *
   * @throws {RenderError} MODEL_INVALID if they do not inflate to the number of bytes that the size
   *   requires.
   */
  readonly checkPixels: () => void;
}

/**
 * Checks the chunks of a PNG.
 *
 * @param path Path of the image in the JSON, for messages.
 * @throws {RenderError} MODEL_INVALID if the chunks are not in order.
 */
export function checkPng(path: string, bytes: Uint8Array): CheckedPng {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const compressed: Uint8Array[] = [];
  let paletteCount = 0;
  let transparency: Uint8Array | null = null;
  let at = SIGNATURE_BYTES;
  for (let type = ''; type !== 'IEND'; ) {
    if (at + CHUNK_FRAME_BYTES > bytes.length)
      fail(path, 'a chunk extends past the end of the file');
    const length = view.getUint32(at);
    const isFirst = at === SIGNATURE_BYTES;
    type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (at + CHUNK_FRAME_BYTES + length > bytes.length) {
      fail(path, `chunk ${type} extends past the end of the file`);
    }
    if (isFirst !== (type === 'IHDR')) fail(path, 'IHDR is not the first chunk');
    if (isFirst && length !== HEADER_BYTES)
      fail(path, `IHDR has ${length} bytes, not ${HEADER_BYTES}`);
    if (type === 'PLTE' && (++paletteCount > 1 || length > MAX_PALETTE_BYTES)) {
      fail(path, `the palette has more than ${MAX_PALETTE_BYTES} bytes or occurs twice`);
    }
    if (type === 'tRNS') transparency = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'IDAT') compressed.push(bytes.subarray(at + 8, at + 8 + length));
    at += CHUNK_FRAME_BYTES + length;
  }
  const header = readHeader(path, bytes, view);
  if (header.colorType === INDEXED && paletteCount === 0) fail(path, 'there is no palette');
  const rowBytes = inflatedBytes(header);
  const texels = header.widthPx * header.heightPx;
  return {
    bytes: bytes.subarray(0, at),
    decodeBytes: 3 * rowBytes + texels * (header.bitDepth === 16 ? 12 : 4),
    keyColor: transparency && readKeyColor(header, transparency),
    checkPixels: () => checkInflation(path, compressed, rowBytes),
  };
}

function readHeader(path: string, bytes: Uint8Array, view: DataView): PngHeader {
  const bitDepth = bytes[24];
  const colorType = bytes[25];
  const depths =
    colorType === 0 ? [1, 2, 4, 8, 16] : colorType === INDEXED ? [1, 2, 4, 8] : [8, 16];
  if (!CHANNELS_BY_COLOR_TYPE.has(colorType) || !depths.includes(bitDepth)) {
    fail(path, `color type ${colorType} with ${bitDepth} bits does not exist`);
  }
  if (bytes[26] !== 0 || bytes[27] !== 0 || bytes[28] > 1) {
    fail(path, 'unknown compression, filter or interlace method');
  }
  return {
    widthPx: view.getUint32(16),
    heightPx: view.getUint32(20),
    bitDepth,
    colorType,
    isInterlaced: bytes[28] === 1,
  };
}

/** Returns the transparent color of gray and RGB images in 16 bits. */
function readKeyColor(
  { colorType, bitDepth }: PngHeader,
  transparency: Uint8Array,
): readonly number[] | null {
  const channels = CHANNELS_BY_COLOR_TYPE.get(colorType) ?? 0;
  if ((colorType !== 0 && colorType !== 2) || transparency.length < 2 * channels) return null;
  const max = 2 ** bitDepth - 1;
  const samples = Array.from({ length: channels }, (_, c) => {
    const value = transparency[2 * c] * 256 + transparency[2 * c + 1];
    return (Math.min(value, max) * 65535) / max;
  });
  return channels === 1 ? [samples[0], samples[0], samples[0]] : samples;
}

/** Returns the size of the rows, each with its filter byte. */
function inflatedBytes({
  widthPx,
  heightPx,
  bitDepth,
  colorType,
  isInterlaced,
}: PngHeader): number {
  const bitsPerPixel = (CHANNELS_BY_COLOR_TYPE.get(colorType) ?? 0) * bitDepth;
  let sum = 0;
  for (const { x, y, dx, dy } of isInterlaced ? ADAM7_PASSES : WHOLE_PICTURE) {
    const width = Math.ceil((widthPx - x) / dx);
    const height = Math.ceil((heightPx - y) / dy);
    if (width > 0 && height > 0) sum += height * (Math.ceil((width * bitsPerPixel) / 8) + 1);
  }
  return sum;
}

function checkInflation(path: string, compressed: readonly Uint8Array[], expected: number): void {
  const stream = compressed.length === 1 ? compressed[0] : Buffer.concat(compressed);
  const length = inflatedLength(path, stream, expected);
  if (length !== expected) fail(path, `its pixels inflate to ${length} bytes, not ${expected}`);
}

function inflatedLength(path: string, stream: Uint8Array, maxBytes: number): number {
  try {
    return inflateSync(stream, { maxOutputLength: maxBytes }).length;
  } catch (cause) {
    return fail(path, `its pixels do not inflate to ${maxBytes} bytes`, cause);
  }
}

function fail(path: string, what: string, cause?: unknown): never {
  throw new RenderError('MODEL_INVALID', `${path}: the PNG is damaged: ${what}`, { cause });
}
