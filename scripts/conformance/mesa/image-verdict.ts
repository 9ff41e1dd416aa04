/** Whether an image agrees with those of Mesa's software renderers. */
import { compareImages } from '@tessera/experiments/image-comparison';
import type { Image } from '@tessera/frame';

/** Part of the pixels that may differ without a reason: ties and rounding. */
const TOLERATED_PART = 0.001;
/** Largest difference of a component that rounding explains, of 255. */
const ROUNDING = 3;

/**
 * Compares an image with those of Mesa's renderers. Two correct renderers differ along edges and by
 * rounding, so a pixel differs if it is over {@link ROUNDING} and outside of its neighbors' range.
 *
 * @returns `null` if the images agree, otherwise the difference from the first reference.
 */
export function differenceFrom(image: Image, references: readonly Image[]): string | null {
  const [first, second] = references;
  const { widthPx, heightPx } = first!;
  if (image.widthPx !== widthPx || image.heightPx !== heightPx) {
    return `${image.widthPx}×${image.heightPx} pixels in place of ${widthPx}×${heightPx}`;
  }
  const between = second === undefined ? 0 : countDifferent(first!, second);
  const allowed = Math.max(between, image.widthPx * image.heightPx * TOLERATED_PART);
  const counts = references.map((reference) => countDifferent(image, reference));
  if (Math.min(...counts) <= allowed) return null;
  const { largest } = compareImages(image, first!);
  return `${counts.join(' and ')} pixels differ, Mesa's renderers in ${between}; at most by ${largest}`;
}

/**
 * Whether the images of Mesa's renderers are a reference. A replay does not resize the window of a
 * program that never swaps, so what is outside of 32×32 pixels is then undefined.
 */
export function isReference(references: readonly Image[]): boolean {
  const [first, second] = references;
  if (first === undefined || second === undefined) return false;
  const pixels = first.widthPx * first.heightPx;
  return first.rgba.length === second.rgba.length && countDifferent(first, second) <= pixels / 20;
}

/** Number of pixels that differ for another reason than rounding and the position of an edge. */
function countDifferent(a: Image, b: Image): number {
  let count = 0;
  for (let y = 0; y < a.heightPx; y++) {
    for (let x = 0; x < a.widthPx; x++) {
      if (!isNear(a, b, x, y) || !isNear(b, a, x, y)) count++;
    }
  }
  return count;
}

/** Whether the color of `a` is within rounding of a neighbor's range in `b`. */
function isNear(a: Image, b: Image, x: number, y: number): boolean {
  const at = (y * a.widthPx + x) * 4;
  for (let component = 0; component < 3; component++) {
    const value = a.rgba[at + component]!;
    if (Math.abs(value - b.rgba[at + component]!) <= ROUNDING) continue;
    let [least, most] = [255, 0];
    for (let row = Math.max(y - 1, 0); row <= Math.min(y + 1, b.heightPx - 1); row++) {
      for (let column = Math.max(x - 1, 0); column <= Math.min(x + 1, b.widthPx - 1); column++) {
        const other = b.rgba[(row * b.widthPx + column) * 4 + component]!;
        least = Math.min(least, other);
        most = Math.max(most, other);
      }
    }
    if (value < least - ROUNDING || value > most + ROUNDING) return false;
  }
  return true;
}
