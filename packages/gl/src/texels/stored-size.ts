/**
 * Size that GPUs store texels in, where a frame expands them: formats of one or two channels that
 * frames hold as four, and packed formats of 16 bits. Drivers store luminance and alpha as red or
 * as red and green, and read them through a swizzle.
 */
import { TEXTURE_FORMATS, type TexelBlocks } from '@tessera/frame';
import { GL } from '../api/constants.ts';
import type { BaseFormat } from './texel-formats.ts';
import type { TexelStorage } from './texel-storage.ts';

const CHANNELS: Partial<Record<BaseFormat, 1 | 2>> = {
  alpha: 1,
  luminance: 1,
  intensity: 1,
  'luminance-alpha': 2,
  sluminance: 1,
  'sluminance-alpha': 2,
};

/** Internal formats with 16 bits per texel. */
const PACKED_FORMATS: readonly number[] = [GL.RGB565, GL.RGBA4, GL.RGB5_A1, GL.RGB4, GL.RGB5];
/** Types of uploads that OpenGL ES 2.0 stores with 16 bits per texel. */
const PACKED_TYPES: readonly number[] = [
  GL.UNSIGNED_SHORT_5_6_5,
  GL.UNSIGNED_SHORT_4_4_4_4,
  GL.UNSIGNED_SHORT_5_5_5_1,
];
const UNSIZED: readonly number[] = [GL.RGB, GL.RGBA];
const PACKED_BLOCK_BYTES = 32;

/**
 * Returns the blocks of 4×4 texels if their size differs from that of the frame's format.
 *
 * @param type Type of the upload, which decides for formats without sizes if `isEs`.
 */
export function storedSizeOf(
  internalFormat: number,
  type: number,
  { base, format }: TexelStorage,
  isEs: boolean,
): { readonly blocks?: TexelBlocks } {
  const { bytesPerTexel, channels } = TEXTURE_FORMATS[format];
  const stored = CHANNELS[base];
  if (stored !== undefined) {
    return { blocks: { blockBytes: (16 * bytesPerTexel * stored) / channels } };
  }
  if (format !== 'rgba8unorm') return {};
  const isPackedUpload = isEs && UNSIZED.includes(internalFormat) && PACKED_TYPES.includes(type);
  return isPackedUpload || PACKED_FORMATS.includes(internalFormat)
    ? { blocks: { blockBytes: PACKED_BLOCK_BYTES } }
    : {};
}
