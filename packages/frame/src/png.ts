/**
 * PNG encoder (ISO/IEC 15948) for opaque pictures: 8-bit RGB, filter Sub, deflate level 1. Decoding is
 * left to libraries; encoding is ours since the measured npm encoders take 2 to 6 times the CPU time
 * (docs/decisions/png-encoder.md).
 */
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import type { Image } from './image.ts';

const deflateAsync = promisify(deflate);
const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
const COLOR_TYPE_RGB = 2;
const FILTER_SUB = 1;

/** Encodes the colour of `image`; alpha is dropped. Compression runs in the thread pool. */
export async function encodePng(image: Image): Promise<Buffer> {
  const { widthPx, heightPx, rgba } = image;
  const rowBytes = 1 + widthPx * 3;
  const filtered = new Uint8Array(rowBytes * heightPx);
  let at = 0;
  let from = 0;
  for (let y = 0; y < heightPx; y++) {
    filtered[at++] = FILTER_SUB;
    let red = 0;
    let green = 0;
    let blue = 0;
    for (let x = 0; x < widthPx; x++) {
      const nextRed = rgba[from]!;
      const nextGreen = rgba[from + 1]!;
      const nextBlue = rgba[from + 2]!;
      filtered[at] = nextRed - red;
      filtered[at + 1] = nextGreen - green;
      filtered[at + 2] = nextBlue - blue;
      red = nextRed;
      green = nextGreen;
      blue = nextBlue;
      at += 3;
      from += 4;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx, 0);
  header.writeUInt32BE(heightPx, 4);
  header[8] = 8;
  header[9] = COLOR_TYPE_RGB;
  const compressed = await deflateAsync(filtered, { level: 1 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', compressed),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const framed = Buffer.alloc(content.length + 12);
  framed.writeUInt32BE(content.length, 0);
  framed.write(type, 4, 'latin1');
  content.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, content.length + 8)), content.length + 8);
  return framed;
}
