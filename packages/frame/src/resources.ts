/**
 * Bulk resources of a frame: buffers and textures, each named by the SHA-256 of its content, so that a
 * process that holds one already is not sent it again.
 */

/** Lower-case hexadecimal SHA-256, 64 characters. */
export type Sha256 = string;

/** Bytes that draws read vertices and indices from. */
export interface BufferResource {
  readonly sha256: Sha256;
  readonly bytes: Uint8Array;
}

/** Texel formats; `srgb` formats are decoded to linear before filtering. */
export const TEXTURE_FORMATS = {
  r8unorm: { bytesPerTexel: 1, channels: 1 },
  rg8unorm: { bytesPerTexel: 2, channels: 2 },
  rgba8unorm: { bytesPerTexel: 4, channels: 4 },
  'rgba8unorm-srgb': { bytesPerTexel: 4, channels: 4 },
} as const;
export type TextureFormat = keyof typeof TEXTURE_FORMATS;

/** A two-dimensional texture. Row 0 of each level is the one at texture coordinate t = 0. */
export interface TextureResource {
  readonly sha256: Sha256;
  readonly format: TextureFormat;
  /** Size of level 0 in texels, 1 to 8192 each. */
  readonly widthPx: number;
  readonly heightPx: number;
  /**
   * Tightly packed texels of level 0, 1, …; level k is max(1, size >> k) in each direction. None: a texture that
   * holds nothing until a pass has drawn into it; `sha256` then names it and no content.
   */
  readonly levels: readonly Uint8Array[];
  /**
   * Whether the chiplet makes the remaining levels down to 1×1 from level 0 by a box filter
   * (in linear light for srgb formats). Then `levels` holds level 0 alone.
   */
  readonly isMipmapGenerated: boolean;
}

export const WRAP_MODES = ['repeat', 'clamp-to-edge', 'mirrored-repeat'] as const;
export type WrapMode = (typeof WRAP_MODES)[number];
export type FilterMode = 'nearest' | 'linear';

/** How a texture is read. `mipmapFilter: 'none'` reads level 0 only. */
export interface SamplerState {
  readonly wrapS: WrapMode;
  readonly wrapT: WrapMode;
  readonly magFilter: FilterMode;
  readonly minFilter: FilterMode;
  readonly mipmapFilter: 'none' | FilterMode;
}
