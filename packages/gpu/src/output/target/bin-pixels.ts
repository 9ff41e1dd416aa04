/** Conversion between the quad-tiled targets of a bin and rows of pixels. */
import { TEXTURE_FORMATS } from '@tessera/frame';
import type { ColorTarget, TargetLayout } from './target-layout.ts';
import { decodeTargetTexels, encodeTargetTexels } from './target-texels.ts';

const PLAIN_QUAD_BYTES = 16;

/** Size of a bin in pixels, and of its target. */
export interface BinSize {
  /** Number of quads in a row of the target, at least half the width. */
  readonly quadsPerRow: number;
  /** Width in pixels. With an odd size, half of the last quads is unused at the right or bottom. */
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * Copies words of pixels, tightly packed, row 0 at the top.
 *
 * @param ptr Byte address of the target's first vector, a multiple of 4.
 * @param quadBytes Distance between quads.
 * @param pixels Destination of one word per pixel, `wordStride` words apart.
 */
export function readBinWords(
  memory: WebAssembly.Memory,
  ptr: number,
  quadBytes: number,
  { quadsPerRow, widthPx, heightPx }: BinSize,
  pixels: Int32Array,
  wordStride = 1,
): void {
  if (pixels.length < widthPx * heightPx * wordStride - wordStride + 1) {
    throw new Error(
      `bin pixels: ${pixels.length} words are too few for ${widthPx}×${heightPx} pixels`,
    );
  }
  const target = new Int32Array(memory.buffer, ptr);
  const quadWords = quadBytes / 4;
  const evenWidth = widthPx & ~1;
  if (wordStride === 1 && quadWords === 4 && evenWidth === widthPx && (heightPx & 1) === 0) {
    readWholeQuads(target, quadsPerRow, widthPx, heightPx, pixels);
    return;
  }
  let to = 0;
  for (let y = 0; y < heightPx; y++) {
    // Lanes 0 and 1 of a quad are its upper row, 2 and 3 the lower one.
    const row = (y >> 1) * quadsPerRow * quadWords + (y & 1) * 2;
    let from = row;
    for (let x = 0; x < evenWidth; x += 2, from += quadWords, to += 2 * wordStride) {
      pixels[to] = target[from]!;
      pixels[to + wordStride] = target[from + 1]!;
    }
    if (evenWidth < widthPx) {
      pixels[to] = target[from]!;
      to += wordStride;
    }
  }
}

/** Copies both rows of each quad at once, the common case. */
function readWholeQuads(
  target: Int32Array,
  quadsPerRow: number,
  widthPx: number,
  heightPx: number,
  pixels: Int32Array,
): void {
  for (let y = 0; y < heightPx; y += 2) {
    let from = (y >> 1) * quadsPerRow * 4;
    const end = (y + 1) * widthPx;
    for (let to = y * widthPx; to < end; to += 2, from += 4) {
      pixels[to] = target[from]!;
      pixels[to + 1] = target[from + 1]!;
      pixels[to + widthPx] = target[from + 2]!;
      pixels[to + widthPx + 1] = target[from + 3]!;
    }
  }
}

/** Inverse of {@link readBinWords}. Samples of a quad outside of the bin keep their contents. */
export function writeBinWords(
  memory: WebAssembly.Memory,
  ptr: number,
  quadBytes: number,
  { quadsPerRow, widthPx, heightPx }: BinSize,
  pixels: Int32Array,
  wordStride = 1,
): void {
  const target = new Int32Array(memory.buffer, ptr);
  const quadWords = quadBytes / 4;
  let from = 0;
  for (let y = 0; y < heightPx; y++) {
    const row = (y >> 1) * quadsPerRow * quadWords + (y & 1) * 2;
    for (let x = 0; x < widthPx; x++, from += wordStride) {
      target[row + (x >> 1) * quadWords + (x & 1)] = pixels[from]!;
    }
  }
}

/** Copies the samples of a bin as 32-bit words. Samples of a pixel are consecutive. */
export function takeBinWords(
  memory: WebAssembly.Memory,
  ptr: number,
  size: BinSize,
  sampleCount: number,
): Int32Array {
  const words = new Int32Array(size.widthPx * size.heightPx * sampleCount);
  const quadBytes = PLAIN_QUAD_BYTES * sampleCount;
  for (let sample = 0; sample < sampleCount; sample++) {
    const first = ptr + PLAIN_QUAD_BYTES * sample;
    readBinWords(memory, first, quadBytes, size, words.subarray(sample), sampleCount);
  }
  return words;
}

/** Inverse of {@link takeBinWords}. */
export function putBinWords(
  memory: WebAssembly.Memory,
  ptr: number,
  size: BinSize,
  sampleCount: number,
  words: Int32Array,
): void {
  const quadBytes = PLAIN_QUAD_BYTES * sampleCount;
  for (let sample = 0; sample < sampleCount; sample++) {
    const first = ptr + PLAIN_QUAD_BYTES * sample;
    writeBinWords(memory, first, quadBytes, size, words.subarray(sample), sampleCount);
  }
}

/**
 * Copies the texels of a color target with their samples, in its format, tightly packed, row 0 at
 * the top.
 */
export function readBinTexels(
  memory: WebAssembly.Memory,
  colorPtr: number,
  { quadBytes, sampleCount }: TargetLayout,
  target: ColorTarget,
  size: BinSize,
): Uint8Array {
  const isPacked = target.storage === 'unorm8' || target.storage === 'srgb8';
  const vectors = isPacked ? 1 : 4;
  const stride = vectors * sampleCount;
  const words = new Int32Array(size.widthPx * size.heightPx * stride);
  for (let sample = 0; sample < sampleCount; sample++) {
    const ptr = colorPtr + quadBytes * sample + target.offsetBytes;
    for (let c = 0; c < vectors; c++) {
      const to = words.subarray(sample * vectors + c);
      readBinWords(memory, ptr + 16 * c, quadBytes * sampleCount, size, to, stride);
    }
  }
  return isPacked
    ? takeChannels(new Uint8Array(words.buffer), target.channels)
    : encodeTargetTexels(target.format, words);
}

/** Inverse of {@link readBinTexels}. */
export function writeBinTexels(
  memory: WebAssembly.Memory,
  colorPtr: number,
  { quadBytes, sampleCount }: TargetLayout,
  target: ColorTarget,
  size: BinSize,
  texels: Uint8Array,
): void {
  const isPacked = target.storage === 'unorm8' || target.storage === 'srgb8';
  const words = isPacked
    ? new Int32Array(spreadChannels(texels, TEXTURE_FORMATS[target.format].channels).buffer)
    : decodeTargetTexels(target.format, texels);
  const vectors = isPacked ? 1 : 4;
  const stride = vectors * sampleCount;
  for (let sample = 0; sample < sampleCount; sample++) {
    const ptr = colorPtr + quadBytes * sample + target.offsetBytes;
    for (let c = 0; c < vectors; c++) {
      const from = words.subarray(sample * vectors + c);
      writeBinWords(memory, ptr + 16 * c, quadBytes * sampleCount, size, from, stride);
    }
  }
}

/** Returns the first channels of RGBA8 texels. */
function takeChannels(rgba: Uint8Array, channels: number): Uint8Array {
  if (channels === 4) return rgba;
  const taken = new Uint8Array((rgba.length / 4) * channels);
  let to = 0;
  for (let from = 0; from < rgba.length; from += 4) {
    for (let c = 0; c < channels; c++) taken[to++] = rgba[from + c]!;
  }
  return taken;
}

/** Returns RGBA8 texels in a new buffer. Missing channels are 0, 0, 255. */
function spreadChannels(texels: Uint8Array, channels: number): Uint8Array<ArrayBuffer> {
  if (channels === 4) return texels.slice();
  const rgba = new Uint8Array((texels.length / channels) * 4);
  let from = 0;
  for (let to = 0; to < rgba.length; to += 4) {
    for (let c = 0; c < channels; c++) rgba[to + c] = texels[from++]!;
    rgba[to + 3] = 255;
  }
  return rgba;
}
