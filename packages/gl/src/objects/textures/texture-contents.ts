/** Interface through which uploads access texture contents that passes have drawn. */
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

/** Box of tightly packed texels in one slice. */
export interface TexelBox {
  readonly x: number;
  readonly y: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly texels: Uint8Array;
}

/** Operations of uploads on contents that passes have drawn. */
export interface TextureContents {
  /**
   * Resolves the contents of a texture before an upload replaces a level or a part of one.
   *
   * @param isNewLevel Whether the upload defines the whole level.
   */
  prepareUpload(texture: TextureObject, level: number, isNewLevel: boolean): void;
  /** Resolves the levels of a texture before its mipmaps are generated. */
  prepareMipmaps(texture: TextureObject): void;
  /** Replaces a box of texels in an image that passes have drawn. */
  replaceTexels(image: DrawnLevel, box: TexelBox): void;
}
