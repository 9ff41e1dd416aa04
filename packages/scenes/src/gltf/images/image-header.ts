/**
 * Reads kind and size of an image from its first bytes, so that a huge image is rejected before it
 * is decoded.
 */
import { RenderError } from '@tessera/frame';
import { isAvif, readAvifHeader } from './check-avif.ts';
import { isJpeg } from './check-jpeg.ts';
import { isKtx2 } from './check-ktx2.ts';
import { isWebp, readWebpHeader } from './check-webp.ts';

/** Kind and size of an image. */
export interface ImageHeader {
  readonly kind: 'png' | 'jpeg' | 'webp' | 'avif';
  readonly widthPx: number;
  readonly heightPx: number;
}

const PNG_SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];

/**
 * Reads the header of an image.
 *
 * @param path Path of the image in the JSON, for messages.
 * @throws {RenderError} MODEL_INVALID if the bytes are of no known format, MODEL_UNSUPPORTED for
 *   other formats that extensions define.
 */
export function readImageHeader(path: string, bytes: Uint8Array): ImageHeader {
  if (PNG_SIGNATURE.every((byte, i) => bytes[i] === byte)) return readPngHeader(path, bytes);
  if (isJpeg(bytes)) return readJpegHeader(path, bytes);
  if (isWebp(bytes)) return readWebpHeader(path, bytes);
  if (isAvif(bytes)) return readAvifHeader(path, bytes);
  if (isKtx2(bytes)) {
    throw new RenderError(
      'MODEL_UNSUPPORTED',
      `${path}: KTX2 (KHR_texture_basisu) is not supported here`,
    );
  }
  throw new RenderError('MODEL_INVALID', `${path}: the bytes are no PNG, JPEG, WebP, AVIF or KTX2`);
}

function readPngHeader(path: string, bytes: Uint8Array): ImageHeader {
  if (bytes.length < 33) throw new RenderError('MODEL_INVALID', `${path}: the PNG is cut off`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return checked(path, { kind: 'png', widthPx: view.getUint32(16), heightPx: view.getUint32(20) });
}

/**
 * Walks the segments of a JPEG (ITU-T T.81, annex B) to the frame header and checks that the file
 * can contain the image: each 8×8 block takes at least one bit.
 */
function readJpegHeader(path: string, bytes: Uint8Array): ImageHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1];
    if (marker === 0xff) {
      at++; // skip a fill byte
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const widthPx = view.getUint16(at + 7);
      const heightPx = view.getUint16(at + 5);
      const blocks = Math.ceil(widthPx / 8) * Math.ceil(heightPx / 8);
      if (bytes.length * 8 < blocks) {
        throw new RenderError(
          'MODEL_INVALID',
          `${path}: ${bytes.length} bytes are too few for a JPEG of ${widthPx}×${heightPx}`,
        );
      }
      return checked(path, { kind: 'jpeg', widthPx, heightPx });
    }
    at += 2 + view.getUint16(at + 2);
  }
  throw new RenderError('MODEL_INVALID', `${path}: the JPEG has no frame header`);
}

function checked(path: string, header: ImageHeader): ImageHeader {
  if (header.widthPx === 0 || header.heightPx === 0) {
    throw new RenderError('MODEL_INVALID', `${path}: size ${header.widthPx}×${header.heightPx}`);
  }
  return header;
}
