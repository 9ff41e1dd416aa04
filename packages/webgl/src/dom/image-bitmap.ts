/** `ImageBitmap` and `createImageBitmap`: pixels ready to be uploaded, turned and multiplied as asked. */
import { decodePixels } from './image-element.ts';
import {
  cropPixels,
  flipPixels,
  isPixelSource,
  type PixelSource,
  type Pixels,
  withPremultipliedAlpha,
  withStraightAlpha,
} from './pixels.ts';

export interface BitmapOptions {
  readonly imageOrientation?: 'none' | 'from-image' | 'flipY';
  readonly premultiplyAlpha?: 'none' | 'premultiply' | 'default';
  readonly colorSpaceConversion?: 'none' | 'default';
}

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

/** @param rest Either options, or x, y, width, height and options. */
export async function createImageBitmap(
  source: Blob | PixelSource,
  ...rest: readonly (number | BitmapOptions | undefined)[]
): Promise<ImageBitmap> {
  const whole = await pixelsOf(source);
  const options = (rest.length >= 4 ? rest[4] : rest[0]) as BitmapOptions | undefined;
  const [x, y, width, height] = rest as readonly number[];
  const part = rest.length >= 4 ? cropPixels(whole, x!, y!, width!, height!) : whole;
  const turned = options?.imageOrientation === 'flipY' ? flipPixels(part) : part;
  const isStraight = options?.premultiplyAlpha === 'none';
  const ready = isStraight ? withStraightAlpha(turned) : withPremultipliedAlpha(turned);
  return new ImageBitmap({ ...ready, rgba: new Uint8ClampedArray(ready.rgba) });
}

async function pixelsOf(source: Blob | PixelSource): Promise<Pixels> {
  if (source instanceof Blob) {
    const bytes = new Uint8Array(await source.arrayBuffer());
    try {
      return decodePixels('createImageBitmap', bytes);
    } catch (cause) {
      throw new DOMException(String(cause), 'InvalidStateError');
    }
  }
  const pixels = isPixelSource(source) ? source.takePixels() : null;
  if (pixels === null) throw new DOMException('createImageBitmap: nothing to take pixels from');
  return pixels;
}
