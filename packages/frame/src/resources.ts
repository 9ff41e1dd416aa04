/**
 * Bulk resources of a frame: buffers and textures, each named by the SHA-256 of its content, so that a
 * process that holds one already is not sent it again.
 */

import type { CompareFunction } from './pipeline-state.ts';
import { TEXTURE_FORMATS, type TextureFormat } from './texture-formats.ts';

/** Lower-case hexadecimal SHA-256, 64 characters. */
export type Sha256 = string;

/** Bytes that draws read vertices and indices from. */
export interface BufferResource {
  readonly sha256: Sha256;
  readonly bytes: Uint8Array;
}

export const TEXTURE_DIMENSIONS = ['2d', 'cube', '3d', '2d-array'] as const;
export type TextureDimension = (typeof TEXTURE_DIMENSIONS)[number];

/**
 * A texture: levels of one or more slices, which are the faces of a cube (+x, −x, +y, −y, +z, −z), the layers of
 * an array or the depth of a 3D texture. Row 0 of each slice is the one at texture coordinate t = 0.
 */
export interface TextureResource {
  readonly sha256: Sha256;
  readonly format: TextureFormat;
  /** Missing: `2d`. */
  readonly dimension?: TextureDimension | undefined;
  /** Size of level 0 in texels, 1 to 8192 each; cubes are square. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Slices of level 0, 1 to 2048. Missing: 6 for cubes, else 1. */
  readonly sliceCount?: number | undefined;
  /**
   * Tightly packed texels of level 0, 1, …, slice after slice; level k is max(1, size >> k) in each direction. None:
   * a texture that holds nothing until a pass has drawn into it; `sha256` then names it and no content.
   */
  readonly levels: readonly Uint8Array[];
  /**
   * Levels that the texture has, at least those given; the others hold zeros until a pass draws into them.
   * Missing: those given, at least 1.
   */
  readonly levelCount?: number | undefined;
  /**
   * Whether the chiplet makes the remaining levels down to 1×1 from level 0 by a box filter
   * (in linear light for srgb formats). Then `levels` holds level 0 alone.
   */
  readonly isMipmapGenerated: boolean;
  /**
   * Samples of a texel: one of {@link SAMPLE_COUNTS}; missing: 1. A texture of several is 2D, of one level and a format
   * that is drawn into; it is drawn into, loaded and resolved by copies, never sampled. Its texels hold their samples
   * one after another.
   */
  readonly sampleCount?: number | undefined;
}

/** Samples that a texel of a target may have. */
export const SAMPLE_COUNTS: readonly number[] = [1, 4];

/** Bytes of a texel with all its samples. */
export function texelBytesOf({
  format,
  sampleCount = 1,
}: Pick<TextureResource, 'format' | 'sampleCount'>): number {
  return TEXTURE_FORMATS[format].bytesPerTexel * sampleCount;
}

/** Size of a level of a texture. */
export interface LevelSize {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly sliceCount: number;
}

/** The size of level `level`: slices halve in 3D textures alone. */
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

/** Levels down to 1×1 (×1). */
export function fullLevelCountOf(
  texture: Pick<TextureResource, 'dimension' | 'widthPx' | 'heightPx' | 'sliceCount'>,
): number {
  const { widthPx, heightPx, sliceCount } = levelSizeOf(texture, 0);
  const depthPx = texture.dimension === '3d' ? sliceCount : 1;
  return 32 - Math.clz32(Math.max(widthPx, heightPx, depthPx));
}

/**
 * `clamp-to-border` reads the border colour outside; `clamp` (GL_CLAMP) clamps the coordinate, so that a linear
 * filter reaches half a texel into the border.
 */
export const WRAP_MODES = [
  'repeat',
  'clamp-to-edge',
  'mirrored-repeat',
  'clamp-to-border',
  'clamp',
] as const;
export type WrapMode = (typeof WRAP_MODES)[number];
export type FilterMode = 'nearest' | 'linear';

/** What a channel of the result is taken from. */
export const SWIZZLE_SOURCES = ['red', 'green', 'blue', 'alpha', 'zero', 'one'] as const;
export type SwizzleSource = (typeof SWIZZLE_SOURCES)[number];

/** How a texture is read. `mipmapFilter: 'none'` reads level 0 only. */
export interface SamplerState {
  readonly wrapS: WrapMode;
  readonly wrapT: WrapMode;
  /** Of 3D textures. Missing: `repeat`. */
  readonly wrapR?: WrapMode | undefined;
  readonly magFilter: FilterMode;
  readonly minFilter: FilterMode;
  readonly mipmapFilter: 'none' | FilterMode;
  /** What shadow samplers compare with: reference (left) against texel (right). Missing: they read the depth. */
  readonly compare?: CompareFunction | undefined;
  /** Added to the level of detail, which is then clamped. Missing: 0. */
  readonly lodBias?: number | undefined;
  /** Missing: no limits. */
  readonly minLod?: number | undefined;
  readonly maxLod?: number | undefined;
  /** Missing: transparent black. */
  readonly borderColor?: readonly [number, number, number, number] | undefined;
  /** Where red, green, blue, alpha come from. Missing: from themselves. */
  readonly swizzle?:
    | readonly [SwizzleSource, SwizzleSource, SwizzleSource, SwizzleSource]
    | undefined;
  /** Whether linear filters stop at the edges of a cube's faces, as in OpenGL ES 2.0. Missing: they go on. */
  readonly isCubeEdgeHard?: boolean | undefined;
}
