/**
 * WebGL's view of a texture: the target of its first binding, and the definition of each of its
 * images.
 */
import { WebGLObject } from './webgl-object.ts';

/** Definition of a texture image. Sub-image uploads and copies must match it. */
export interface TextureImage {
  readonly internalFormat: number;
  /** Format of the upload; 0 if the internal format is sized. */
  readonly format: number;
  readonly type: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly depthPx: number;
}

const FACES = 6;

/** Texture object. */
export class WebGLTexture extends WebGLObject {
  /** Target of the first binding; 0 before the first binding. */
  boundTarget = 0;
  isImmutable = false;
  immutableLevelCount = 0;
  readonly #images = new Map<number, TextureImage>();

  /**
   * Returns the definition of an image, or `null` if it is not defined.
   *
   * @param face Face of a cube map, 0 to 5.
   */
  imageAt(level: number, face = 0): TextureImage | null {
    return this.#images.get(level * FACES + face) ?? null;
  }

  setImage(level: number, face: number, image: TextureImage): void {
    this.#images.set(level * FACES + face, image);
  }
}
