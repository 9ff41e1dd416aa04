/** Difference of two images of the same size, by pixel. */

export interface ImageDifference {
  readonly pixels: number;
  readonly pixelsDiffering: number;
  /** Largest difference of a channel, 0 to 255. */
  readonly mostDifference: number;
  /** Texels as RGBA: gray for equal pixels, dark red to white for increasing differences. */
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

/** Factor by which differences are amplified, because most are small. */
const AMPLIFICATION = 8;
const EQUAL_GRAY = 40;

/**
 * Compares two images.
 *
 * @param a RGBA bytes, as many as in `b`.
 * @throws {RangeError} If the lengths differ.
 */
export function compareImages(a: Uint8ClampedArray, b: Uint8ClampedArray): ImageDifference {
  if (a.length !== b.length)
    throw new RangeError(`the images differ in size: ${a.length} and ${b.length} bytes`);
  const rgba = new Uint8ClampedArray(a.length);
  let pixelsDiffering = 0;
  let mostDifference = 0;
  for (let at = 0; at < a.length; at += 4) {
    const difference = Math.max(
      Math.abs(a[at]! - b[at]!),
      Math.abs(a[at + 1]! - b[at + 1]!),
      Math.abs(a[at + 2]! - b[at + 2]!),
    );
    rgba[at + 3] = 255;
    if (difference === 0) {
      const gray = EQUAL_GRAY + (a[at]! + a[at + 1]! + a[at + 2]!) / 12;
      rgba.fill(gray, at, at + 3);
      continue;
    }
    pixelsDiffering++;
    mostDifference = Math.max(mostDifference, difference);
    const shade = difference * AMPLIFICATION;
    rgba[at] = 120 + shade;
    rgba[at + 1] = shade - 60;
    rgba[at + 2] = shade - 160;
  }
  return { pixels: a.length / 4, pixelsDiffering, mostDifference, rgba };
}
