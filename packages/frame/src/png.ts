/**
 * PNG encoder (ISO/IEC 15948) for opaque images: 8-bit RGB, filter Sub, deflate level 1. Decoding
 * uses libraries, but encoding does not, because the npm encoders that were measured take 2 to 6
 * times the CPU time (docs/decisions/png-encoder.md).
 */
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import type { Image } from './image.ts';

const deflateAsync = promisify(deflate);
const nextTurn = promisify(setImmediate);
/** Number of pixels filtered in one turn of the event loop, which takes a few milliseconds. */
const PIXELS_PER_TURN = 2 ** 21;
/**
 * Size of an output chunk of deflate, large enough for most images. Each chunk costs a turn of the
 * event loop and of a thread.
 */
const DEFLATE_CHUNK_BYTES = 2 ** 19;
const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
const COLOR_TYPE_RGB = 2;
const FILTER_SUB = 1;

/** Encodes the color channels of `image`; alpha is dropped. Compression runs in the thread pool. */
export async function encodePng(image: Image): Promise<Buffer> {
  const { widthPx, heightPx } = image;
  const rowBytes = 1 + widthPx * 3;
  const filtered = acquireBuffer(rowBytes * heightPx);
  const rows = Math.max(1, Math.floor(PIXELS_PER_TURN / widthPx));
  for (let y = 0; y < heightPx; y += rows) {
    if (y > 0) await nextTurn();
    filterRows(image, y, Math.min(heightPx, y + rows), filtered);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx, 0);
  header.writeUInt32BE(heightPx, 4);
  header[8] = 8;
  header[9] = COLOR_TYPE_RGB;
  const compressed = await deflateAsync(filtered, { level: 1, chunkSize: DEFLATE_CHUNK_BYTES });
  releaseBuffer(filtered);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', compressed),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/**
 * Buffer of the last filtered image, kept for reuse because allocating a new one takes as long as
 * filtering.
 */
let spare: Uint8Array | null = null;
const MAX_SPARE_BYTES = 2 ** 24;

/** Returns a buffer with arbitrary contents. */
function acquireBuffer(byteLength: number): Uint8Array {
  const kept = spare;
  if (kept === null || kept.length < byteLength) return Buffer.allocUnsafeSlow(byteLength);
  spare = null;
  return kept.subarray(0, byteLength);
}

function releaseBuffer({ buffer }: Uint8Array): void {
  const isWorthIt =
    buffer.byteLength <= MAX_SPARE_BYTES && buffer.byteLength > (spare?.length ?? 0);
  if (isWorthIt) spare = new Uint8Array(buffer);
}

/** Filters the rows from `from` to `to − 1`. */
function filterRows({ widthPx, rgba }: Image, from: number, to: number, into: Uint8Array): void {
  const pixels = asWords(rgba);
  const bytes = new DataView(into.buffer, into.byteOffset, into.byteLength);
  const fours = widthPx & ~3;
  let at = from * (1 + widthPx * 3);
  let next = from * widthPx;
  for (let y = from; y < to; y++) {
    into[at++] = FILTER_SUB;
    let left = 0;
    // Four pixels are three words.
    for (const end = next + fours; next < end; next += 4) {
      const p0 = pixels[next]!;
      const p1 = pixels[next + 1]!;
      const p2 = pixels[next + 2]!;
      const p3 = pixels[next + 3]!;
      const d0 = subtractBytes(p0, left);
      const d1 = subtractBytes(p1, p0);
      const d2 = subtractBytes(p2, p1);
      const d3 = subtractBytes(p3, p2);
      bytes.setInt32(at, (d0 & 0xffffff) | (d1 << 24), true);
      bytes.setInt32(at + 4, ((d1 >>> 8) & 0xffff) | (d2 << 16), true);
      bytes.setInt32(at + 8, ((d2 >>> 16) & 0xff) | (d3 << 8), true);
      left = p3;
      at += 12;
    }
    for (const end = next + widthPx - fours; next < end; next++) {
      const difference = subtractBytes(pixels[next]!, left);
      into[at] = difference;
      into[at + 1] = difference >>> 8;
      into[at + 2] = difference >>> 16;
      left = pixels[next]!;
      at += 3;
    }
  }
}

/**
 * Returns the differences of the four bytes of two words, each modulo 256. Setting the top bits
 * keeps borrows within a byte.
 */
function subtractBytes(a: number, b: number): number {
  return ((a | TOP_BITS) - (b & ~TOP_BITS)) ^ ((a ^ ~b) & TOP_BITS);
}
const TOP_BITS = 0x8080_8080 | 0;

/** Returns one word per pixel, red in the lowest byte. */
function asWords(rgba: Uint8Array): Int32Array {
  const aligned = rgba.byteOffset % 4 === 0 ? rgba : new Uint8Array(rgba);
  return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
}

function chunk(type: string, content: Buffer): Buffer {
  const framed = Buffer.alloc(content.length + 12);
  framed.writeUInt32BE(content.length, 0);
  framed.write(type, 4, 'latin1');
  content.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, content.length + 8)), content.length + 8);
  return framed;
}
