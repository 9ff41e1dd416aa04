import type { TextureObject } from '../objects/textures/texture-object.ts';
import type { DrawnLevel, TexelBox, TextureContents } from '../objects/textures/texture-uploads.ts';
import type { DrawRecorder } from './draw-recorder.ts';

/** Contents of textures as the recorder of a context knows them. */
export class UploadContents implements TextureContents {
  readonly #parts: { readonly recorder: DrawRecorder };

  constructor(parts: { readonly recorder: DrawRecorder }) {
    this.#parts = parts;
  }

  prepareUpload(texture: TextureObject, level: number, isNewLevel: boolean): void {
    this.#parts.recorder.contents?.prepareUpload(texture, level, isNewLevel);
  }

  prepareMipmaps(texture: TextureObject): void {
    this.#parts.recorder.contents?.resolveLevels(texture);
  }

  /** Prepares the levels of a texture for a pass into one above the base. */
  prepareLevels(texture: TextureObject): void {
    this.#parts.recorder.contents?.materializeLevels(texture);
  }

  replaceTexels(image: DrawnLevel, box: TexelBox): void {
    this.#parts.recorder.replaceTexels(image, box);
  }
}
