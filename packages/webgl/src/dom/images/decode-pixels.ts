/** Decodes PNG and JPEG files for the elements of a page. */
import { ImageDecoder } from '@tessera/scenes/images';
import type { Pixels } from '../../pixels/pixels.ts';
import { readOrientation, turnUpright } from './exif-orientation.ts';

const LIMITS = {
  maxTextureEdgePx: 16_384,
  maxTextureTexels: 128 * 1024 * 1024,
  maxDecodeBytes: 2048 * 1024 * 1024,
};

/**
 * Decodes an image file and applies its EXIF orientation.
 *
 * @throws {RenderError} If the file is neither PNG nor JPEG, or is damaged or too large.
 */
export function decodePixels(name: string, bytes: Uint8Array): Pixels {
  const { widthPx, heightPx, rgba } = new ImageDecoder(LIMITS).decode(name, bytes);
  const { buffer, byteOffset, length } = rgba;
  const clamped = new Uint8ClampedArray(buffer as ArrayBuffer, byteOffset, length);
  const pixels = { widthPx, heightPx, rgba: clamped, isPremultiplied: false };
  return turnUpright(pixels, readOrientation(bytes));
}
