/**
 * EXIF orientation of JPEG photographs (EXIF 2.3, section 4.6.4; TIFF 6.0, section 2). Pages show
 * such photographs upright.
 */
import type { Pixels } from '../../pixels/pixels.ts';

const [JPEG_START, SEGMENT_EXIF, SEGMENT_SCAN] = [0xffd8, 0xffe1, 0xffda];
const ORIENTATION_TAG = 0x0112;
const UPRIGHT = 1;

/** Returns the orientation, 1 to 8. Images without one have orientation 1, upright. */
export function readOrientation(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 4 || view.getUint16(0) !== JPEG_START) return UPRIGHT;
  for (let at = 2; at + 4 <= view.byteLength; ) {
    const marker = view.getUint16(at);
    if (marker === SEGMENT_SCAN || marker < 0xff00) return UPRIGHT;
    const length = view.getUint16(at + 2);
    const end = Math.min(at + 2 + length, view.byteLength);
    if (marker === SEGMENT_EXIF) {
      const start = at + 10; // The TIFF data follows `Exif` and two zero bytes.
      const isExif = start < end && view.getUint32(at + 4) === 0x45786966;
      const found = isExif
        ? readTag(new DataView(view.buffer, view.byteOffset + start, end - start))
        : null;
      if (found !== null) return found;
    }
    at += 2 + length;
  }
  return UPRIGHT;
}

/** Returns the orientation tag of the first directory of a TIFF, or `null`. */
function readTag(tiff: DataView): number | null {
  if (tiff.byteLength < 8) return null;
  const isLittle = tiff.getUint16(0) === 0x4949;
  const directory = tiff.getUint32(4, isLittle);
  if (directory + 2 > tiff.byteLength) return null;
  const count = tiff.getUint16(directory, isLittle);
  for (let entry = 0; entry < count; entry++) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > tiff.byteLength) return null;
    if (tiff.getUint16(at, isLittle) !== ORIENTATION_TAG) continue;
    const value = tiff.getUint16(at + 8, isLittle);
    return value >= 1 && value <= 8 ? value : null;
  }
  return null;
}

/** Rotates and mirrors an image upright. Returns `pixels` itself if they are upright. */
export function turnUpright(pixels: Pixels, orientation: number): Pixels {
  if (orientation === UPRIGHT) return pixels;
  const { widthPx, heightPx } = pixels;
  const isOnSide = orientation >= 5;
  const [width, height] = isOnSide ? [heightPx, widthPx] : [widthPx, heightPx];
  const isMirroredX = [2, 3, 7, 8].includes(orientation);
  const isMirroredY = [3, 4, 6, 7].includes(orientation);
  const source = new Uint32Array(pixels.rgba.slice().buffer);
  const turned = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = isOnSide ? [y, x] : [x, y];
      const column = isMirroredX ? widthPx - 1 - u : u;
      const row = isMirroredY ? heightPx - 1 - v : v;
      turned[y * width + x] = source[row * widthPx + column]!;
    }
  }
  const rgba = new Uint8ClampedArray(turned.buffer);
  return { ...pixels, widthPx: width, heightPx: height, rgba };
}
