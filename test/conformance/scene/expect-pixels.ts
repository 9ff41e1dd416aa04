/** Compares an image with an oracle: every pixel, all four components. */
import { expect } from 'vitest';
import type { DrawnImage, Rgba } from './draw-scene.ts';

const MAX_PIXELS_NAMED = 10;

/**
 * Compares one component after another without allocation, because it runs for every pixel of every
 * test.
 */
function isWithin(
  { rgba, widthPx }: DrawnImage,
  x: number,
  y: number,
  wanted: Rgba,
  tolerance: number,
) {
  const at = 4 * (y * widthPx + x);
  for (let c = 0; c < 4; c++) {
    if (!(Math.abs(wanted[c]! - rgba[at + c]!) <= tolerance)) return false;
  }
  return true;
}

/**
 * Asserts that every pixel matches the oracle.
 *
 * @param oracle Components in bytes, fractions permitted; `null` if any result is correct.
 * @param tolerance Maximum difference of a component, in bytes.
 * @param name Name of the case, printed with the difference.
 */
export function expectPixels(
  image: DrawnImage,
  oracle: (x: number, y: number) => Rgba | null,
  tolerance = 0,
  name = '',
): void {
  const named: string[] = [];
  const box = { left: image.widthPx, top: image.heightPx, right: -1, bottom: -1 };
  let count = 0;
  for (let y = 0; y < image.heightPx; y++) {
    for (let x = 0; x < image.widthPx; x++) {
      const wanted = oracle(x, y);
      if (wanted === null) continue;
      if (isWithin(image, x, y, wanted, tolerance)) continue;
      const found = image.pixel(x, y);
      count++;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
      if (named.length < MAX_PIXELS_NAMED) {
        named.push(`(${x}, ${y}) expected ${wanted}, got ${found}`);
      }
    }
  }
  if (count === 0) return;
  expect.fail(
    `${name} ${count} pixels differ, in columns ${box.left}–${box.right}, ` +
      `rows ${box.top}–${box.bottom}:\n${named.join('\n')}`,
  );
}
