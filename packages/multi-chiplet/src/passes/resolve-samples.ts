/**
 * Resolve of texels with several samples: the mean of each channel (GL ES 3.0, section 4.3.3), in
 * linear light for sRGB formats. Integers, depth and stencil have no mean; they are those of the
 * first sample.
 */
import { TEXTURE_FORMATS, type TextureFormat } from '@tessera/frame';

/**
 * Resolves texels.
 *
 * @param texels Texels with their samples one after another.
 * @returns Texels of one sample each.
 */
export function resolveSamples(
  texels: Uint8Array,
  format: TextureFormat,
  sampleCount: number,
): Uint8Array {
  const { bytesPerTexel, channels, kind } = TEXTURE_FORMATS[format];
  const count = texels.length / (bytesPerTexel * sampleCount);
  if (kind !== 'float') return takeFirst(texels, bytesPerTexel, sampleCount, count);
  switch (format) {
    case 'rgba8unorm-srgb':
      return meanOf(
        texels,
        new Uint8Array(count * 4),
        4,
        sampleCount,
        (value, c) => (c < 3 ? DECODED_SRGB[value]! : value),
        (value, c) => (c < 3 ? encodeSrgb8(value) : roundHalfUp(value)),
      );
    case 'rgb10a2unorm':
      return resolvePacked(texels, sampleCount, TENS);
    case 'rg11b10ufloat':
      return resolvePacked(texels, sampleCount, SMALL_FLOATS);
    default:
      break;
  }
  const channelBytes = bytesPerTexel / channels;
  const keep = (value: number) => value;
  if (channelBytes === 1 && channels === 4 && sampleCount === 4) return meansOfFour(texels);
  if (channelBytes === 1) {
    const mean = new Uint8Array(count * channels);
    return meanOf(texels, mean, channels, sampleCount, keep, roundHalfUp);
  }
  const bytes = texels.slice().buffer;
  const from = channelBytes === 2 ? new Float16Array(bytes) : new Float32Array(bytes);
  const to =
    channelBytes === 2 ? new Float16Array(count * channels) : new Float32Array(count * channels);
  meanOf(from, to, channels, sampleCount, keep, keep);
  return new Uint8Array(to.buffer);
}

function takeFirst(
  texels: Uint8Array,
  bytesPerTexel: number,
  sampleCount: number,
  count: number,
): Uint8Array {
  const taken = new Uint8Array(count * bytesPerTexel);
  for (let texel = 0; texel < count; texel++) {
    const from = texel * sampleCount * bytesPerTexel;
    taken.set(texels.subarray(from, from + bytesPerTexel), texel * bytesPerTexel);
  }
  return taken;
}

/** Every second byte of a word. */
const BYTES = 0x00ff00ff;

/** Returns the means of four samples of four bytes, rounded half up, two channels at a time. */
function meansOfFour(texels: Uint8Array): Uint8Array {
  const { byteOffset, length } = texels;
  const { buffer } = byteOffset % 4 === 0 ? texels : texels.slice();
  const samples = new Uint32Array(buffer, byteOffset % 4 === 0 ? byteOffset : 0, length / 4);
  const means = new Uint32Array(samples.length / 4);
  for (let texel = 0; texel < means.length; texel++) {
    const at = 4 * texel;
    const [a, b, c, d] = [samples[at]!, samples[at + 1]!, samples[at + 2]!, samples[at + 3]!];
    const even = (a & BYTES) + (b & BYTES) + (c & BYTES) + (d & BYTES) + 0x00020002;
    const odd =
      ((a >>> 8) & BYTES) + ((b >>> 8) & BYTES) + ((c >>> 8) & BYTES) + ((d >>> 8) & BYTES);
    means[texel] = ((even >>> 2) & BYTES) | ((((odd + 0x00020002) >>> 2) & BYTES) << 8);
  }
  return new Uint8Array(means.buffer);
}

type Channels = Uint8Array | Float16Array | Float32Array;

/** Writes the means of channels into `to`. Sums add the samples in order. */
function meanOf<To extends Channels>(
  from: Channels,
  to: To,
  channels: number,
  sampleCount: number,
  decode: (value: number, channel: number) => number,
  encode: (value: number, channel: number) => number,
): To {
  for (let at = 0; at < to.length; at++) {
    const c = at % channels;
    const first = (at - c) * sampleCount + c;
    let sum = 0;
    for (let sample = 0; sample < sampleCount; sample++) {
      sum += decode(from[first + sample * channels]!, c);
    }
    to[at] = encode(sum / sampleCount, c);
  }
  return to;
}

/** Packed format of a texel: the width of its channels, and the conversion of each. */
interface PackedFormat {
  readonly bits: readonly number[];
  readonly decode: (field: number, bits: number) => number;
  readonly encode: (value: number, bits: number) => number;
}

const TENS: PackedFormat = {
  bits: [10, 10, 10, 2],
  decode: (field) => field,
  encode: (value) => roundHalfUp(value),
};

/** Unsigned floats with 5 bits of exponent: the high bits of a 16-bit float without its sign. */
const SMALL_FLOATS: PackedFormat = {
  bits: [11, 11, 10],
  decode: (field, bits) => new Float16Array(Uint16Array.of(field << (15 - bits)).buffer)[0]!,
  encode: (value, bits) => {
    const half = new Uint16Array(Float16Array.of(value).buffer)[0]!;
    const dropped = 15 - bits;
    // Rounds to the nearest, ties to even. Infinity and NaN stay unchanged.
    const isNumber = half < 0x7c00;
    const odd = (half >> dropped) & 1;
    return (isNumber ? half + (1 << (dropped - 1)) - 1 + odd : half) >> dropped;
  },
};

function resolvePacked(
  texels: Uint8Array,
  sampleCount: number,
  { bits, decode, encode }: PackedFormat,
): Uint8Array {
  const words = new Uint32Array(texels.slice().buffer);
  const resolved = new Uint32Array(words.length / sampleCount);
  for (let texel = 0; texel < resolved.length; texel++) {
    let word = 0;
    let shift = 0;
    for (const width of bits) {
      let sum = 0;
      for (let sample = 0; sample < sampleCount; sample++) {
        const field = (words[texel * sampleCount + sample]! >>> shift) & ((1 << width) - 1);
        sum += decode(field, width);
      }
      word |= encode(sum / sampleCount, width) << shift;
      shift += width;
    }
    resolved[texel] = word;
  }
  return new Uint8Array(resolved.buffer);
}

function roundHalfUp(value: number): number {
  return Math.floor(value + 0.5);
}

/**
 * Linear light of sRGB values in half steps: value v at index 2 v, the border to the next value
 * behind it.
 */
const LINEAR_BY_HALF_STEP = Float64Array.from({ length: 511 }, (_, half) => decodeSrgb(half / 510));
const DECODED_SRGB = Float64Array.from(
  { length: 256 },
  (_, value) => LINEAR_BY_HALF_STEP[2 * value]!,
);

/** Returns the 8-bit sRGB value that is nearest to linear light. */
function encodeSrgb8(linear: number): number {
  let low = 0;
  let high = 255;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (linear < LINEAR_BY_HALF_STEP[2 * middle + 1]!) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Decodes IEC 61966-2-1 with exact operations only: x^2.4 is x² times the fifth root of x². */
function decodeSrgb(value: number): number {
  if (value <= 0.04045) return value / 12.92;
  const base = (value + 0.055) / 1.055;
  const square = base * base;
  let root = 1;
  for (;;) {
    const fourth = root * root * root * root;
    const next = root - (root - square / fourth) / 5;
    if (next >= root) return square * root;
    root = next;
  }
}
