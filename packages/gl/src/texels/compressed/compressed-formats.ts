/** Table of compressed texture formats by internal format, and the decompression of uploads. */
import type { TexelBlocks } from '@tessera/frame';
import type { TexelStorage } from '../texel-storage.ts';
import { decodeAstc } from './astc/astc-blocks.ts';
import type { BlockDecoder } from './block/block-decoder.ts';
import { decodeBc6h } from './bptc/bc6h-blocks.ts';
import { decodeBc7 } from './bptc/bc7-blocks.ts';
import { decodeEtc2, decodeEtc2Eac, readEac11, texelOf } from './etc-blocks.ts';
import { decodeDxt1, decodeDxt3, decodeDxt5, decodeRgtc1, decodeRgtc2 } from './s3tc-blocks.ts';

/** Compressed texture format: its block size, its decoder and the storage of decoded texels. */
export interface CompressedFormat {
  /** Size of a block in bytes and, unless it has 4×4 texels, in texels. */
  readonly blocks: TexelBlocks & { readonly blockBytes: 8 | 16 };
  readonly storage: TexelStorage;
  /** Writes the texels of a block in the layout of `storage`, row by row. */
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

/**
 * Reads red of decoded RGBA texels as luminance, and green as alpha.
 *
 * @param alpha Alpha of all texels; `null` if green is the alpha.
 */
function asLuminance(decode: BlockDecoder, alpha: number | null): BlockDecoder {
  const whole = new Uint8Array(64);
  return (block, texels) => {
    decode(block, whole);
    for (let at = 0; at < 64; at += 4) {
      texels.fill(whole[at]!, at, at + 3);
      texels[at + 3] = alpha ?? whole[at + 1]!;
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
): readonly [number, CompressedFormat] => [
  internalFormat,
  { blocks: { blockBytes }, storage, decode },
];

/** Width and height of ASTC blocks, in the order of their internal formats. */
const ASTC_SIZES_PX: readonly (readonly [number, number])[] = [
  [4, 4],
  [5, 4],
  [5, 5],
  [6, 5],
  [6, 6],
  [8, 5],
  [8, 6],
  [8, 8],
  [10, 5],
  [10, 6],
  [10, 8],
  [10, 10],
  [12, 10],
  [12, 12],
];

const astcRows = (firstFormat: number, isSrgb: boolean) =>
  ASTC_SIZES_PX.map(([blockWidthPx, blockHeightPx], i): readonly [number, CompressedFormat] => {
    const isPlain = blockWidthPx === 4 && blockHeightPx === 4;
    const blocks = { blockBytes: 16, ...(isPlain ? {} : { blockWidthPx, blockHeightPx }) } as const;
    const storage = isSrgb ? SRGB_ALPHA : RGBA;
    const decode = decodeAstc([blockWidthPx, blockHeightPx], isSrgb);
    return [firstFormat + i, { blocks, storage, decode }];
  });

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
  // LATC formats: RGTC blocks of luminance and alpha.
  row(0x8c70, 8, { base: 'luminance', format: 'rgba8unorm' }, asLuminance(decodeRgtc1(false), 255)),
  row(0x8c71, 8, { base: 'luminance', format: 'rgba8snorm' }, asLuminance(decodeRgtc1(true), 127)),
  row(
    0x8c72,
    16,
    { base: 'luminance-alpha', format: 'rgba8unorm' },
    asLuminance(decodeRgtc2(false), null),
  ),
  row(
    0x8c73,
    16,
    { base: 'luminance-alpha', format: 'rgba8snorm' },
    asLuminance(decodeRgtc2(true), null),
  ),
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
  // BPTC formats: BC7, then BC6H.
  row(0x8e8c, 16, RGBA, decodeBc7),
  row(0x8e8d, 16, SRGB_ALPHA, decodeBc7),
  row(0x8e8e, 16, { base: 'rgb', format: 'rgba16float' }, decodeBc6h(true)),
  row(0x8e8f, 16, { base: 'rgb', format: 'rgba16float' }, decodeBc6h(false)),
  // ASTC formats, then their sRGB variants.
  ...astcRows(0x93b0, false),
  ...astcRows(0x93d0, true),
]);

/** Internal formats of all compressed formats. */
export const COMPRESSED_FORMATS: readonly number[] = [...FORMATS.keys()];

/** Returns whether a format is one of BPTC, whose blocks may be those of a volume's slices. */
export function isBptc(internalFormat: number): boolean {
  return internalFormat >= 0x8e8c && internalFormat <= 0x8e8f;
}

/** Returns the compressed format of an internal format, or `null` if it has none. */
export function compressedFormatOf(internalFormat: number): CompressedFormat | null {
  return FORMATS.get(internalFormat) ?? null;
}

/**
 * Returns the encoded size of an image in bytes. Partial blocks at the right and bottom count in
 * full.
 */
export function compressedBytes(
  { blocks: { blockBytes, blockWidthPx = 4, blockHeightPx = 4 } }: CompressedFormat,
  widthPx: number,
  heightPx: number,
): number {
  return Math.ceil(widthPx / blockWidthPx) * Math.ceil(heightPx / blockHeightPx) * blockBytes;
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
export function areWholeBlocks(
  { blocks: { blockWidthPx = 4, blockHeightPx = 4 } }: CompressedFormat,
  x: number,
  y: number,
  part: Size,
  level: Size,
): boolean {
  const isWhole = (from: number, size: number, edge: number, block: number): boolean =>
    from % block === 0 && (size % block === 0 || from + size === edge);
  return (
    isWhole(x, part.widthPx, level.widthPx, blockWidthPx) &&
    isWhole(y, part.heightPx, level.heightPx, blockHeightPx)
  );
}

/**
 * Decodes an image to tightly packed texels.
 *
 * @param texelBytes Size of one decoded texel.
 * @param bytes Encoded blocks, {@link compressedBytes} bytes.
 */
export function decompress(
  { blocks, decode }: CompressedFormat,
  texelBytes: number,
  widthPx: number,
  heightPx: number,
  bytes: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const { blockBytes, blockWidthPx = 4, blockHeightPx = 4 } = blocks;
  const output = new Uint8Array(widthPx * heightPx * texelBytes);
  const texels = new Uint8Array(blockWidthPx * blockHeightPx * texelBytes);
  const columns = Math.ceil(widthPx / blockWidthPx);
  const rows = Math.ceil(heightPx / blockHeightPx);
  for (let block = 0; block < columns * rows; block++) {
    decode(new DataView(bytes.buffer, bytes.byteOffset + block * blockBytes, blockBytes), texels);
    const x = (block % columns) * blockWidthPx;
    const y = Math.floor(block / columns) * blockHeightPx;
    const rowBytes = Math.min(blockWidthPx, widthPx - x) * texelBytes;
    for (let line = 0; line < Math.min(blockHeightPx, heightPx - y); line++) {
      const from = line * blockWidthPx * texelBytes;
      const to = ((y + line) * widthPx + x) * texelBytes;
      output.set(texels.subarray(from, from + rowBytes), to);
    }
  }
  return output;
}

/** Decodes slices of an image, one after another, to tightly packed texels. */
export function decompressSlices(
  format: CompressedFormat,
  texelBytes: number,
  { widthPx, heightPx, depthPx }: Size & { readonly depthPx: number },
  bytes: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const encodedBytes = compressedBytes(format, widthPx, heightPx);
  const sliceBytes = widthPx * heightPx * texelBytes;
  const texels = new Uint8Array(depthPx * sliceBytes);
  for (let slice = 0; slice < depthPx; slice++) {
    const blocks = bytes.subarray(slice * encodedBytes, (slice + 1) * encodedBytes);
    texels.set(decompress(format, texelBytes, widthPx, heightPx, blocks), slice * sliceBytes);
  }
  return texels;
}

/**
 * Returns the texels of slices whose blocks consist of zeros. In all formats, the texels of such a
 * block are equal.
 */
export function blankBlockTexels(
  { blocks, decode }: CompressedFormat,
  texelBytes: number,
  { widthPx, heightPx, depthPx }: Size & { readonly depthPx: number },
): Uint8Array<ArrayBuffer> {
  const { blockBytes, blockWidthPx = 4, blockHeightPx = 4 } = blocks;
  const block = new Uint8Array(blockWidthPx * blockHeightPx * texelBytes);
  decode(new DataView(new ArrayBuffer(blockBytes)), block);
  const texels = new Uint8Array(widthPx * heightPx * depthPx * texelBytes);
  if (texels.length === 0) return texels;
  texels.set(block.subarray(0, texelBytes));
  for (let filled = texelBytes; filled < texels.length; filled *= 2) {
    texels.copyWithin(filled, 0, filled);
  }
  return texels;
}
