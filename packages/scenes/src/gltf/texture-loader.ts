/** Brings the textures that materials use into the frame; each image is decoded once. */
import type { TextureBinding } from '@tessera/frame';
import type { FrameBuilder } from '../frame-builder.ts';
import type { GltfLimits } from './gltf-limits.ts';
import { type GltfModel, TEXTURE_SLOTS, type TextureSlot } from './gltf-model.ts';
import { type DecodedImage, ImageDecoder } from './images/decode-image.ts';
import type { ModelStorage } from './model-storage.ts';
import { type GltfFiles, resolveUri } from './resolve-uri.ts';

export class TextureLoader {
  readonly #model: GltfModel;
  readonly #storage: ModelStorage;
  readonly #files: GltfFiles;
  readonly #decoder: ImageDecoder;
  readonly #images = new Map<number, DecodedImage>();

  constructor(model: GltfModel, storage: ModelStorage, files: GltfFiles, limits: GltfLimits) {
    this.#model = model;
    this.#storage = storage;
    this.#files = files;
    this.#decoder = new ImageDecoder(limits);
  }

  /** Decodes the images of these textures. */
  load(textureIndices: Iterable<number>): void {
    const imageIndices = new Set<number>();
    for (const index of textureIndices) imageIndices.add(this.#model.textures[index].imageIndex);
    for (const index of imageIndices) {
      const path = `images[${index}]`;
      const { uri, bufferViewIndex } = this.#model.images[index];
      const bytes =
        bufferViewIndex === null
          ? resolveUri(`${path}.uri`, uri ?? '', this.#files)
          : this.#storage.viewBytes(bufferViewIndex);
      this.#images.set(index, this.#decoder.decode(path, bytes));
    }
  }

  /** Adds a loaded texture to the frame as the slot reads it: sRGB or linear, with mipmaps or without. */
  bind(builder: FrameBuilder, textureIndex: number, slot: TextureSlot): TextureBinding {
    const { imageIndex, sampler } = this.#model.textures[textureIndex];
    const image = this.#images.get(imageIndex);
    if (image === undefined) throw new Error(`texture ${textureIndex} was not loaded`);
    return {
      textureIndex: builder.addTexture({
        format: TEXTURE_SLOTS[slot].isSrgb ? 'rgba8unorm-srgb' : 'rgba8unorm',
        widthPx: image.widthPx,
        heightPx: image.heightPx,
        texels: image.rgba,
        isMipmapGenerated: sampler.mipmapFilter !== 'none',
      }),
      sampler,
    };
  }
}
