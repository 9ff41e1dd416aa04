/** The colours of a PNG that `encodePng` of packages/frame wrote, and of no other: 8-bit RGB, filter Sub. */
import { inflateSync } from 'node:zlib';
import type { Image } from '@tessera/frame';

const HEADER_AT = 16;
const FIRST_CHUNK_AT = 33;
const FILTER_SUB = 1;

/** @throws {Error} For a PNG of another encoder. */
export function readOwnPng(png: Buffer): Image {
  const widthPx = png.readUInt32BE(HEADER_AT);
  const heightPx = png.readUInt32BE(HEADER_AT + 4);
  const bytes = png.readUInt32BE(FIRST_CHUNK_AT);
  const from = FIRST_CHUNK_AT + 8;
  const rowBytes = 1 + widthPx * 3;
  const filtered = inflateSync(png.subarray(from, from + bytes));
  if (filtered.length !== rowBytes * heightPx) throw new Error('png: not one of ours');
  const rgba = new Uint8Array(widthPx * heightPx * 4);
  let to = 0;
  for (let y = 0; y < heightPx; y++) {
    let at = y * rowBytes;
    if (filtered[at++] !== FILTER_SUB) throw new Error(`png: row ${y} has another filter`);
    let [red, green, blue] = [0, 0, 0];
    for (let x = 0; x < widthPx; x++) {
      red += filtered[at++]!;
      green += filtered[at++]!;
      blue += filtered[at++]!;
      // Typed arrays keep the lowest eight bits, as the filter means it.
      rgba[to++] = red;
      rgba[to++] = green;
      rgba[to++] = blue;
      rgba[to++] = 255;
    }
  }
  return { widthPx, heightPx, rgba };
}
