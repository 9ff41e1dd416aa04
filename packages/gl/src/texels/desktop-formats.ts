/**
 * Internal formats of desktop OpenGL that OpenGL ES does not have: 16-bit and signed normalized
 * channels, integers of alpha, luminance and intensity (EXT_texture_integer), sRGB luminance, and
 * compressed formats whose texels are uploaded uncompressed (OpenGL 3.3 compatibility profile,
 * tables 3.18 to 3.21).
 *
 * A driver compresses an uncompressed upload with a loss that it chooses. Here it has none.
 * Normalized channels of 10 to 16 bits are stored in 8 bits, a resolution that the specification
 * permits.
 */
import type { TexelStorage } from './texel-storage.ts';

const UNORM = 'rgba8unorm';
const SNORM = 'rgba8snorm';
const SRGB = 'rgba8unorm-srgb';

const GROUPS: readonly (readonly [TexelStorage, readonly number[]])[] = [
  // R16, COMPRESSED_RED, COMPRESSED_RED_RGTC1.
  [{ base: 'red', format: 'r8unorm' }, [0x822a, 0x8225, 0x8dbb]],
  // RG16, COMPRESSED_RG, COMPRESSED_RG_RGTC2.
  [{ base: 'rg', format: 'rg8unorm' }, [0x822c, 0x8226, 0x8dbd]],
  // COMPRESSED_RGB, S3TC DXT1, FXT1.
  [{ base: 'rgb', format: UNORM }, [0x84ed, 0x83f0, 0x86b0]],
  // COMPRESSED_RGBA, S3TC DXT1, DXT3 and DXT5, FXT1, BPTC.
  [{ base: 'rgba', format: UNORM }, [0x84ee, 0x83f1, 0x83f2, 0x83f3, 0x86b1, 0x8e8c]],
  // COMPRESSED_ALPHA, COMPRESSED_LUMINANCE and its LATC1, COMPRESSED_LUMINANCE_ALPHA and its LATC2.
  [{ base: 'alpha', format: UNORM }, [0x84e9]],
  [{ base: 'luminance', format: UNORM }, [0x84ea, 0x8c70]],
  [{ base: 'luminance-alpha', format: UNORM }, [0x84eb, 0x8c72, 0x8837]],
  [{ base: 'intensity', format: UNORM }, [0x84ec]],
  // COMPRESSED_SRGB and COMPRESSED_SRGB_ALPHA with their S3TC and BPTC formats.
  [{ base: 'srgb', format: SRGB }, [0x8c48, 0x8c4c]],
  [{ base: 'srgb-alpha', format: SRGB }, [0x8c49, 0x8c4d, 0x8c4e, 0x8c4f, 0x8e8d]],
  // SLUMINANCE, SLUMINANCE8, COMPRESSED_SLUMINANCE; the same with alpha.
  [{ base: 'sluminance', format: SRGB }, [0x8c46, 0x8c47, 0x8c4a]],
  [{ base: 'sluminance-alpha', format: SRGB }, [0x8c44, 0x8c45, 0x8c4b]],
  // RED_SNORM to RGBA_SNORM without a size and with 16 bits, signed RGTC.
  [{ base: 'red', format: 'r8snorm' }, [0x8f90, 0x8f98, 0x8dbc]],
  [{ base: 'rg', format: 'rg8snorm' }, [0x8f91, 0x8f99, 0x8dbe]],
  [{ base: 'rgb', format: SNORM }, [0x8f92, 0x8f9a]],
  [{ base: 'rgba', format: SNORM }, [0x8f93, 0x8f9b]],
  // ALPHA_SNORM to INTENSITY_SNORM: without a size, with 8 bits, with 16 bits; signed LATC.
  [{ base: 'alpha', format: SNORM }, [0x9010, 0x9014, 0x9018]],
  [{ base: 'luminance', format: SNORM }, [0x9011, 0x9015, 0x9019, 0x8c71]],
  [{ base: 'luminance-alpha', format: SNORM }, [0x9012, 0x9016, 0x901a, 0x8c73]],
  [{ base: 'intensity', format: SNORM }, [0x9013, 0x9017, 0x901b]],
  // COMPRESSED_RGB_BPTC_SIGNED_FLOAT and UNSIGNED_FLOAT.
  [{ base: 'rgb', format: 'rgba16float' }, [0x8e8e, 0x8e8f]],
];

/**
 * First of ALPHA, INTENSITY, LUMINANCE and LUMINANCE_ALPHA of each size and sign, in this order.
 */
const INTEGERS: readonly (readonly [number, TexelStorage['format']])[] = [
  [0x8d72, 'rgba32uint'],
  [0x8d78, 'rgba16uint'],
  [0x8d7e, 'rgba8uint'],
  [0x8d84, 'rgba32sint'],
  [0x8d8a, 'rgba16sint'],
  [0x8d90, 'rgba8sint'],
];
const INTEGER_BASES = ['alpha', 'intensity', 'luminance', 'luminance-alpha'] as const;

const INTEGER_GROUPS: typeof GROUPS = INTEGERS.flatMap(([first, format]) =>
  INTEGER_BASES.map((base, i) => [{ base, format }, [first + i]] as const),
);

const STORAGE: ReadonlyMap<number, TexelStorage> = new Map(
  [...GROUPS, ...INTEGER_GROUPS].flatMap(([storage, formats]) =>
    formats.map((format) => [format, storage] as const),
  ),
);

/** Returns the storage of an internal format that only desktop OpenGL has; `null` for others. */
export function desktopStorageOf(internalFormat: number): TexelStorage | null {
  return STORAGE.get(internalFormat) ?? null;
}
