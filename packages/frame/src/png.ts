/**
 * PNG encoder (ISO/IEC 15948) for opaque pictures: 8-bit RGB, filter Sub, deflate level 1. Decoding is
 * left to libraries; encoding is ours since the measured npm encoders take 2 to 6 times the CPU time
 * (docs/decisions/png-encoder.md).
 */
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import type { Image } from './image.ts';

const deflateAsync = promisify(deflate);
const nextTurn = promisify(setImmediate);
/** Filtered in one turn of the event loop: some milliseconds. */
const PIXELS_PER_TURN = 2 ** 21;
/** Of the output, which comes in one piece for most pictures: each is a turn of the event loop and of a thread. */
const DEFLATE_CHUNK_BYTES = 2 ** 19;
const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
const COLOR_TYPE_RGB = 2;
const FILTER_SUB = 1;

/** Encodes the colour of `image`; alpha is dropped. Compression runs in the thread pool. */
export async function encodePng(image: Image): Promise<Buffer> {
  const { widthPx, heightPx } = image;
  const rowBytes = 1 + widthPx * 3;
  const filtered = new Uint8Array(rowBytes * heightPx);
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
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', compressed),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Filters the rows from `from` to before `to`. `into` is zero where nothing was written. */
function filterRows({ widthPx, rgba }: Image, from: number, to: number, into: Uint8Array): void {
  const pixels = asWords(rgba);
  let at = from * (1 + widthPx * 3);
  let next = from * widthPx;
  for (let y = from; y < to; y++) {
    into[at++] = FILTER_SUB;
    let left = 0;
    for (let x = 0; x < widthPx; x++) {
      const pixel = pixels[next++]!;
      // A background is most of many pictures.
      if (pixel === left) {
        at += 3;
        continue;
      }
      // Typed arrays keep the lowest eight bits, as the filter means it.
      into[at] = pixel - left;
      into[at + 1] = (pixel >>> 8) - (left >>> 8);
      into[at + 2] = (pixel >>> 16) - (left >>> 16);
      left = pixel;
      at += 3;
    }
  }
}

/** A word per pixel, red lowest. */
function asWords(rgba: Uint8Array): Int32Array {
  const aligned = rgba.byteOffset % 4 === 0 ? rgba : rgba.slice();
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
