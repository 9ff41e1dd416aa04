/** Table of compressed texture formats by internal format, and the decompression of uploads. */
import type { TexelStorage } from '../texel-storage.ts';
import { decodeEtc2, decodeEtc2Eac, readEac11, texelOf } from './etc-blocks.ts';
import {
  type BlockDecoder,
  decodeDxt1,
  decodeDxt3,
  decodeDxt5,
  decodeRgtc1,
  decodeRgtc2,
} from './s3tc-blocks.ts';

/** Compressed texture format: its block size, its decoder and the storage of decoded texels. */
export interface CompressedFormat {
  /** Size of one encoded block of 4×4 texels. */
  readonly blockBytes: 8 | 16;
  readonly storage: TexelStorage;
  /** Writes the 16 texels of a block in the layout of `storage`, row by row. */
  readonly decode: (block: DataView, texels: Uint8Array) => void;
}

const RGB: TexelStorage = { base: 'rgb', format: 'rgba8unorm' };
const RGBA: TexelStorage = { base: 'rgba', format: 'rgba8unorm' };
const SRGB: TexelStorage = { base: 'srgb', format: 'rgba8unorm-srgb' };
const SRGB_ALPHA: TexelStorage = { base: 'srgb-alpha', format: 'rgba8unorm-srgb' };

/** Keeps the first `channels` channels of decoded RGBA texels. */
function keep(decode: BlockDecoder, channels: 1 | 2): BlockDecoder {
  const whole = new Uint8Array(64);
  return (block, texels) => {
    decode(block, whole);
    for (let i = 0; i < 16; i++) {
      for (let c = 0; c < channels; c++) texels[i * channels + c] = whole[i * 4 + c]!;
    }
  };
}

/** Decodes 11-bit EAC channels to 32-bit floats, which hold them exactly. */
function decodeEac11(channels: 1 | 2, isSigned: boolean): BlockDecoder {
  return (block, texels) => {
    const view = new DataView(texels.buffer, texels.byteOffset, texels.byteLength);
    for (let i = 0; i < 16; i++) {
      for (let c = 0; c < channels; c++) {
        const value = readEac11(block, c * 8, i, isSigned) / (isSigned ? 1023 : 2047);
        view.setFloat32((texelOf(i) * channels + c) * 4, value, true);
      }
    }
  };
}

const row = (
  internalFormat: number,
  blockBytes: 8 | 16,
  storage: TexelStorage,
  decode: BlockDecoder,
): readonly [number, CompressedFormat] => [internalFormat, { blockBytes, storage, decode }];

const FORMATS: ReadonlyMap<number, CompressedFormat> = new Map([
  // S3TC formats, then their sRGB variants.
  row(0x83f0, 8, RGB, decodeDxt1(false)),
  row(0x83f1, 8, RGBA, decodeDxt1(true)),
  row(0x83f2, 16, RGBA, decodeDxt3),
  row(0x83f3, 16, RGBA, decodeDxt5),
  row(0x8c4c, 8, SRGB, decodeDxt1(false)),
  row(0x8c4d, 8, SRGB_ALPHA, decodeDxt1(true)),
  row(0x8c4e, 16, SRGB_ALPHA, decodeDxt3),
  row(0x8c4f, 16, SRGB_ALPHA, decodeDxt5),
  // RGTC formats.
  row(0x8dbb, 8, { base: 'red', format: 'r8unorm' }, keep(decodeRgtc1(false), 1)),
  row(0x8dbc, 8, { base: 'red', format: 'r8snorm' }, keep(decodeRgtc1(true), 1)),
  row(0x8dbd, 16, { base: 'rg', format: 'rg8unorm' }, keep(decodeRgtc2(false), 2)),
  row(0x8dbe, 16, { base: 'rg', format: 'rg8snorm' }, keep(decodeRgtc2(true), 2)),
  // ETC1, ETC2 and EAC formats.
  row(0x8d64, 8, RGB, decodeEtc2(false)),
  row(0x9274, 8, RGB, decodeEtc2(false)),
  row(0x9275, 8, SRGB, decodeEtc2(false)),
  row(0x9276, 8, RGBA, decodeEtc2(true)),
  row(0x9277, 8, SRGB_ALPHA, decodeEtc2(true)),
  row(0x9278, 16, RGBA, decodeEtc2Eac),
  row(0x9279, 16, SRGB_ALPHA, decodeEtc2Eac),
  row(0x9270, 8, { base: 'red', format: 'r32float' }, decodeEac11(1, false)),
  row(0x9271, 8, { base: 'red', format: 'r32float' }, decodeEac11(1, true)),
  row(0x9272, 16, { base: 'rg', format: 'rg32float' }, decodeEac11(2, false)),
  row(0x9273, 16, { base: 'rg', format: 'rg32float' }, decodeEac11(2, true)),
]);

/** Returns the compressed format of an internal format, or `null` if it has none. */
export function compressedFormatOf(internalFormat: number): CompressedFormat | null {
  return FORMATS.get(internalFormat) ?? null;
}

/**
 * Returns the encoded size of an image in bytes. Partial blocks at the right and bottom count in
 * full.
 */
export function compressedBytes(
  { blockBytes }: CompressedFormat,
  widthPx: number,
  heightPx: number,
): number {
  return Math.ceil(widthPx / 4) * Math.ceil(heightPx / 4) * blockBytes;
}

/** Size of a level or of a part of it. */
interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Returns whether a rectangle at (x, y) is inside a level. */
export function isInsideLevel(x: number, y: number, part: Size, level: Size): boolean {
  return (
    Math.min(x, y, part.widthPx, part.heightPx) >= 0 &&
    x + part.widthPx <= level.widthPx &&
    y + part.heightPx <= level.heightPx
  );
}

/** Returns whether a rectangle at (x, y) of a level consists of whole blocks. */
export function areWholeBlocks(x: number, y: number, part: Size, level: Size): boolean {
  const isEnd = (end: number, edge: number): boolean => end % 4 === 0 || end === edge;
  return (
    x % 4 === 0 &&
    y % 4 === 0 &&
    isEnd(x + part.widthPx, level.widthPx) &&
    isEnd(y + part.heightPx, level.heightPx)
  );
}

/**
 * Decodes an image to tightly packed texels.
 *
 * @param texelBytes Size of one decoded texel.
 * @param bytes Encoded blocks, {@link compressedBytes} bytes.
 */
export function decompress(
  { blockBytes, decode }: CompressedFormat,
  texelBytes: number,
  widthPx: number,
  heightPx: number,
  bytes: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const output = new Uint8Array(widthPx * heightPx * texelBytes);
  const texels = new Uint8Array(16 * texelBytes);
  const columns = Math.ceil(widthPx / 4);
  const rows = Math.ceil(heightPx / 4);
  for (let block = 0; block < columns * rows; block++) {
    decode(new DataView(bytes.buffer, bytes.byteOffset + block * blockBytes, blockBytes), texels);
    const [x, y] = [(block % columns) * 4, Math.floor(block / columns) * 4];
    const rowBytes = Math.min(4, widthPx - x) * texelBytes;
    for (let line = 0; line < Math.min(4, heightPx - y); line++) {
      const from = line * 4 * texelBytes;
      const to = ((y + line) * widthPx + x) * texelBytes;
      output.set(texels.subarray(from, from + rowBytes), to);
    }
  }
  return output;
}
