/** Loads the textures of materials into the frame; each image is decoded once. */
import type { Texture, TextureInfo } from '@gltf-transform/core';
import type { SamplerState, TextureBinding, WrapMode } from '@tessera/frame';
import type { FrameBuilder } from '../build/frame-builder.ts';
import type { GltfLimits } from './format/gltf-limits.ts';
import { type DecodedImage, ImageDecoder } from './images/decode-image.ts';
import type { Model } from './read-model.ts';

const WRAP_MODE_BY_CODE: Readonly<Record<number, WrapMode>> = {
  10497: 'repeat',
  33071: 'clamp-to-edge',
  33648: 'mirrored-repeat',
};

const NEAREST = 9728;

type MinFilter = Pick<SamplerState, 'minFilter' | 'mipmapFilter'>;
const MIN_FILTER_BY_CODE: Readonly<Record<number, MinFilter>> = {
  9728: { minFilter: 'nearest', mipmapFilter: 'none' },
  9729: { minFilter: 'linear', mipmapFilter: 'none' },
  9984: { minFilter: 'nearest', mipmapFilter: 'nearest' },
  9985: { minFilter: 'linear', mipmapFilter: 'nearest' },
  9986: { minFilter: 'nearest', mipmapFilter: 'linear' },
  9987: { minFilter: 'linear', mipmapFilter: 'linear' },
};
/** Filter for textures whose file does not specify one. */
const DEFAULT_MIN_FILTER = 9987;

/** Loads the textures of one model. */
export class TextureLoader {
  readonly #model: Model;
  readonly #decoder: ImageDecoder;
  readonly #images = new Map<Texture, DecodedImage>();

  constructor(model: Model, limits: GltfLimits) {
    this.#model = model;
    this.#decoder = new ImageDecoder(limits);
  }

  /**
   * Adds a texture to the frame.
   *
   * @param use Texture coordinates and sampler of the material.
   * @param isSrgb Whether its colors are sRGB-encoded.
   */
  bind(builder: FrameBuilder, texture: Texture, use: TextureInfo, isSrgb: boolean): TextureBinding {
    const image = this.#decode(texture);
    const sampler = samplerOf(use);
    return {
      textureIndex: builder.addTexture({
        format: isSrgb ? 'rgba8unorm-srgb' : 'rgba8unorm',
        widthPx: image.widthPx,
        heightPx: image.heightPx,
        texels: image.rgba,
        isMipmapGenerated: sampler.mipmapFilter !== 'none',
      }),
      sampler,
    };
  }

  #decode(texture: Texture): DecodedImage {
    let image = this.#images.get(texture);
    if (image === undefined) {
      const path = this.#model.pathOf(texture);
      const file = texture.getImage();
      if (file === null) throw new Error(`${path}: the image has no bytes`);
      image = this.#decoder.decode(path, file);
      this.#images.set(texture, image);
    }
    return image;
  }
}

function samplerOf(use: TextureInfo): SamplerState {
  return {
    wrapS: WRAP_MODE_BY_CODE[use.getWrapS()],
    wrapT: WRAP_MODE_BY_CODE[use.getWrapT()],
    magFilter: use.getMagFilter() === NEAREST ? 'nearest' : 'linear',
    ...MIN_FILTER_BY_CODE[use.getMinFilter() ?? DEFAULT_MIN_FILTER],
  };
}
