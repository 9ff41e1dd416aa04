/**
 * Bulk resources of a frame: buffers and textures. Each is named by the SHA-256 of its contents, so
 * that it is not sent to a process that has it already.
 */

import type { TargetImage } from './frame.ts';
import type { CompareFunction } from './pipeline-state.ts';
import { TEXTURE_FORMATS, type TextureFormat } from './texture-formats.ts';

/** SHA-256 as 64 lower-case hexadecimal digits. */
export type Sha256 = string;

/** Bytes that draws read vertices and indices from. */
export interface BufferResource {
  readonly sha256: Sha256;
  readonly bytes: Uint8Array;
}

/** Kinds of textures by the meaning of their slices. */
export const TEXTURE_DIMENSIONS = ['2d', 'cube', '3d', '2d-array'] as const;
/** Name of a kind of {@link TEXTURE_DIMENSIONS}. */
export type TextureDimension = (typeof TEXTURE_DIMENSIONS)[number];

/** Blocks of texels in the memory of a chiplet. They determine addresses, not texels. */
export interface TexelBlocks {
  /**
   * Size of a block, one of {@link BLOCK_BYTES} and at most 16 texels of the format: 8 or 16 for
   * texels that were decoded from a compressed format, 32 for those of packed 16-bit formats.
   * Default: the size of 16 texels of the format.
   */
  readonly blockBytes?: number | undefined;
  /**
   * Width of a block in texels, 4 to 12. The same range applies to the height. Only textures with
   * `blockBytes` have either. Default: 4.
   */
  readonly blockWidthPx?: number | undefined;
  readonly blockHeightPx?: number | undefined;
}

/**
 * A texture: levels of one or more slices. Slices are the faces of a cube (+x, −x, +y, −y, +z, −z),
 * the layers of an array or the depth of a 3D texture. Row 0 of each slice is at texture coordinate
 * t = 0.
 */
export interface TextureResource extends TexelBlocks {
  readonly sha256: Sha256;
  readonly format: TextureFormat;
  /** Kind of the texture. Default: `2d`. */
  readonly dimension?: TextureDimension | undefined;
  /**
   * Width of level 0 in texels, 1 to 8192. The same range applies to the height; cubes are square.
   */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Number of slices of level 0, 1 to 2048. Default: 6 for cubes, else 1. */
  readonly sliceCount?: number | undefined;
  /**
   * Tightly packed texels of level 0, 1, …, slice after slice. The size of level k is max(1, size
   * >> k) in each direction. If there are none, the texture is empty until a pass draws into it,
   * and `sha256` identifies the texture instead of its contents.
   */
  readonly levels: readonly Uint8Array[];
  /**
   * Number of levels, at least as many as are given. The others hold zeros until a pass draws into
   * them. Default: the number of given levels, at least 1.
   */
  readonly levelCount?: number | undefined;
  /**
   * Whether the chiplet generates the remaining levels down to 1×1 from level 0 with a box filter
   * (in linear light for srgb formats). `levels` then contains only level 0.
   */
  readonly isMipmapGenerated: boolean;
  /**
   * Number of samples of a texel, one of {@link SAMPLE_COUNTS}. Default: 1. A multisample texture
   * is 2D and has one level and a format that passes can draw into. Passes draw into it, load it
   * and resolve it with copies; draws cannot sample it. The samples of a texel are adjacent.
   */
  readonly sampleCount?: number | undefined;
}

/**
 * Returns the format that a pass draws into a texture with.
 *
 * @param image Image of the target.
 */
export function drawnFormatOf(
  { format }: Pick<TextureResource, 'format'>,
  { isSrgbRaw }: Pick<TargetImage, 'isSrgbRaw'>,
): TextureFormat {
  return isSrgbRaw === true ? (LINEAR_FORMATS[format] ?? format) : format;
}

/** Formats with the same bytes, without sRGB encoding. */
const LINEAR_FORMATS: Readonly<Partial<Record<TextureFormat, TextureFormat>>> = {
  'rgba8unorm-srgb': 'rgba8unorm',
};

/** Permitted sizes of a block in bytes. */
export const BLOCK_BYTES: readonly number[] = [8, 16, 32, 64, 128, 256];

/** Returns the size of a block in the memory of a chiplet, in bytes. */
export function blockBytesOf({
  format,
  blockBytes,
}: Pick<TextureResource, 'format' | 'blockBytes'>): number {
  return blockBytes ?? 16 * TEXTURE_FORMATS[format].bytesPerTexel;
}

/** Permitted numbers of samples of a target's texel. */
export const SAMPLE_COUNTS: readonly number[] = [1, 4, 8];

/** Returns the size of a texel with all its samples, in bytes. */
export function texelBytesOf({
  format,
  sampleCount = 1,
}: Pick<TextureResource, 'format' | 'sampleCount'>): number {
  return TEXTURE_FORMATS[format].bytesPerTexel * sampleCount;
}

/** Size of one level of a texture. */
export interface LevelSize {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly sliceCount: number;
}

