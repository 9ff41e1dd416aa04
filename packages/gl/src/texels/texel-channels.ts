/**
 * Texels of every format as numbers, one by one, for reads, conversions and mipmaps outside of
 * chiplets.
 */
import { TEXTURE_FORMATS, type TextureFormat } from '@tessera/frame';
import { encodeTexel } from './texel-storage.ts';

/** Channels of a texel: red, green, blue, alpha, (unused), stencil. A depth is red. */
export type TexelChannels = Float64Array;

/** Function that reads the texel at a byte offset. A missing channel is 0, a missing alpha 1. */
export type ReadTexel = (view: DataView, at: number, channels: TexelChannels) => void;

/** Returns channels for one texel. */
export function makeChannels(): TexelChannels {
  return new Float64Array(6);
}

/**
 * Returns the reader of a format. Normalized texels become 0…1; sRGB texels and integers keep their
 * stored values.
 */
export function texelReader(format: TextureFormat): ReadTexel {
  switch (format) {
    case 'rgb10a2unorm':
    case 'rgb10a2uint': {
      const isUnorm = format === 'rgb10a2unorm';
      return (view, at, channels) => {
        const word = view.getUint32(at, true);
        for (let c = 0; c < 4; c++) {
          const value = (word >>> (10 * c)) & (c === 3 ? 3 : 1023);
          channels[c] = isUnorm ? value / (c === 3 ? 3 : 1023) : value;
        }
      };
    }
    case 'rg11b10ufloat':
      return (view, at, channels) => {
        const word = view.getUint32(at, true);
        channels[0] = unsignedFloat(word & 0x7ff, 6);
        channels[1] = unsignedFloat((word >>> 11) & 0x7ff, 6);
        channels[2] = unsignedFloat(word >>> 22, 5);
        channels[3] = 1;
      };
    case 'rgb9e5ufloat':
      return (view, at, channels) => {
        const word = view.getUint32(at, true);
        const scale = 2 ** ((word >>> 27) - 24);
        for (let c = 0; c < 3; c++) channels[c] = ((word >>> (9 * c)) & 0x1ff) * scale;
        channels[3] = 1;
      };
    case 'depth24unorm-stencil8':
      return (view, at, channels) => {
        const word = view.getUint32(at, true);
        channels[0] = (word & 0xffffff) / 0xffffff;
        channels[5] = word >>> 24;
      };
    default:
      return plainReader(format);
  }
}

/** Returns the reader of texels with consecutive channels of one type. */
function plainReader(format: TextureFormat): ReadTexel {
  const { channels: count, bytesPerTexel } = TEXTURE_FORMATS[format];
  const channelBytes = bytesPerTexel / count;
  const read = channelReader(format, channelBytes);
  return (view, at, channels) => {
    channels.fill(0);
    channels[3] = 1;
    for (let c = 0; c < count; c++) channels[c] = read(view, at + c * channelBytes);
  };
}

function channelReader(
  format: TextureFormat,
  channelBytes: number,
): (view: DataView, at: number) => number {
  if (format.includes('8unorm')) return (view, at) => view.getUint8(at) / 255;
  if (format.includes('16unorm')) return (view, at) => view.getUint16(at, true) / 65535;
  if (format.includes('snorm')) return (view, at) => Math.max(-1, view.getInt8(at) / 127);
  if (format.includes('float')) {
    return channelBytes === 2
      ? (view, at) => view.getFloat16(at, true)
      : (view, at) => view.getFloat32(at, true);
  }
  const isSigned = TEXTURE_FORMATS[format].kind === 'sint';
  if (channelBytes === 1) return (view, at) => (isSigned ? view.getInt8(at) : view.getUint8(at));
  if (channelBytes === 2) {
    return (view, at) => (isSigned ? view.getInt16(at, true) : view.getUint16(at, true));
  }
  return (view, at) => (isSigned ? view.getInt32(at, true) : view.getUint32(at, true));
}

/** Writes a texel. Normalized channels are clamped and rounded to nearest. */
export function writeTexel(
  format: TextureFormat,
  channels: TexelChannels,
  view: DataView,
  at: number,
): void {
  if (!format.includes('8unorm') || format.startsWith('depth')) {
    encodeTexel(format, channels, view, at);
    return;
  }
  for (let c = 0; c < TEXTURE_FORMATS[format].channels; c++) {
    view.setUint8(at + c, Math.floor(Math.min(1, Math.max(0, channels[c]!)) * 255 + 0.5));
  }
}

/** Decodes an unsigned float: 5 bits of exponent above the mantissa. */
function unsignedFloat(bits: number, mantissaBits: number): number {
  const exponent = bits >>> mantissaBits;
  const fraction = (bits & ((1 << mantissaBits) - 1)) / 2 ** mantissaBits;
  if (exponent === 0) return fraction * 2 ** -14;
  if (exponent === 31) return fraction === 0 ? Number.POSITIVE_INFINITY : Number.NaN;
  return (1 + fraction) * 2 ** (exponent - 15);
}
