/** Contents of textures that passes have drawn, as uploads see them. */
import type { TextureFormat } from '@tessera/frame';
import type { TextureObject } from './texture-object.ts';

/** Image of a texture that passes have drawn into. */
export interface DrawnLevel {
  readonly object: TextureObject;
  readonly level: number;
  readonly slice: number;
  readonly format: TextureFormat;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Rectangle of tightly packed texels. */
export interface TexelBox {
  readonly x: number;
  readonly y: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly texels: Uint8Array;
}

/** Operations on contents that passes have drawn, which uploads need. */
export interface TextureContents {
  /**
   * Resolves the contents that an upload leaves in a texture.
   *
   * @param isNewLevel Whether the upload defines the whole level.
   */
  prepareUpload(texture: TextureObject, level: number, isNewLevel: boolean): void;
  /** Resolves the levels that mipmaps are generated from. */
  prepareMipmaps(texture: TextureObject): void;
  /** Records texels that replace a part of what passes have drawn. */
  replaceTexels(image: DrawnLevel, box: TexelBox): void;
}
