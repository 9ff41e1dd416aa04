/** Compares images exactly and describes the differences. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Image } from '@tessera/frame';
import { PNG } from 'pngjs';

const MAX_PIXELS_NAMED = 10;

/** Differences between two images. */
export interface ImageDifference {
  readonly differingPixels: number;
  /** Largest difference of a color component, 1 to 255. */
  readonly largest: number;
  /** Number of differences, bounding box, and the first pixels with expected and actual color. */
  readonly message: string;
}

/**
 * Compares the colors (not alpha) of two images. Returns `null` if they are equal.
 *
 * @param differencePath Path for the image of differences, white on black, if there are any.
 */
export function compareImages(
  actual: Image,
  expected: Image,
  differencePath?: string,
): ImageDifference | null {
  const { widthPx, heightPx } = expected;
  if (actual.widthPx !== widthPx || actual.heightPx !== heightPx) {
    const message = `${actual.widthPx}×${actual.heightPx} in place of ${widthPx}×${heightPx}`;
    return { differingPixels: widthPx * heightPx, largest: 255, message };
  }
  const named: string[] = [];
  const box = { left: widthPx, top: heightPx, right: -1, bottom: -1 };
  const marks = new PNG({ width: widthPx, height: heightPx });
  let differingPixels = 0;
  let largest = 0;
  for (let pixel = 0; pixel < widthPx * heightPx; pixel++) {
    const at = pixel * 4;
    const wanted = expected.rgba.subarray(at, at + 3);
    const found = actual.rgba.subarray(at, at + 3);
    const difference = Math.max(...wanted.map((value, c) => Math.abs(value - found[c]!)));
    marks.data.fill(difference === 0 ? 0 : 255, at, at + 3);
    marks.data[at + 3] = 255;
    if (difference === 0) continue;
    const x = pixel % widthPx;
    const y = (pixel - x) / widthPx;
    differingPixels++;
    largest = Math.max(largest, difference);
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
    if (named.length < MAX_PIXELS_NAMED)
      named.push(`(${x}, ${y}) expected ${wanted}, got ${found}`);
  }
  if (differingPixels === 0) return null;
  if (differencePath !== undefined) {
    mkdirSync(dirname(differencePath), { recursive: true });
    writeFileSync(differencePath, PNG.sync.write(marks));
  }
  const message =
    `${differingPixels} pixels differ, by ${largest} at most, ` +
    `in columns ${box.left}–${box.right}, rows ${box.top}–${box.bottom}:\n${named.join('\n')}`;
  return { differingPixels, largest, message };
}

/** Decodes the bytes of a PNG file. */
export function decodePng(bytes: Uint8Array): Image {
  const png = PNG.sync.read(Buffer.from(bytes));
  return { widthPx: png.width, heightPx: png.height, rgba: new Uint8Array(png.data) };
}
