import type { TexelBlocks, TextureDimension, TextureFormat } from '@tessera/frame';

/**
 * Texture contents that a draw samples, like `TextureResource` but with an optional hash. The
 * object stays the same until the texture changes.
 */
export interface TextureContent extends TexelBlocks {
  readonly format: TextureFormat;
  /** Texture dimension. Default: `2d`. */
  readonly dimension?: TextureDimension;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly sliceCount?: number;
  /** Number of samples per texel. Default: 1. */
  readonly sampleCount?: number;
  readonly levels: readonly Uint8Array[];
  readonly isMipmapGenerated: boolean;
  /** SHA-256 of the texels, if known. */
  readonly sha256?: string;
}

/** Returns contents of one texel. */
export function oneTexel(format: TextureFormat, ...bytes: readonly number[]): TextureContent {
  const levels = [Uint8Array.from(bytes)];
  return Object.freeze({ format, widthPx: 1, heightPx: 1, levels, isMipmapGenerated: false });
}
