/**
 * Texel formats of textures and targets. Components lie in the order of the name, multi-byte ones little-endian;
 * packed formats have their first component in the lowest bits.
 *
 * Formats of three components, luminance, alpha and their like are made into these by who fills a texture.
 */

/** What a texel of the format is when it is sampled or drawn into. */
export type TexelKind = 'float' | 'sint' | 'uint' | 'depth';

export interface TextureFormatProperties {
  readonly bytesPerTexel: number;
  readonly channels: 1 | 2 | 3 | 4;
  readonly kind: TexelKind;
  /** Whether a pass may draw into it. */
  readonly isTarget: boolean;
}

const asFormat = (
  bytesPerTexel: number,
  channels: 1 | 2 | 3 | 4,
  kind: TexelKind,
  isTarget: boolean,
): TextureFormatProperties => ({ bytesPerTexel, channels, kind, isTarget });

/** `srgb` formats are decoded to linear before filtering. Depth is read as red. */
export const TEXTURE_FORMATS = {
  r8unorm: asFormat(1, 1, 'float', true),
  rg8unorm: asFormat(2, 2, 'float', true),
  rgba8unorm: asFormat(4, 4, 'float', true),
  'rgba8unorm-srgb': asFormat(4, 4, 'float', true),
  r8snorm: asFormat(1, 1, 'float', false),
  rg8snorm: asFormat(2, 2, 'float', false),
  rgba8snorm: asFormat(4, 4, 'float', false),
  /** Alpha in the two highest bits. */
  rgb10a2unorm: asFormat(4, 4, 'float', true),
  r16float: asFormat(2, 1, 'float', true),
  rg16float: asFormat(4, 2, 'float', true),
  rgba16float: asFormat(8, 4, 'float', true),
  r32float: asFormat(4, 1, 'float', true),
  rg32float: asFormat(8, 2, 'float', true),
  rgba32float: asFormat(16, 4, 'float', true),
  /** Unsigned floats of 11, 11 and 10 bits. */
  rg11b10ufloat: asFormat(4, 3, 'float', true),
  /** Mantissas of 9 bits and a shared exponent of 5 in the highest bits. */
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
  /** Depth in bits 0 to 23, stencil above: what a pass draws depth and stencil into. */
  'depth24unorm-stencil8': asFormat(4, 1, 'depth', true),
  depth32float: asFormat(4, 1, 'depth', false),
} as const satisfies Readonly<Record<string, TextureFormatProperties>>;
export type TextureFormat = keyof typeof TEXTURE_FORMATS;
