import type { Image } from '@tessera/frame';
import { DEFAULT_GLTF_LIMITS } from '@tessera/scenes';
import { ImageDecoder } from '@tessera/scenes/images';

/** Decodes a PNG or JPEG. @throws {RenderError} If it is damaged, or neither. */
export function decodeImageFile(bytes: Uint8Array, path: string): Image {
  return new ImageDecoder(DEFAULT_GLTF_LIMITS).decode(path, bytes);
}

/** Whether a file starts as a PNG or a JPEG does. */
export function isImageFile(bytes: Uint8Array): boolean {
  const isPng = bytes[0] === 0x89 && bytes[1] === 0x50;
  const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8;
  return isPng || isJpeg;
}
