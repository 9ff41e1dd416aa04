/** Decodes PNG, JPEG and GIF files for the elements of a page. */
import { ImageDecoder } from '@tessera/scenes/images';
import type { Pixels } from '../../pixels/pixels.ts';
import { readOrientation, turnUpright } from './exif-orientation.ts';
import { decodeGif, isGif } from './gif-image.ts';

const LIMITS = {
  maxTextureEdgePx: 16_384,
  maxTextureTexels: 128 * 1024 * 1024,
  maxDecodeBytes: 2048 * 1024 * 1024,
};

/** Pixels of a file, also with 16 bits per channel if the file has as many. */
export interface DecodedPixels {
  readonly pixels: Pixels;
  readonly rgba16: Uint16Array | null;
}

/**
 * Decodes an image file and applies its EXIF orientation.
 *
 * @throws {RenderError} If the file is neither PNG, JPEG nor GIF, or is damaged or too large.
 */
export function decodePixels(name: string, bytes: Uint8Array): DecodedPixels {
  if (isGif(bytes)) return { pixels: decodeGif(bytes), rgba16: null };
  const { widthPx, heightPx, rgba, rgba16 = null } = new ImageDecoder(LIMITS).decode(name, bytes);
  const { buffer, byteOffset, length } = rgba;
  const clamped = new Uint8ClampedArray(buffer as ArrayBuffer, byteOffset, length);
  const pixels = { widthPx, heightPx, rgba: clamped, isPremultiplied: false };
  // Only JPEG files have an orientation, and only PNG files 16 bits.
  return { pixels: turnUpright(pixels, readOrientation(bytes)), rgba16 };
}
