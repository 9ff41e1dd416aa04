/**
 * Decodes the images of a model to RGBA. The libraries trust their input, so size, structure and
 * memory are checked before they receive the bytes.
 */
import { RenderError } from '@tessera/frame';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import type { GltfLimits } from '../format/gltf-limits.ts';
import { checkJpeg } from './check-jpeg.ts';
import { checkKtx2, isKtx2 } from './check-ktx2.ts';
import { checkPng } from './check-png.ts';
import type { ImageCodecs } from './image-codecs.ts';
import { readImageHeader } from './image-header.ts';

/** Image with 8 bits per channel. */
export interface DecodedImage {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Texels of 4 bytes, from the top row. */
  readonly rgba: Uint8Array;
  /** The same texels with 16 bits per channel, if the file has as many. */
  readonly rgba16?: Uint16Array;
}

/** Levels of a texture with 8 bits per channel. */
export interface DecodedTexture {
  readonly widthPx: number;
  readonly heightPx: number;
  /** RGBA texels of level 0, and of the other levels if the file has them. */
  readonly levels: readonly Uint8Array[];
  /** Size of a block of 4×4 texels, if the texture is compressed. */
  readonly blockBytes?: 8 | 16;
}

const MEBIBYTE = 1024 * 1024;
/** Offset of the bits per sample in a PNG. */
const DEPTH_AT = 24;

/** Upper bounds on the size and memory of images. */
export type ImageLimits = Pick<
  GltfLimits,
  'maxTextureEdgePx' | 'maxTextureTexels' | 'maxDecodeBytes'
>;

/** Decodes the images of one model and counts their texels. */
export class ImageDecoder {
  readonly #limits: ImageLimits;
  readonly #codecs: ImageCodecs;
  #texels = 0;

  /** @param codecs Decoders of other formats than PNG; without one of JPEG, jpeg-js decodes it. */
  constructor(limits: ImageLimits, codecs: ImageCodecs = {}) {
    this.#limits = limits;
    this.#codecs = codecs;
  }

  /**
   * Decodes a texture, which may be compressed.
   *
   * @param path Path of the image in the JSON, for messages.
   * @param isSrgb Whether the colors are sRGB-encoded.
   * @throws {RenderError} LIMIT_EXCEEDED, MODEL_INVALID or MODEL_UNSUPPORTED.
   */
  decodeTexture(path: string, bytes: Uint8Array, isSrgb: boolean): DecodedTexture {
    const { ktx2 } = this.#codecs;
    if (ktx2 === undefined || !isKtx2(bytes)) {
      const { widthPx, heightPx, rgba } = this.decode(path, bytes);
      return { widthPx, heightPx, levels: [rgba] };
    }
    const { widthPx, heightPx, decodeBytes } = checkKtx2(path, bytes);
    this.#countTexels(path, widthPx, heightPx);
    this.#checkMemory(path, decodeBytes);
    return ktx2.transcode(path, bytes, isSrgb);
  }

  /**
   * Decodes an image.
   *
   * @param path Path of the image in the JSON, for messages.
   * @throws {RenderError} LIMIT_EXCEEDED, MODEL_INVALID or MODEL_UNSUPPORTED.
   */
  decode(path: string, bytes: Uint8Array): DecodedImage {
    const { kind, widthPx, heightPx } = readImageHeader(path, bytes);
    this.#countTexels(path, widthPx, heightPx);
    const { rgba, rgba16 } =
      kind === 'png'
        ? this.#decodePng(path, bytes)
        : {
            rgba:
              kind === 'jpeg'
                ? this.#decodeJpeg(path, bytes)
                : this.#decodeOther(path, bytes, kind, widthPx * heightPx),
            rgba16: undefined,
          };
    if (rgba.length !== widthPx * heightPx * 4) {
      throw new RenderError(
        'MODEL_INVALID',
        `${path}: the decoded image is not ${widthPx}×${heightPx}`,
      );
    }
    return { widthPx, heightPx, rgba, ...(rgba16 === undefined ? {} : { rgba16 }) };
  }

