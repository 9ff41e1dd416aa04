/**
 * Changes the colors of a PNG that `encodePng` of packages/frame wrote: 8-bit RGB, filter Sub. Rows
 * are decoded, changed and encoded one by one, so the largest image needs little more memory than
 * its own bytes. The output has one IDAT chunk per piece of compressed bytes (ISO/IEC 15948,
 * section 11.2.3).
 */
import { Readable } from 'node:stream';
import { crc32, createDeflate, inflateSync } from 'node:zlib';

const SIGNATURE_BYTES = 8;
const WIDTH_AT = 16;
const HEIGHT_AT = 20;
/** Bytes of the signature and IHDR, which are copied. */
const HEAD_BYTES = 33;
const FILTER_SUB = 1;
/** Bytes of compressed rows per IDAT chunk. */
const CHUNK_BYTES = 2 ** 18;

/** Returns the size of the image. */
export function sizeOfPng(png: Buffer): { readonly widthPx: number; readonly heightPx: number } {
  return { widthPx: png.readUInt32BE(WIDTH_AT), heightPx: png.readUInt32BE(HEIGHT_AT) };
}

/**
 * Encodes the image with other colors.
 *
 * @param changeRow Changes the colors of row `y` in place: three bytes per pixel, from left to
 *   right.
 * @returns Pieces of the new file.
 * @throws {Error} For a PNG of another encoder.
 */
export async function* recolorPng(
  png: Buffer,
  changeRow: (y: number, rgb: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void> {
  const { widthPx, heightPx } = sizeOfPng(png);
  const rowBytes = 1 + widthPx * 3;
  const bytes = png.readUInt32BE(HEAD_BYTES);
  const from = HEAD_BYTES + SIGNATURE_BYTES;
  // One chunk of the exact size, because smaller ones would be concatenated.
  const filtered = inflateSync(png.subarray(from, from + bytes), {
    chunkSize: Math.max(64, rowBytes * heightPx),
  });
  if (filtered.length !== rowBytes * heightPx)
    throw new Error('png: the number of rows does not match the header');

  function* rows(): Generator<Uint8Array, void> {
    for (let y = 0; y < heightPx; y++) {
      const row = filtered.subarray(y * rowBytes, (y + 1) * rowBytes);
      if (row[0] !== FILTER_SUB) throw new Error(`png: row ${y} does not use filter Sub`);
      const rgb = row.subarray(1);
      // Typed arrays keep the low eight bits, as the filter requires.
      for (let at = 3; at < rgb.length; at++) rgb[at] = rgb[at]! + rgb[at - 3]!;
      changeRow(y, rgb);
      for (let at = rgb.length - 1; at >= 3; at--) rgb[at] = rgb[at]! - rgb[at - 3]!;
      yield row;
    }
  }

  yield png.subarray(0, HEAD_BYTES);
  const compressed = Readable.from(rows()).compose(
    createDeflate({ level: 1, chunkSize: CHUNK_BYTES }),
  );
  for await (const piece of compressed) yield* chunk('IDAT', piece as Buffer);
  yield* chunk('IEND', Buffer.alloc(0));
}

function* chunk(type: 'IDAT' | 'IEND', content: Buffer): Generator<Buffer, void> {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length, 0);
  head.write(type, 4, 'latin1');
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(content, crc32(head.subarray(4))), 0);
  yield head;
  yield content;
  yield sum;
}
