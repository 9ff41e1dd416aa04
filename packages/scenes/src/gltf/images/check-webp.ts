/**
 * Reads the size of a WebP file (RFC 9649) and checks that it is one still image. The sizes of the
 * canvas and of the bitstream must agree, because the decoder allocates memory for the latter.
 */
import { RenderError } from '@tessera/frame';
import type { ImageHeader } from './image-header.ts';

const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const IS_ANIMATED = 0x02;
const VP8L_SIGNATURE = 0x2f;

/** Returns whether the bytes begin as a WebP file. */
export function isWebp(bytes: Uint8Array): boolean {
  return textAt(bytes, 0) === 'RIFF' && textAt(bytes, 8) === 'WEBP';
}

/**
 * Reads the header of a file.
 *
 * @param path Path of the image in the JSON, for messages.
 * @throws {RenderError} MODEL_INVALID, or MODEL_UNSUPPORTED for an animation.
 */
export function readWebpHeader(path: string, bytes: Uint8Array): ImageHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let canvas: ImageHeader | null = null;
  let at = RIFF_HEADER_BYTES;
  while (at + CHUNK_HEADER_BYTES + 10 <= bytes.length) {
    const type = textAt(bytes, at);
    const content = at + CHUNK_HEADER_BYTES;
    if (type === 'VP8X') {
      if ((bytes[content] & IS_ANIMATED) !== 0) {
        throw new RenderError('MODEL_UNSUPPORTED', `${path}: animated WebP is not supported`);
      }
      const long = (offset: number): number => 1 + (view.getUint32(content + offset, true) >>> 8);
      canvas = { kind: 'webp', widthPx: long(3), heightPx: long(6) };
    }
    if (type === 'VP8 ' || type === 'VP8L') {
      const image =
        type === 'VP8 ' ? lossySize(path, view, content) : losslessSize(path, view, content);
      const { widthPx, heightPx } = canvas ?? image;
      if (widthPx !== image.widthPx || heightPx !== image.heightPx) {
        damaged(path, `the canvas is ${widthPx}×${heightPx}, the image is not`);
      }
      return image;
    }
    const length = view.getUint32(at + 4, true);
    at = content + length + (length % 2);
  }
  return damaged(path, 'there is no image');
}

/** Reads the header of a key frame of VP8 (RFC 6386, section 9.1). */
function lossySize(path: string, view: DataView, at: number): ImageHeader {
  const isKeyFrame = (view.getUint8(at) & 1) === 0;
  if (!isKeyFrame || view.getUint8(at + 3) !== 0x9d) damaged(path, 'there is no key frame');
  const widthPx = view.getUint16(at + 6, true) & 0x3fff;
  const heightPx = view.getUint16(at + 8, true) & 0x3fff;
  if (widthPx === 0 || heightPx === 0) damaged(path, `size ${widthPx}×${heightPx}`);
  return { kind: 'webp', widthPx, heightPx };
}

/** Reads the header of a lossless bitstream (RFC 9649, section 3.4). */
function losslessSize(path: string, view: DataView, at: number): ImageHeader {
  if (view.getUint8(at) !== VP8L_SIGNATURE) damaged(path, 'the lossless image has no signature');
  const bits = view.getUint32(at + 1, true);
  return { kind: 'webp', widthPx: 1 + (bits & 0x3fff), heightPx: 1 + ((bits >>> 14) & 0x3fff) };
}

function textAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function damaged(path: string, what: string): never {
  throw new RenderError('MODEL_INVALID', `${path}: the WebP is damaged: ${what}`);
}
