/** How two pictures of one size differ, pixel by pixel. */

export interface PictureDifference {
  readonly pixels: number;
  readonly pixelsDiffering: number;
  /** Greatest difference of a channel, 0 to 255. */
  readonly mostDifference: number;
  /** RGBA: grey where equal, from dark red to white by how much a pixel differs. */
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

/** Differences are small more often than not, so they are drawn larger than they are. */
const AMPLIFICATION = 8;
const EQUAL_GREY = 40;

/** @param a RGBA, as long as `b`. */
export function comparePictures(a: Uint8ClampedArray, b: Uint8ClampedArray): PictureDifference {
  if (a.length !== b.length) throw new RangeError(`pictures of ${a.length} and ${b.length} bytes`);
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
      const grey = EQUAL_GREY + (a[at]! + a[at + 1]! + a[at + 2]!) / 12;
      rgba.fill(grey, at, at + 3);
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
