/** Decodes the images of a model to RGBA, within limits that are checked before anything is decoded. */
import { RenderError } from '@tessera/frame';
import type { GltfLimits } from '../gltf-limits.ts';
import { decodeJpeg } from './decode-jpeg.ts';
import { decodePng } from './decode-png.ts';
import { readImageHeader } from './image-header.ts';

/** An image with 8 bits a channel. */
export interface DecodedImage {
  readonly widthPx: number;
  readonly heightPx: number;
  /** 4 bytes a texel, from the top row. */
  readonly rgba: Uint8Array;
}

/** Counts texels over all images of one model. */
export class ImageDecoder {
  readonly #limits: GltfLimits;
  #texels = 0;

  constructor(limits: GltfLimits) {
    this.#limits = limits;
  }

  /**
   * @param path Place of the image in the JSON, for messages.
   * @throws {RenderError} LIMIT_EXCEEDED, MODEL_INVALID or MODEL_UNSUPPORTED.
   */
  async decode(path: string, bytes: Uint8Array): Promise<DecodedImage> {
    const { kind, widthPx, heightPx } = readImageHeader(path, bytes);
    const { maxTextureEdgePx, maxTextureTexels } = this.#limits;
    if (widthPx > maxTextureEdgePx || heightPx > maxTextureEdgePx) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `${path}: ${widthPx}×${heightPx} texels; at most ${maxTextureEdgePx} each way (maxTextureEdgePx)`,
      );
    }
    this.#texels += widthPx * heightPx;
    if (this.#texels > maxTextureTexels) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `${path}: brings the images to ${this.#texels} texels; at most ${maxTextureTexels} (maxTextureTexels)`,
      );
    }
    const rgba =
      kind === 'png'
        ? await decodePng(path, bytes)
        : decodeJpeg(path, bytes, { widthPx, heightPx });
    if (rgba.length !== widthPx * heightPx * 4) {
      throw new RenderError('MODEL_INVALID', `${path}: the picture is not ${widthPx}×${heightPx}`);
    }
    return { widthPx, heightPx, rgba };
  }
}
