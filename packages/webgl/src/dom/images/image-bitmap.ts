/**
 * `ImageBitmap` and `createImageBitmap`: pixels ready for upload, with the requested orientation
 * and alpha.
 */

import {
  cropPixels,
  flipPixels,
  isPixelSource,
  type PixelSource,
  type Pixels,
  withPremultipliedAlpha,
  withStraightAlpha,
} from '../../pixels/pixels.ts';
import { decodePixels } from './decode-pixels.ts';
import { resizePixels, takeDisplayedPixels } from './sample-pixels.ts';

/** Options of `createImageBitmap`. */
export interface BitmapOptions {
  readonly imageOrientation?: 'none' | 'from-image' | 'flipY';
  readonly premultiplyAlpha?: 'none' | 'premultiply' | 'default';
  /** Ignored, because colors are not converted. */
  readonly colorSpaceConversion?: 'none' | 'default';
  /** Size in pixels. If only one edge is set, the aspect ratio is kept. */
  readonly resizeWidth?: number;
  readonly resizeHeight?: number;
  readonly resizeQuality?: 'pixelated' | 'low' | 'medium' | 'high';
}

/** Immutable image that texture uploads use without conversion. */
export class ImageBitmap implements PixelSource {
  readonly isReadyToUpload = true;
  #pixels: Pixels | null;

  constructor(pixels: Pixels) {
    this.#pixels = pixels;
  }

  get width(): number {
    return this.#pixels?.widthPx ?? 0;
  }

  get height(): number {
    return this.#pixels?.heightPx ?? 0;
  }

  takePixels(): Pixels | null {
    return this.#pixels;
  }

  close(): void {
    this.#pixels = null;
  }
}

/** Creates a bitmap. @param rest Options, or x, y, width, height and options. */
export async function createImageBitmap(
  source: Blob | PixelSource,
  ...rest: readonly (number | BitmapOptions | undefined)[]
): Promise<ImageBitmap> {
  const options = (rest.length >= 4 ? rest[4] : rest[0]) as BitmapOptions | undefined;
  const whole = await pixelsOf(source);
  const part = rest.length >= 4 ? cutRectangle(whole, rest as readonly number[]) : whole;
  const sized = resizeBitmap(part, options ?? {});
  const turned = options?.imageOrientation === 'flipY' ? flipPixels(sized) : sized;
  const isStraight = options?.premultiplyAlpha === 'none';
  const ready = isStraight ? withStraightAlpha(turned) : withPremultipliedAlpha(turned);
  return new ImageBitmap({ ...ready, rgba: new Uint8ClampedArray(ready.rgba) });
}

/**
 * Crops a rectangle. A negative width or height extends it to the left of x or above y.
 *
 * @throws {RangeError} If the rectangle is empty.
 */
function cutRectangle(whole: Pixels, rectangle: readonly number[]): Pixels {
  const [x, y, width, height] = rectangle.map(Math.trunc) as [number, number, number, number];
  if (width === 0 || height === 0) {
    throw new RangeError(`createImageBitmap: the source rectangle of ${width}×${height} is empty`);
  }
  const [left, top] = [Math.min(x, x + width), Math.min(y, y + height)];
  return cropPixels(whole, left, top, Math.abs(width), Math.abs(height));
}

function resizeBitmap(pixels: Pixels, options: BitmapOptions): Pixels {
  const { resizeWidth, resizeHeight, resizeQuality } = options;
  if (resizeWidth === 0 || resizeHeight === 0) {
    throw new DOMException(
      'createImageBitmap: resizeWidth and resizeHeight must not be 0',
      'InvalidStateError',
    );
  }
  const widthPx =
    resizeWidth ?? Math.ceil((pixels.widthPx * (resizeHeight ?? 0)) / pixels.heightPx);
  const heightPx =
    resizeHeight ?? Math.ceil((pixels.heightPx * (resizeWidth ?? 0)) / pixels.widthPx);
  const isSame = widthPx === pixels.widthPx && heightPx === pixels.heightPx;
  if (widthPx + heightPx === 0 || isSame) return pixels;
  return resizePixels(pixels, widthPx, heightPx, resizeQuality !== 'pixelated');
}

async function pixelsOf(source: Blob | PixelSource): Promise<Pixels> {
  if (source instanceof Blob) {
    const bytes = new Uint8Array(await source.arrayBuffer());
    try {
      return (await decodePixels('createImageBitmap', bytes)).pixels;
    } catch (cause) {
      throw new DOMException(String(cause), 'InvalidStateError');
    }
  }
  const pixels = isPixelSource(source) ? takeDisplayedPixels(source) : null;
  if (pixels === null) throw new DOMException('createImageBitmap: the source has no pixels');
  return pixels;
}
