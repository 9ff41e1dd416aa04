/** Sampling and resizing of images. */
import { type PixelSource, type Pixels, withStraightAlpha } from '../../pixels/pixels.ts';

/**
 * Returns the color at (u, v), in pixels from the top left: the nearest pixel, or a blend of the
 * four around it.
 *
 * @param image Image with straight alpha.
 */
export function samplePixels(
  image: Pixels,
  u: number,
  v: number,
  isSmooth: boolean,
  out: Float64Array,
): void {
  const { widthPx, heightPx, rgba } = image;
  const column = (value: number): number => Math.min(Math.max(Math.floor(value), 0), widthPx - 1);
  const row = (value: number): number => Math.min(Math.max(Math.floor(value), 0), heightPx - 1);
  if (!isSmooth) {
    const at = (row(v) * widthPx + column(u)) * 4;
    for (let channel = 0; channel < 4; channel++) out[channel] = rgba[at + channel]!;
    return;
  }
  const fractionX = u - 0.5 - Math.floor(u - 0.5);
  const fractionY = v - 0.5 - Math.floor(v - 0.5);
  out.fill(0);
  let alpha = 0;
  for (let corner = 0; corner < 4; corner++) {
    const isRight = (corner & 1) === 1;
    const isLower = corner >= 2;
    const weight = (isRight ? fractionX : 1 - fractionX) * (isLower ? fractionY : 1 - fractionY);
    const at =
      (row(v - 0.5 + (isLower ? 1 : 0)) * widthPx + column(u - 0.5 + (isRight ? 1 : 0))) * 4;
    const share = weight * rgba[at + 3]!;
    alpha += share;
    for (let channel = 0; channel < 3; channel++) out[channel]! += share * rgba[at + channel]!;
  }
  for (let channel = 0; channel < 3; channel++)
    out[channel] = alpha === 0 ? 0 : out[channel]! / alpha;
  out[3] = alpha;
}

/** Returns the current pixels of a source in the size in which the page shows them. */
export function takeDisplayedPixels(source: PixelSource): Pixels | null {
  const pixels = source.takePixels();
  if (pixels === null || source.displaySizePx === undefined) return pixels;
  const [widthPx, heightPx] = source.displaySizePx;
  const isSame = widthPx === pixels.widthPx && heightPx === pixels.heightPx;
  return isSame ? pixels : { ...pixels, ...resizePixels(pixels, widthPx, heightPx, true) };
}

/**
 * Resizes an image; the result has straight alpha. @param isSmooth Whether to interpolate between
 * pixels.
 */
export function resizePixels(
  pixels: Pixels,
  widthPx: number,
  heightPx: number,
  isSmooth: boolean,
): Pixels {
  const source = withStraightAlpha(pixels);
  const rgba = new Uint8ClampedArray(widthPx * heightPx * 4);
  const texel = new Float64Array(4);
  const [stepX, stepY] = [source.widthPx / widthPx, source.heightPx / heightPx];
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      samplePixels(source, (x + 0.5) * stepX, (y + 0.5) * stepY, isSmooth, texel);
      rgba.set(texel, (y * widthPx + x) * 4);
    }
  }
  return { widthPx, heightPx, rgba, isPremultiplied: false };
}
