/** Whether an image agrees with those of Mesa's software renderers. */
import { compareImages, isNearby } from '@tessera/experiments/image-comparison';
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
  for (let pixel = 0; pixel < a.widthPx * a.heightPx; pixel++) {
    if (!isNearby(a, b, pixel, ROUNDING) || !isNearby(b, a, pixel, ROUNDING)) count++;
  }
  return count;
}
