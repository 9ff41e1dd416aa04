/** Matcher of images for vitest and Jest; docs/how-to/images-in-ci.md shows its use. */
import { readFile, writeFile } from 'node:fs/promises';
import type { Image } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { decodeImageFile } from './decode-image-file.ts';
import { showDifference } from './image-comparison.ts';
import { checkAgainstReference } from './reference-image.ts';

/**
 * Compares a frame with a reference image. If they do not match, writes the image and eight times
 * the differences beside the reference: `golden-actual.png` and `golden-difference.png`.
 *
 * @param options.maxOver8 Share of the pixels, 0 to 1, that may differ by more than 8 of 255 in a
 *   component; 0 by default.
 * @throws {RangeError} If `maxOver8` is out of range.
 * @throws {Error} If the reference cannot be read.
 */
export async function toMatchImage(
  { image }: { readonly image: Image },
  referencePath: string,
  { maxOver8 = 0 }: { readonly maxOver8?: number } = {},
): Promise<{ pass: boolean; message: () => string }> {
  if (!(maxOver8 >= 0 && maxOver8 <= 1))
    throw new RangeError(`maxOver8: ${maxOver8} is not a share from 0 to 1`);
  const expected = decodeImageFile(await readFile(referencePath), referencePath);
  const most = Math.floor(maxOver8 * expected.widthPx * expected.heightPx);
  const reference = { path: referencePath, image: expected };
  const { isMet, hasSize, text } = checkAgainstReference(image, reference, most);
  if (!isMet) {
    const pathWith = (ending: string) => referencePath.replace(/(\.[^./]*)?$/, `-${ending}.png`);
    await writeFile(pathWith('actual'), await encodePng(image));
    if (hasSize)
      await writeFile(pathWith('difference'), await encodePng(showDifference(image, expected)));
  }
  return { pass: isMet, message: () => text };
}
