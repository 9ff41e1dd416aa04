/** Decodes texels of every format to arrays of their texel class; see texel-levels.ts. */

import { TEXTURE_FORMATS, type TextureFormat } from '@tessera/frame';
import { DEPTH_24_MAX } from '../../records/depth-24.ts';
import type { TexelArray } from './mipmap.ts';
import { LINEAR16_BY_SRGB8 } from './srgb.ts';

/**
 * Decodes the texels of a level to channels of the class, in order. A missing channel is 0, a
 * missing alpha 1.
 */
export function decodeTexels(format: TextureFormat, bytes: Uint8Array): TexelArray {
  const { channels, bytesPerTexel } = TEXTURE_FORMATS[format];
  const count = bytes.length / bytesPerTexel;
  switch (format) {
    case 'rgba8unorm':
      return bytes;
    case 'r8unorm':
    case 'rg8unorm':
      return expand(bytes, channels, new Uint8Array(count * 4), 255);
    case 'rgba8unorm-srgb':
      return decodeSrgb(bytes);
    case 'rgb10a2unorm':
      return decodePacked1010102(wordsOf(bytes), new Uint16Array(count * 4), toUnorm16);
    case 'rgb10a2uint':
      return decodePacked1010102(wordsOf(bytes), new Int32Array(count * 4), (value) => value);
    case 'r8snorm':
    case 'rg8snorm':
    case 'rgba8snorm':
      return expand(
        mapToFloats(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), (value) =>
          Math.max(value / 127, -1),
        ),
        channels,
        new Float32Array(count * 4),
        1,
      );
    case 'r16float':
    case 'rg16float':
    case 'rgba16float':
      return expand(new Float16Array(aligned(bytes, 2)), channels, new Float16Array(count * 4), 1);
    case 'r32float':
    case 'depth32float':
      return new Float32Array(aligned(bytes, 4));
    case 'rg32float':
    case 'rgba32float':
      return expand(new Float32Array(aligned(bytes, 4)), channels, new Float32Array(count * 4), 1);
    case 'rg11b10ufloat':
      return decodeWords(bytes, (word, texel) => {
        texel[0] = unsignedFloat(word & 0x7ff, 6);
        texel[1] = unsignedFloat((word >>> 11) & 0x7ff, 6);
        texel[2] = unsignedFloat(word >>> 22, 5);
      });
    case 'rgb9e5ufloat':
      return decodeWords(bytes, (word, texel) => {
        const scale = 2 ** ((word >>> 27) - 24);
        for (let c = 0; c < 3; c++) texel[c] = ((word >>> (9 * c)) & 0x1ff) * scale;
      });
    case 'depth16unorm':
      return mapToFloats(new Uint16Array(aligned(bytes, 2)), (value) => value / 65535);
    case 'depth24unorm-stencil8':
      return mapToFloats(wordsOf(bytes), (word) => (word & DEPTH_24_MAX) / DEPTH_24_MAX);
    case 'r8uint':
    case 'rg8uint':
    case 'rgba8uint':
      return expand(bytes, channels, new Int32Array(count * 4), 1);
    case 'r8sint':
    case 'rg8sint':
    case 'rgba8sint':
      return expand(new Int8Array(aligned(bytes, 1)), channels, new Int32Array(count * 4), 1);
    case 'r16uint':
    case 'rg16uint':
    case 'rgba16uint':
      return expand(new Uint16Array(aligned(bytes, 2)), channels, new Int32Array(count * 4), 1);
    case 'r16sint':
    case 'rg16sint':
    case 'rgba16sint':
      return expand(new Int16Array(aligned(bytes, 2)), channels, new Int32Array(count * 4), 1);
    case 'r32uint':
    case 'rg32uint':
    case 'rgba32uint':
    case 'r32sint':
    case 'rg32sint':
    case 'rgba32sint':
      return expand(new Int32Array(aligned(bytes, 4)), channels, new Int32Array(count * 4), 1);
  }
}

/**
 * Returns a new buffer with these bytes, for arrays of larger elements. The machine is
 * little-endian, as the formats are.
 */
function aligned(bytes: Uint8Array, elementBytes: number): ArrayBuffer {
  const isWhole = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
  if (isWhole && bytes.byteLength % elementBytes === 0) return bytes.buffer as ArrayBuffer;
  return bytes.slice().buffer as ArrayBuffer;
}

/** Maps each value. `Float32Array.from` does the same, but ten times slower by an iterator. */
function mapToFloats(
  values: Int8Array | Uint16Array | Uint32Array,
  map: (value: number) => number,
): Float32Array {
  const floats = new Float32Array(values.length);
  for (let i = 0; i < values.length; i++) floats[i] = map(values[i]!);
  return floats;
}

function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(aligned(bytes, 4));
}

/** Expands texels of `count` channels to four. */
function expand<A extends TexelArray>(
  channels: ArrayLike<number>,
  count: number,
  texels: A,
  alpha: number,
): A {
  let from = 0;
  for (let to = 0; to < texels.length; to += 4) {
    for (let c = 0; c < count; c++) texels[to + c] = channels[from++]!;
    if (count < 4) texels[to + 3] = alpha;
  }
  return texels;
}

function decodeSrgb(bytes: Uint8Array): Uint16Array {
  const texels = new Uint16Array(bytes.length);
  const linear = LINEAR16_BY_SRGB8;
  for (let index = 0; index < texels.length; index += 4) {
    texels[index] = linear[bytes[index]!]!;
    texels[index + 1] = linear[bytes[index + 1]!]!;
    texels[index + 2] = linear[bytes[index + 2]!]!;
    texels[index + 3] = bytes[index + 3]! * 257;
  }
  return texels;
}

function toUnorm16(value: number, max: number): number {
  return Math.floor((value * 65535) / max + 0.5);
}

function decodePacked1010102<A extends Uint16Array | Int32Array>(
  words: Uint32Array,
  texels: A,
  convert: (value: number, max: number) => number,
): A {
  let to = 0;
  for (const word of words) {
    texels[to++] = convert(word & 0x3ff, 1023);
    texels[to++] = convert((word >>> 10) & 0x3ff, 1023);
    texels[to++] = convert((word >>> 20) & 0x3ff, 1023);
    texels[to++] = convert(word >>> 30, 3);
  }
  return texels;
}

function decodeWords(
  bytes: Uint8Array,
  decode: (word: number, texel: Float16Array) => void,
): Float16Array {
  const words = wordsOf(bytes);
  const texels = new Float16Array(words.length * 4);
  const texel = Float16Array.of(0, 0, 0, 1);
  words.forEach((word, index) => {
    decode(word, texel);
    texels.set(texel, index * 4);
  });
  return texels;
}

/** Decodes an unsigned float: 5 bits of exponent above the mantissa. */
function unsignedFloat(bits: number, mantissaBits: number): number {
  const exponent = bits >>> mantissaBits;
  const fraction = (bits & ((1 << mantissaBits) - 1)) / 2 ** mantissaBits;
  if (exponent === 0) return fraction * 2 ** -14;
  if (exponent === 31) return fraction === 0 ? Infinity : Number.NaN;
  return (1 + fraction) * 2 ** (exponent - 15);
}
