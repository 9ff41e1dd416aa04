/** Loads the textures of materials into the frame; each image is decoded once. */
import type { Texture, TextureInfo } from '@gltf-transform/core';
import type { SamplerState, TextureBinding, WrapMode } from '@tessera/frame';
import type { FrameBuilder } from '../build/frame-builder.ts';
import type { GltfLimits } from './format/gltf-limits.ts';
import { type DecodedTexture, ImageDecoder } from './images/decode-image.ts';
import type { ImageCodecs } from './images/image-codecs.ts';
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
  readonly #linear = new Map<Texture, DecodedTexture>();
  /** Textures of sRGB-encoded colors, which ASTC decodes with other roundings. */
  readonly #srgb = new Map<Texture, DecodedTexture>();

  constructor(model: Model, limits: GltfLimits, codecs: ImageCodecs) {
    this.#model = model;
    this.#decoder = new ImageDecoder(limits, codecs);
  }

  /**
   * Adds a texture to the frame.
   *
   * @param use Texture coordinates and sampler of the material.
   * @param isSrgb Whether its colors are sRGB-encoded.
   */
  bind(builder: FrameBuilder, texture: Texture, use: TextureInfo, isSrgb: boolean): TextureBinding {
    const { widthPx, heightPx, levels, blockBytes } = this.#decode(texture, isSrgb);
    const sampler = samplerOf(use);
    return {
      textureIndex: builder.addTexture({
        format: isSrgb ? 'rgba8unorm-srgb' : 'rgba8unorm',
        widthPx,
        heightPx,
        levels,
        ...(blockBytes === undefined ? {} : { blockBytes }),
        // OpenGL does not generate levels of compressed textures.
        isMipmapGenerated: blockBytes === undefined && sampler.mipmapFilter !== 'none',
      }),
      sampler,
    };
  }

  #decode(texture: Texture, isSrgb: boolean): DecodedTexture {
    const [decoded, others] = isSrgb ? [this.#srgb, this.#linear] : [this.#linear, this.#srgb];
    const other = others.get(texture);
    let image = decoded.get(texture) ?? (other?.blockBytes === undefined ? other : undefined);
    if (image === undefined) {
      const path = this.#model.pathOf(texture);
      const file = texture.getImage();
      if (file === null) throw new Error(`${path}: the image has no bytes`);
      image = this.#decoder.decodeTexture(path, file, isSrgb);
      decoded.set(texture, image);
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
