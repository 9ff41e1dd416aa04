/** Loads the textures of materials into the frame; each image is decoded once. */
import type { Texture, TextureInfo } from '@gltf-transform/core';
import type { SamplerState, TextureBinding, WrapMode } from '@tessera/frame';
import type { FrameBuilder } from '../build/frame-builder.ts';
import type { GltfLimits } from './format/gltf-limits.ts';
import { type DecodedTexture, ImageDecoder } from './images/decode-image.ts';
import type { ImageCodecs } from './images/image-codecs.ts';

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
  readonly #files: readonly Uint8Array[];
  readonly #decoder: ImageDecoder;
  readonly #linear = new Map<Uint8Array, DecodedTexture>();
  /** Textures of sRGB-encoded colors, which ASTC decodes with other roundings. */
  readonly #srgb = new Map<Uint8Array, DecodedTexture>();

  /** @param files Files of the model's images. */
  constructor(files: readonly Uint8Array[], limits: GltfLimits, codecs: ImageCodecs) {
    this.#files = files;
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
    const file = texture.getImage();
    const imageIndex = file === null ? -1 : this.#files.indexOf(file);
    if (file === null || imageIndex === -1) throw new Error('the texture is not of the model');
    const [decoded, others] = isSrgb ? [this.#srgb, this.#linear] : [this.#linear, this.#srgb];
    const other = others.get(file);
    let image = decoded.get(file) ?? (other?.blockBytes === undefined ? other : undefined);
    if (image === undefined) {
      image = this.#decoder.decodeTexture(`images[${imageIndex}]`, file, isSrgb);
      decoded.set(file, image);
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
