/** Pixels as elements of a page hold them, and where the texture calls of WebGL take them from. */

/** A picture: 4 bytes a pixel, from the top row. */
export interface Pixels {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rgba: Uint8ClampedArray;
  /** Whether colors are multiplied with alpha already. */
  readonly isPremultiplied: boolean;
  /** Whether the page may show it and not read it: it, or something drawn over it, is of another origin (HTML: not origin-clean). */
  readonly isForeign?: boolean;
}

/**
 * Something a page draws or uploads. The canvas, the image, the bitmap and `ImageData` of this folder all are
 * one, so that a WebGL context asks one question of whatever `texImage2D` was given.
 */
export interface PixelSource {
  readonly width: number;
  readonly height: number;
  /** Whether texture calls take its rows and colors as they are, whatever `pixelStorei` says. */
  readonly isReadyToUpload?: boolean;
  /** What is to be uploaded or drawn now; `null` where there is nothing (an image that is not loaded). */
  takePixels(): Pixels | null;
}

/** @throws {DOMException} SecurityError if the pixels are not the page's to read. */
export function requireReadable(caller: string, { isForeign }: Pick<Pixels, 'isForeign'>): void {
  if (isForeign === true) {
    throw new DOMException(`${caller}: the picture is of another origin`, 'SecurityError');
  }
}

export function isPixelSource(value: unknown): value is PixelSource {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<PixelSource>).takePixels === 'function'
  );
}

/** Divides colors by alpha; a transparent pixel is black. Gives `pixels` itself when there is nothing to do. */
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

/** Multiplies colors with alpha. Gives `pixels` itself when there is nothing to do. */
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

/** The rectangle at (x, y); what lies outside of the picture is transparent black. */
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

/** The picture upside down. */
export function flipPixels(pixels: Pixels): Pixels {
  const rowBytes = pixels.widthPx * 4;
  const rgba = new Uint8ClampedArray(pixels.rgba.length);
  for (let row = 0; row < pixels.heightPx; row++) {
    const from = row * rowBytes;
    rgba.set(pixels.rgba.subarray(from, from + rowBytes), rgba.length - from - rowBytes);
  }
  return { ...pixels, rgba };
}
