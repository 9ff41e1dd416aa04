/** Checks of an image against a reference: the share of pixels that differ visibly. */
import type { Image } from '@tessera/frame';
import { compareImages } from './image-comparison.ts';

/** Reference image, and its file for messages. */
export interface ReferenceImage {
  readonly path: string;
  readonly image: Image;
}

/**
 * Checks that at most `mostOver8` pixels differ by more than 8 of 255 in a component. Images of
 * different sizes do not match.
 */
export function checkAgainstReference(
  image: Image,
  { path, image: expected }: ReferenceImage,
  mostOver8: number,
): { readonly isMet: boolean; readonly hasSize: boolean; readonly text: string } {
  if (image.widthPx !== expected.widthPx || image.heightPx !== expected.heightPx) {
    const text = `${image.widthPx}×${image.heightPx}, but ${path} is ${expected.widthPx}×${expected.heightPx}`;
    return { isMet: false, hasSize: false, text };
  }
  const { over8, pixels } = compareImages(image, expected);
  const share = `${((100 * over8) / pixels).toFixed(4)} %`;
  const text = `${over8} of ${pixels} pixels (${share}) differ from ${path} by more than 8 of 255, at most ${mostOver8}`;
  return { isMet: over8 <= mostOver8, hasSize: true, text };
}
