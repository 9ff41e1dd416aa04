import type { TextureDimension, TextureFormat } from '@tessera/frame';

/** Contents that a draw samples: a `TextureResource` without its hash. The same object until the texture changes. */
export interface TextureContent {
  readonly format: TextureFormat;
  /** Default: `2d`. */
  readonly dimension?: TextureDimension;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly sliceCount?: number;
  /** Samples per texel. Default: 1. */
  readonly sampleCount?: number;
  readonly levels: readonly Uint8Array[];
  readonly isMipmapGenerated: boolean;
  /** SHA-256 of the texels, if it is known. */
  readonly sha256?: string;
}
