/**
 * Synchronous encoders for `toDataURL`: PNG with alpha, and JPEG. The frame encoder of Tessera is
 * asynchronous and drops alpha.
 */
import { crc32, deflateSync } from 'node:zlib';
import jpeg from 'jpeg-js';
import {
  type Pixels,
  requireReadable,
  withPremultipliedAlpha,
  withStraightAlpha,
} from '../../pixels/pixels.ts';

const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
const COLOR_TYPE_RGBA = 6;

/** Canvas as a file. */
export interface EncodedCanvas {
  readonly type: 'image/png' | 'image/jpeg';
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Quality of JPEG for which a page does not ask, as in Chromium. */
const DEFAULT_QUALITY = 0.92;

/**
 * Encodes the pixels of a canvas (HTML, section 4.12.5.5). Types other than `image/jpeg` give PNG,
 * as the standard asks.
 *
 * @param type Requested type, in any case.
 * @param quality Quality of JPEG from 0 to 1; other values mean the default.
 * @throws {DOMException} SecurityError if the page cannot read the pixels.
 */
export function encodeCanvas(pixels: Pixels, type?: unknown, quality?: unknown): EncodedCanvas {
  requireReadable('canvas', pixels);
  if (String(type).toLowerCase() !== 'image/jpeg') {
    return { type: 'image/png', bytes: encodePng(pixels) };
  }
  const isGiven = typeof quality === 'number' && quality >= 0 && quality <= 1;
  const bytes = encodeJpeg(pixels, isGiven ? quality : DEFAULT_QUALITY);
  return { type: 'image/jpeg', bytes };
}

/** Composites the pixels over black, because JPEG has no alpha. */
function encodeJpeg(pixels: Pixels, quality: number): Uint8Array<ArrayBuffer> {
  const { widthPx: width, heightPx: height, rgba: data } = withPremultipliedAlpha(pixels);
  // The quality of the library starts at 1.
  const percent = Math.max(Math.round(quality * 100), 1);
  return new Uint8Array(jpeg.encode({ width, height, data }, percent).data);
}

function encodePng(pixels: Pixels): Uint8Array<ArrayBuffer> {
  const { widthPx, heightPx, rgba } = withStraightAlpha(pixels);
  const rowBytes = widthPx * 4;
  // Each row starts with its filter type; 0 is no filter.
  const rows = new Uint8Array((rowBytes + 1) * heightPx);
  for (let row = 0; row < heightPx; row++) {
    rows.set(rgba.subarray(row * rowBytes, (row + 1) * rowBytes), row * (rowBytes + 1) + 1);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx, 0);
  header.writeUInt32BE(heightPx, 4);
  header[8] = 8;
  header[9] = COLOR_TYPE_RGBA;
  const parts = [
    SIGNATURE,
    makeChunk('IHDR', header),
    makeChunk('IDAT', deflateSync(rows)),
    makeChunk('IEND', Buffer.alloc(0)),
  ];
  return new Uint8Array(Buffer.concat(parts));
}

function makeChunk(type: string, content: Buffer): Buffer {
  const chunk = Buffer.alloc(content.length + 12);
  chunk.writeUInt32BE(content.length, 0);
  chunk.write(type, 4, 'latin1');
  content.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, content.length + 8)), content.length + 8);
  return chunk;
}