  /** Checks the size of an image, and of all images together. */
  #countTexels(path: string, widthPx: number, heightPx: number): void {
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
  }

  #decodePng(path: string, bytes: Uint8Array): Pick<DecodedImage, 'rgba' | 'rgba16'> {
    const png = checkPng(path, bytes);
    this.#checkMemory(path, png.decodeBytes);
    png.checkPixels();
    try {
      const { buffer, byteOffset, byteLength } = png.bytes;
      const file = Buffer.from(buffer, byteOffset, byteLength);
      const { data, depth } = PNG.sync.read(file, { skipRescale: bytes[DEPTH_AT] === 16 });
      if (depth !== 16) {
        const rgba = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
        restoreKeyColor(rgba, png.keyColor, 257);
        return { rgba };
      }
      const rgba16 = data as unknown as Uint16Array; // As pngjs returns 16 bits.
      restoreKeyColor(rgba16, png.keyColor, 1);
      return { rgba: Uint8Array.from(rgba16, (value) => Math.round(value / 257)), rgba16 };
    } catch (cause) {
      throw damaged(path, 'PNG', cause);
    }
  }

  #decodeJpeg(path: string, bytes: Uint8Array): Uint8Array {
    const { isRgb, decodeBytes } = checkJpeg(path, bytes);
    this.#checkMemory(path, decodeBytes);
    if (this.#codecs.jpeg !== undefined) return this.#codecs.jpeg(path, bytes);
    const { maxDecodeBytes, maxTextureTexels } = this.#limits;
    try {
      return jpeg.decode(bytes, {
        useTArray: true,
        formatAsRGBA: true,
        maxResolutionInMP: maxTextureTexels / 1e6,
        maxMemoryUsageInMB: maxDecodeBytes / MEBIBYTE + TABLES_MB,
        // Without this option jpeg-js always converts from YCbCr.
        ...(isRgb ? { colorTransform: false } : {}),
      }).data;
    } catch (cause) {
      throw damaged(path, 'JPEG', cause);
    }
  }

  #decodeOther(path: string, bytes: Uint8Array, kind: 'webp' | 'avif', texels: number): Uint8Array {
    const decode = this.#codecs[kind];
    if (decode === undefined) {
      const name = { webp: 'WebP (EXT_texture_webp)', avif: 'AVIF (EXT_texture_avif)' }[kind];
      throw new RenderError('MODEL_UNSUPPORTED', `${path}: ${name} is not supported here`);
    }
    this.#checkMemory(path, bytes.length + texels * SQUOOSH_BYTES_PER_TEXEL);
    return decode(path, bytes);
  }

  #checkMemory(path: string, decodeBytes: number): void {
    const { maxDecodeBytes } = this.#limits;
    if (decodeBytes > maxDecodeBytes) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `${path}: decoding takes ${decodeBytes} bytes; at most ${maxDecodeBytes} (maxDecodeBytes)`,
      );
    }
  }
}

/**
 * Gives transparent texels the color that the file says is transparent.
 *
 * @param keyColor Color in 16 bits, `null` if the file has none.
 * @param divisor Number by which 16 bits are divided for a channel.
 */
function restoreKeyColor(
  texels: Uint8Array | Uint16Array,
  keyColor: readonly number[] | null,
  divisor: number,
): void {
  if (keyColor === null) return;
  const color = keyColor.map((value) => Math.round(value / divisor));
  for (let at = 0; at < texels.length; at += 4) {
    if (texels[at + 3] === 0) texels.set(color, at);
  }
}

/** Memory of libwebp and libavif per texel: planes of colors and alpha, RGBA, and its copy. */
const SQUOOSH_BYTES_PER_TEXEL = 16;
/** Memory for the tables of a JPEG, whose size its header does not contain. */
const TABLES_MB = 1;

function damaged(path: string, kind: string, cause: unknown): RenderError {
  const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
  return new RenderError('MODEL_INVALID', `${path}: the ${kind} is damaged: ${reason}`, { cause });
}
