/** Decodes image files for the elements of a page. */
import { ImageDecoder } from '@tessera/scenes/images';
import type { Pixels } from '../../pixels/pixels.ts';
import { readOrientation, turnUpright } from './exif-orientation.ts';
import { decodeGif, isGif } from './gif-image.ts';
import { convertToPng, toolFormatOf } from './tool-image.ts';

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
 * @throws {RenderError} If the file is in no known format, or is damaged or too large.
 * @throws {Error} If the program that decodes the format is missing.
 */
export async function decodePixels(name: string, bytes: Uint8Array): Promise<DecodedPixels> {
  if (isGif(bytes)) return { pixels: decodeGif(bytes), rgba16: null };
  const format = toolFormatOf(bytes);
  const [file, alpha] = format === null ? [bytes, null] : await convertToPng(format, bytes);
  const { widthPx, heightPx, rgba, rgba16 = null } = new ImageDecoder(LIMITS).decode(name, file);
  if (alpha !== null) setAlpha(rgba, new ImageDecoder(LIMITS).decode(name, alpha).rgba);
  const { buffer, byteOffset, length } = rgba;
  const clamped = new Uint8ClampedArray(buffer as ArrayBuffer, byteOffset, length);
  const pixels = { widthPx, heightPx, rgba: clamped, isPremultiplied: false };
  // Only JPEG files have an orientation, and only PNG files 16 bits.
  return { pixels: turnUpright(pixels, readOrientation(file)), rgba16 };
}

/** Takes the alpha of an image from the gray values of another of the same size. */
function setAlpha(rgba: Uint8Array, grays: Uint8Array): void {
  if (grays.length !== rgba.length) throw new Error('the alpha of the image has another size');
  for (let at = 3; at < rgba.length; at += 4) rgba[at] = grays[at - 3]!;
}
