import type {
  DrawnLevel,
  TexelBox,
  TextureContents,
} from '../objects/textures/texture-contents.ts';
import type { TextureObject } from '../objects/textures/texture-object.ts';
import type { DrawRecorder } from './draw-recorder.ts';
import type { Recording } from './recording.ts';

/** Parts of a context that hold contents drawn by passes. */
interface UploadParts {
  readonly recorder: DrawRecorder;
  readonly recording: Recording;
}

/** Gives uploads access to contents that passes have drawn. */
export class UploadContents implements TextureContents {
  readonly #parts: UploadParts;

  constructor(parts: UploadParts) {
    this.#parts = parts;
  }

  prepareUpload(texture: TextureObject, level: number, isNewLevel: boolean): void {
    this.#parts.recording.contents?.prepareUpload(texture, level, isNewLevel);
  }

  prepareMipmaps(texture: TextureObject): void {
    this.#parts.recording.contents?.resolveLevels(texture);
  }

  /** Stores generated mipmaps of a texture, so that a pass can draw into a level above the base. */
  prepareLevels(texture: TextureObject): void {
    this.#parts.recording.contents?.materializeLevels(texture);
  }

  replaceTexels(image: DrawnLevel, box: TexelBox): void {
    this.#parts.recorder.replaceTexels(image, box);
  }
}
