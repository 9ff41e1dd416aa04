/**
 * Conversion of target texels between the bytes of their format and the memory of a bin; see
 * target-layout.ts.
 */
import { TEXTURE_FORMATS, type TextureFormat } from '@tessera/frame';
import { decodeTexels } from '../../texture/layout/decode-texels.ts';
import { roundChannel } from './float-rounding.ts';
import { type ColorTarget, clampNumber, colorRangeOf } from './target-layout.ts';

const { fround } = Math;

/**
 * Returns the channels of a cleared pixel as the target stores them, 32 bits each. An 8-bit target
 * takes all of them from the first.
 */
export function clearTexel(target: ColorTarget, color: readonly number[]): Int32Array {
  const { storage, format, channels } = target;
  const held = color.map((value, c) => (c < channels ? value : c === 3 ? 1 : 0));
  if (storage === 'integer') return Int32Array.from(held, (value) => toInteger(value));
  const range = colorRangeOf(target);
  const isUnsigned = format === 'rg11b10ufloat';
  const floats = Float32Array.from(held, (value, c) => {
    const confined = clampNumber(value, range);
    return roundChannel(format, c, isUnsigned ? Math.max(confined, 0) : confined);
  });
  return new Int32Array(floats.buffer);
}

/** Returns the low 32 bits of an integer. */
function toInteger(value: number): number {
  return Number.isFinite(value) ? Math.trunc(value) | 0 : 0;
}

/** Decodes texels to a wide target's representation, four words per texel. */
export function decodeTargetTexels(format: TextureFormat, bytes: Uint8Array): Int32Array {
  if (format === 'rgb10a2unorm') {
    const words = decodeTexels('rgb10a2uint', bytes);
    return bitsOf(
      Float32Array.from(words, (value, index) =>
        fround(value * fround(1 / (index % 4 === 3 ? 3 : 1023))),
      ),
    );
  }
  if (format.endsWith('snorm')) return bitsOf(decodeSigned(format, bytes));
  const decoded = decodeTexels(format, bytes);
  if (decoded instanceof Int32Array) return decoded;
  if (format !== 'r32float') return bitsOf(Float32Array.from(decoded));
  const texels = new Float32Array(decoded.length * 4);
  decoded.forEach((red, index) => {
    texels[index * 4] = red;
    texels[index * 4 + 3] = 1;
  });
  return bitsOf(texels);
}

/** Decodes signed fractions as the merger rounds them. */
function decodeSigned(format: TextureFormat, bytes: Uint8Array): Float32Array<ArrayBuffer> {
  const { channels } = TEXTURE_FORMATS[format];
  const codes = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  return Float32Array.from({ length: (codes.length / channels) * 4 }, (_, at) => {
    const c = at % 4;
    if (c >= channels) return c === 3 ? 1 : 0;
    return roundChannel(format, c, Math.max(codes[(at >> 2) * channels + c]!, -127) / 127);
  });
}

function bitsOf(floats: Float32Array<ArrayBuffer>): Int32Array {
  return new Int32Array(floats.buffer);
}

/** Encodes texels of a wide target, four words each, to the bytes of their format. */
export function encodeTargetTexels(format: TextureFormat, held: Int32Array): Uint8Array {
  const { channels, bytesPerTexel, kind } = TEXTURE_FORMATS[format];
  const count = held.length / 4;
  const floats = new Float32Array(held.buffer, held.byteOffset, held.length);
  const bytes = new Uint8Array(count * bytesPerTexel);
  if (format === 'rg11b10ufloat' || format === 'rgb10a2unorm' || format === 'rgb10a2uint') {
    const words = new Uint32Array(bytes.buffer);
    for (let index = 0; index < count; index++) {
      words[index] =
        format === 'rgb10a2uint'
          ? packTens(held.subarray(index * 4, index * 4 + 4))
          : format === 'rgb10a2unorm'
            ? packTens(unormTens(floats.subarray(index * 4, index * 4 + 4)))
            : packUnsignedFloats(floats.subarray(index * 4, index * 4 + 3));
    }
    return bytes;
  }
  if (format.endsWith('snorm')) {
    let at = 0;
    for (let from = 0; from < floats.length; from += 4) {
      for (let c = 0; c < channels; c++) bytes[at++] = Math.round(floats[from + c]! * 127);
    }
    return bytes;
  }
  const source = kind === 'float' ? floats : held;
  const channelBytes = bytesPerTexel / channels;
  const target = channelArray(kind === 'float', channelBytes, bytes.buffer);
  let to = 0;
  for (let from = 0; from < source.length; from += 4) {
    for (let c = 0; c < channels; c++) target[to++] = source[from + c]!;
  }
  return bytes;
}

/** Stores into typed arrays keep the low bits of integers. */
function channelArray(isFloat: boolean, channelBytes: number, buffer: ArrayBuffer) {
  if (isFloat) return channelBytes === 2 ? new Float16Array(buffer) : new Float32Array(buffer);
  if (channelBytes === 1) return new Uint8Array(buffer);
  return channelBytes === 2 ? new Uint16Array(buffer) : new Uint32Array(buffer);
}

function unormTens(channels: Float32Array): number[] {
  return Array.from(channels, (value, c) => Math.round(value * (c === 3 ? 3 : 1023)));
}

function packTens([red, green, blue, alpha]: ArrayLike<number> & Iterable<number>): number {
  return (red! & 0x3ff) | ((green! & 0x3ff) << 10) | ((blue! & 0x3ff) << 20) | (alpha! << 30);
}

/** Packs three floats, rounded to 11, 11 and 10 bits, into one word. */
function packUnsignedFloats(channels: Float32Array): number {
  const halves = new Uint16Array(Float16Array.from(channels).buffer);
  return (halves[0]! >>> 4) | ((halves[1]! >>> 4) << 11) | ((halves[2]! >>> 5) << 22);
}
