/**
 * Synchronous PNG encoder with alpha, for `toDataURL`. The frame encoder of Tessera is asynchronous
 * and drops alpha.
 */
import { crc32, deflateSync } from 'node:zlib';
import { type Pixels, requireReadable, withStraightAlpha } from '../../pixels/pixels.ts';

const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
const COLOR_TYPE_RGBA = 6;

/**
 * Encodes the pixels of a canvas as PNG.
 *
 * @throws {DOMException} SecurityError if the page cannot read the pixels.
 */
export function encodeCanvasPng(pixels: Pixels): Uint8Array<ArrayBuffer> {
  requireReadable('canvas', pixels);
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
