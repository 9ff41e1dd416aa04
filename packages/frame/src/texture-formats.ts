/**
 * Texel formats of textures and targets. Components are stored in the order of the name and
 * multi-byte components are little-endian. Packed formats have their first component in the lowest
 * bits.
 *
 * Formats with three components, luminance or alpha are converted to these formats when a texture
 * is filled.
 */

/**
 * Type of value that a texel yields when it is sampled, and that is written when it is drawn into.
 */
export type TexelKind = 'float' | 'sint' | 'uint' | 'depth';

/** Properties of a texel format. */
export interface TextureFormatProperties {
  readonly bytesPerTexel: number;
  readonly channels: 1 | 2 | 3 | 4;
  readonly kind: TexelKind;
  /** Whether a pass can draw into the format. */
  readonly isTarget: boolean;
}

const asFormat = (
  bytesPerTexel: number,
  channels: 1 | 2 | 3 | 4,
  kind: TexelKind,
  isTarget: boolean,
): TextureFormatProperties => ({ bytesPerTexel, channels, kind, isTarget });

/**
 * Properties by format. `srgb` formats are decoded to linear before filtering. Depth is read as
 * red.
 */
export const TEXTURE_FORMATS = {
  r8unorm: asFormat(1, 1, 'float', true),
  rg8unorm: asFormat(2, 2, 'float', true),
  rgba8unorm: asFormat(4, 4, 'float', true),
  'rgba8unorm-srgb': asFormat(4, 4, 'float', true),
  r8snorm: asFormat(1, 1, 'float', true),
  rg8snorm: asFormat(2, 2, 'float', true),
  rgba8snorm: asFormat(4, 4, 'float', true),
  /** Alpha is in the two highest bits. */
  rgb10a2unorm: asFormat(4, 4, 'float', true),
  r16float: asFormat(2, 1, 'float', true),
  rg16float: asFormat(4, 2, 'float', true),
  rgba16float: asFormat(8, 4, 'float', true),
  r32float: asFormat(4, 1, 'float', true),
  rg32float: asFormat(8, 2, 'float', true),
  rgba32float: asFormat(16, 4, 'float', true),
  /** Unsigned floats of 11, 11 and 10 bits. */
  rg11b10ufloat: asFormat(4, 3, 'float', true),
  /** Mantissas of 9 bits and a shared exponent of 5 bits in the highest bits. */
  rgb9e5ufloat: asFormat(4, 3, 'float', false),
  r8uint: asFormat(1, 1, 'uint', true),
  rg8uint: asFormat(2, 2, 'uint', true),
  rgba8uint: asFormat(4, 4, 'uint', true),
  r16uint: asFormat(2, 1, 'uint', true),
  rg16uint: asFormat(4, 2, 'uint', true),
  rgba16uint: asFormat(8, 4, 'uint', true),
  r32uint: asFormat(4, 1, 'uint', true),
  rg32uint: asFormat(8, 2, 'uint', true),
  rgba32uint: asFormat(16, 4, 'uint', true),
  rgb10a2uint: asFormat(4, 4, 'uint', true),
  r8sint: asFormat(1, 1, 'sint', true),
  rg8sint: asFormat(2, 2, 'sint', true),
  rgba8sint: asFormat(4, 4, 'sint', true),
  r16sint: asFormat(2, 1, 'sint', true),
  rg16sint: asFormat(4, 2, 'sint', true),
  rgba16sint: asFormat(8, 4, 'sint', true),
  r32sint: asFormat(4, 1, 'sint', true),
  rg32sint: asFormat(8, 2, 'sint', true),
  rgba32sint: asFormat(16, 4, 'sint', true),
  depth16unorm: asFormat(2, 1, 'depth', false),
  /**
   * Depth in bits 0 to 23, stencil in bits 24 to 31. This is the format of depth and stencil
   * attachments.
   */
  'depth24unorm-stencil8': asFormat(4, 1, 'depth', true),
  depth32float: asFormat(4, 1, 'depth', false),
} as const satisfies Readonly<Record<string, TextureFormatProperties>>;
/** Name of a format of {@link TEXTURE_FORMATS}. */
export type TextureFormat = keyof typeof TEXTURE_FORMATS;