/** Returns the size of level `level`. The number of slices halves per level only in 3D textures. */
export function levelSizeOf(
  texture: Pick<TextureResource, 'dimension' | 'widthPx' | 'heightPx' | 'sliceCount'>,
  level: number,
): LevelSize {
  const { dimension, widthPx, heightPx, sliceCount = dimension === 'cube' ? 6 : 1 } = texture;
  return {
    widthPx: Math.max(1, widthPx >> level),
    heightPx: Math.max(1, heightPx >> level),
    sliceCount: dimension === '3d' ? Math.max(1, sliceCount >> level) : sliceCount,
  };
}

/** Returns the number of levels of a complete mipmap chain down to 1×1 (×1). */
export function fullLevelCountOf(
  texture: Pick<TextureResource, 'dimension' | 'widthPx' | 'heightPx' | 'sliceCount'>,
): number {
  const { widthPx, heightPx, sliceCount } = levelSizeOf(texture, 0);
  const depthPx = texture.dimension === '3d' ? sliceCount : 1;
  return 32 - Math.clz32(Math.max(widthPx, heightPx, depthPx));
}

/**
 * Treatments of texture coordinates outside 0 to 1. `clamp-to-border` reads the border color
 * outside the texture. `clamp` (GL_CLAMP) clamps the coordinate, so a linear filter reaches half a
 * texel into the border. The `mirror-` modes treat the absolute value of the coordinate likewise.
 */
export const WRAP_MODES = [
  'repeat',
  'clamp-to-edge',
  'mirrored-repeat',
  'clamp-to-border',
  'clamp',
  'mirror-clamp-to-edge',
  'mirror-clamp-to-border',
  'mirror-clamp',
] as const;
/** Name of a treatment of {@link WRAP_MODES}. */
export type WrapMode = (typeof WRAP_MODES)[number];

/** Treatments of coordinates that are not mirrored about 0. */
export type PlainWrapMode = Exclude<WrapMode, `mirror-${string}`>;

/** Returns how a mode treats the absolute value of a coordinate; other modes are returned. */
export function unmirrored(mode: WrapMode): PlainWrapMode {
  switch (mode) {
    case 'mirror-clamp-to-edge':
      return 'clamp-to-edge';
    case 'mirror-clamp-to-border':
      return 'clamp-to-border';
    case 'mirror-clamp':
      return 'clamp';
    default:
      return mode;
  }
}
/** Filter of a texture lookup. */
export type FilterMode = 'nearest' | 'linear';

/** Sources that a swizzle can take a channel of the result from. */
export const SWIZZLE_SOURCES = ['red', 'green', 'blue', 'alpha', 'zero', 'one'] as const;
/** Name of a source of {@link SWIZZLE_SOURCES}. */
export type SwizzleSource = (typeof SWIZZLE_SOURCES)[number];

/** State of texture lookups. `mipmapFilter: 'none'` reads the base level only. */
export interface SamplerState {
  readonly wrapS: WrapMode;
  readonly wrapT: WrapMode;
  /** Wrap mode of the third coordinate of 3D textures. Default: `repeat`. */
  readonly wrapR?: WrapMode | undefined;
  readonly magFilter: FilterMode;
  readonly minFilter: FilterMode;
  readonly mipmapFilter: 'none' | FilterMode;
  /**
   * Comparison of shadow samplers: reference (left) with texel (right), which gives a luminance.
   * Default: the sampler reads the depth.
   */
  readonly compare?: CompareFunction | undefined;
  /** Bias added to the level of detail before it is clamped. Default: 0. */
  readonly lodBias?: number | undefined;
  /** Lower limit of the level of detail. Default: no limit, as for `maxLod`. */
  readonly minLod?: number | undefined;
  readonly maxLod?: number | undefined;
  /**
   * Level of the texture that lookups treat as level 0. Default: 0. A texture without this level
   * reads opaque black.
   */
  readonly baseLevel?: number | undefined;
  /** Highest level of the texture that lookups read. Default: the last one. */
  readonly maxLevel?: number | undefined;
  /** Color of the border. Default: transparent black. */
  readonly borderColor?: readonly [number, number, number, number] | undefined;
  /**
   * Sources of the red, green, blue and alpha of the result. Default: each channel is its own
   * source.
   */
  readonly swizzle?:
    | readonly [SwizzleSource, SwizzleSource, SwizzleSource, SwizzleSource]
    | undefined;
  /**
   * Whether linear filters stop at the edges of a cube's faces, as in OpenGL ES 2.0. Default: they
   * filter across edges.
   */
  readonly isCubeEdgeHard?: boolean | undefined;
  /**
   * Maximum number of probes along the longer side of a pixel's footprint, 1 to
   * {@link MAX_ANISOTROPY}. It applies to lookups with an implicit level in 2D textures and arrays
   * with a mipmap filter. Default: 1, no anisotropic filter.
   */
  readonly maxAnisotropy?: number | undefined;
}

/**
 * Returns whether lookups may read a level of a texture.
 *
 * @param level Level, counted as in the texture.
 */
export function readsLevel(
  { baseLevel = 0, maxLevel = Infinity, mipmapFilter }: SamplerState,
  level: number,
): boolean {
  if (level === baseLevel) return true;
  return mipmapFilter !== 'none' && level > baseLevel && level <= maxLevel;
}

/** Upper bound on the levels of a texture. */
export const MAX_TEXTURE_LEVELS = 14;

/** Upper bound on the maximum anisotropy of a sampler. */
export const MAX_ANISOTROPY = 16;
