/** Images of page elements, and the interface from which WebGL's texture calls read them. */

/** Image with 4 bytes per pixel, top row first. */
export interface Pixels {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rgba: Uint8ClampedArray;
  /** Whether colors are already multiplied by alpha. */
  readonly isPremultiplied: boolean;
  /**
   * Whether the page can show but not read the image, because the image contains pixels of a
   * foreign origin (HTML: not origin-clean).
   */
  readonly isForeign?: boolean;
}

/**
 * Object whose pixels a page can draw or upload. Canvases, images, bitmaps and `ImageData`
 * implement it, so a WebGL context treats every argument of `texImage2D` alike.
 */
export interface PixelSource {
  /** Whether texture calls use rows and colors unchanged and ignore `pixelStorei`. */
  readonly isReadyToUpload?: boolean;
  /**
   * Returns the current pixels, or `null` if there are none, for example before an image is loaded.
   */
  takePixels(): Pixels | null;
  /** Size in which the page shows the pixels, if it is not theirs, as that of some videos. */
  readonly displaySizePx?: readonly [widthPx: number, heightPx: number];
  /**
   * Returns the current pixels with 16 bits per channel and straight alpha, or `null` if the source
   * has no more than 8.
   */
  takeDeepRgba?(): Uint16Array | null;
}

/**
 * Checks that the page can read the pixels.
 *
 * @throws {DOMException} SecurityError if it cannot.
 */
export function requireReadable(caller: string, { isForeign }: Pick<Pixels, 'isForeign'>): void {
  if (isForeign === true) {
    throw new DOMException(`${caller}: the image is of another origin`, 'SecurityError');
  }
}

/** Returns whether a value implements {@link PixelSource}. */
export function isPixelSource(value: unknown): value is PixelSource {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<PixelSource>).takePixels === 'function'
  );
}

/**
 * Divides colors by alpha; transparent pixels become black. Returns `pixels` itself if alpha is
 * already straight.
 */
export function withStraightAlpha(pixels: Pixels): Pixels {
  if (!pixels.isPremultiplied) return pixels;
  const rgba = new Uint8ClampedArray(pixels.rgba);
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3]!;
    if (alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel++) {
      rgba[channel] = alpha === 0 ? 0 : (rgba[channel]! * 255) / alpha;
    }
  }
  return { ...pixels, rgba, isPremultiplied: false };
}

/** Multiplies colors by alpha. Returns `pixels` itself if they are already multiplied. */
export function withPremultipliedAlpha(pixels: Pixels): Pixels {
  if (pixels.isPremultiplied) return pixels;
  const rgba = new Uint8ClampedArray(pixels.rgba);
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3]!;
    if (alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel++) {
      rgba[channel] = (rgba[channel]! * alpha) / 255;
    }
  }
  return { ...pixels, rgba, isPremultiplied: true };
}

/** Crops a rectangle at (x, y). Pixels outside the image become transparent black. */
export function cropPixels(
  pixels: Pixels,
  x: number,
  y: number,
  widthPx: number,
  heightPx: number,
): Pixels {
  const rgba = new Uint8ClampedArray(widthPx * heightPx * 4);
  const left = Math.max(x, 0);
  const right = Math.min(x + widthPx, pixels.widthPx);
  for (let row = Math.max(y, 0); row < Math.min(y + heightPx, pixels.heightPx); row++) {
    if (left >= right) break;
    const from = (row * pixels.widthPx + left) * 4;
    const to = ((row - y) * widthPx + left - x) * 4;
    rgba.set(pixels.rgba.subarray(from, from + (right - left) * 4), to);
  }
  return { ...pixels, widthPx, heightPx, rgba };
}

/** Flips an image vertically. */
export function flipPixels(pixels: Pixels): Pixels {
  const rowBytes = pixels.widthPx * 4;
  const rgba = new Uint8ClampedArray(pixels.rgba.length);
  for (let row = 0; row < pixels.heightPx; row++) {
    const from = row * rowBytes;
    rgba.set(pixels.rgba.subarray(from, from + rowBytes), rgba.length - from - rowBytes);
  }
  return { ...pixels, rgba };
}
