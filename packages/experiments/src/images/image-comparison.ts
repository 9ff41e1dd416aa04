/**
 * Compares two images: the color A − B of each pixel, with positive differences in one image and
 * absolute negative ones in another. A sub-pixel offset of a shape shows as outlines, with upper
 * edges in one image and lower edges in the other. Differences inside a shape are errors.
 */
import { type Image, RenderError } from '@tessera/frame';

/** Numbers of pixels by their largest difference of a color component. Alpha is ignored. */
export interface ImageComparison {
  readonly pixels: number;
  readonly differing: number;
  readonly over1: number;
  readonly over2: number;
  readonly over8: number;
  readonly over32: number;
  /**
   * Number of pixels that differ by more than 1 and whose color is also more than 1 outside the
   * range of the other image within one pixel. A sub-pixel offset does not explain these.
   */
  readonly inside: number;
  /** Largest difference of a component, 0 to 255. */
  readonly largest: number;
  /** Mean absolute difference of all components. */
  readonly meanAbsolute: number;
  /** Peak signal-to-noise ratio in decibels; null for equal images. */
  readonly psnrDb: number | null;
}

/** Positive and negative differences of image A from image B; opaque. */
export interface DifferenceImages {
  readonly positive: Image;
  readonly negative: Image;
}

/** Compares two images. @throws {RenderError} REQUEST_INVALID if they differ in size. */
export function compareImages(a: Image, b: Image): ImageComparison {
  requireSameSize(a, b);
  const pixels = a.widthPx * a.heightPx;
  /** Number of pixels by their largest difference of a component. */
  const pixelsByDifference = new Float64Array(256);
  let absolutes = 0;
  let squares = 0;
  let inside = 0;
  for (let pixel = 0; pixel < pixels; pixel++) {
    let pixelLargest = 0;
    for (let at = pixel * 4; at < pixel * 4 + 3; at++) {
      const difference = Math.abs(a.rgba[at]! - b.rgba[at]!);
      absolutes += difference;
      squares += difference * difference;
      if (difference > pixelLargest) pixelLargest = difference;
    }
    pixelsByDifference[pixelLargest]!++;
    if (pixelLargest > 1 && !isNearby(a, b, pixel, 1)) inside++;
  }
  const countOver = (limit: number): number =>
    pixelsByDifference.subarray(limit + 1).reduce((sum, count) => sum + count, 0);
  return {
    pixels,
    differing: countOver(0),
    over1: countOver(1),
    over2: countOver(2),
    over8: countOver(8),
    over32: countOver(32),
    inside,
    largest: pixelsByDifference.findLastIndex((count) => count > 0),
    meanAbsolute: absolutes / (pixels * 3),
    psnrDb: squares === 0 ? null : 10 * Math.log10((255 * 255 * pixels * 3) / squares),
  };
}

/** Subtracts two images. @throws {RenderError} REQUEST_INVALID if they differ in size. */
export function subtractImages(a: Image, b: Image): DifferenceImages {
  requireSameSize(a, b);
  const { widthPx, heightPx } = a;
  const positive = new Uint8Array(a.rgba.length).fill(255);
  const negative = new Uint8Array(a.rgba.length).fill(255);
  for (let at = 0; at < a.rgba.length; at++) {
    if (at % 4 === 3) continue;
    const difference = a.rgba[at]! - b.rgba[at]!;
    positive[at] = Math.max(difference, 0);
    negative[at] = Math.max(-difference, 0);
  }
  return {
    positive: { widthPx, heightPx, rgba: positive },
    negative: { widthPx, heightPx, rgba: negative },
  };
}

/**
 * Returns the absolute difference of two images, multiplied by eight so that small ones are
 * visible; opaque.
 *
 * @throws {RenderError} REQUEST_INVALID if they differ in size.
 */
export function showDifference(a: Image, b: Image): Image {
  requireSameSize(a, b);
  const rgba = a.rgba.map((value, at) =>
    at % 4 === 3 ? 255 : Math.min(255, 8 * Math.abs(value - b.rgba[at]!)),
  );
  return { widthPx: a.widthPx, heightPx: a.heightPx, rgba };
}

/**
 * Returns whether a pixel of image A is, in each component but alpha, within a tolerance of the
 * range of the pixels of image B at most one pixel away. Both images have the same size.
 */
export function isNearby(a: Image, b: Image, pixel: number, tolerance: number): boolean {
  const { widthPx, heightPx } = b;
  const x = pixel % widthPx;
  const y = (pixel - x) / widthPx;
  for (let channel = 0; channel < 3; channel++) {
    let lowest = 255;
    let highest = 0;
    for (let row = Math.max(y - 1, 0); row <= Math.min(y + 1, heightPx - 1); row++) {
      for (let column = Math.max(x - 1, 0); column <= Math.min(x + 1, widthPx - 1); column++) {
        const value = b.rgba[(row * widthPx + column) * 4 + channel]!;
        if (value < lowest) lowest = value;
        if (value > highest) highest = value;
      }
    }
    const value = a.rgba[pixel * 4 + channel]!;
    if (value < lowest - tolerance || value > highest + tolerance) return false;
  }
  return true;
}

function requireSameSize(a: Image, b: Image): void {
  if (a.widthPx !== b.widthPx || a.heightPx !== b.heightPx) {
    throw new RenderError(
      'REQUEST_INVALID',
      `the images differ in size: ${a.widthPx}×${a.heightPx} and ${b.widthPx}×${b.heightPx}`,
    );
  }
}
