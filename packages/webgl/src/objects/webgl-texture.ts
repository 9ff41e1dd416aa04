/** A texture as WebGL sees it: what it was bound to first, and what each of its images was defined with. */
import { WebGLObject } from './webgl-object.ts';

/** How an image of a texture was defined; sub-images and copies must agree with it. */
export interface TextureImage {
  readonly internalFormat: number;
  /** 0 where the image has a sized format. */
  readonly format: number;
  readonly type: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly depthPx: number;
}

const FACES = 6;

export class WebGLTexture extends WebGLObject {
  /** 0 until it was bound. */
  boundTarget = 0;
  isImmutable = false;
  immutableLevelCount = 0;
  readonly #images = new Map<number, TextureImage>();

  /** @param face Of a cube, from 0. */
  imageAt(level: number, face = 0): TextureImage | null {
    return this.#images.get(level * FACES + face) ?? null;
  }

  setImage(level: number, face: number, image: TextureImage): void {
    this.#images.set(level * FACES + face, image);
  }
}
