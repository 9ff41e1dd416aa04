/** `ImageData` of the canvas standard: pixels that a program can write. */
import type { PixelSource, Pixels } from '../../pixels/pixels.ts';

/** Pixel array of a canvas. */
export class ImageData implements PixelSource {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
  readonly colorSpace = 'srgb';

  /**
   * `new ImageData(width, height)`, or `new ImageData(bytes, width, height?)`, which uses the
   * caller's bytes.
   */
  constructor(first: number | Uint8ClampedArray, second: number, third?: number) {
    if (typeof first === 'number') {
      this.width = checkEdge(first, 'width');
      this.height = checkEdge(second, 'height');
      this.data = new Uint8ClampedArray(this.width * this.height * 4);
      return;
    }
    const rowBytes = checkEdge(second, 'width') * 4;
    const height = third ?? first.length / rowBytes;
    if (first.length === 0 || rowBytes * height !== first.length || !Number.isInteger(height)) {
      throw new DOMException(
        `ImageData: ${first.length} bytes are not whole rows of ${second} pixels`,
      );
    }
    this.width = second;
    this.height = height;
    this.data = first;
  }

  takePixels(): Pixels {
    const { width: widthPx, height: heightPx, data: rgba } = this;
    return { widthPx, heightPx, rgba, isPremultiplied: false };
  }
}

function checkEdge(value: number, name: string): number {
  const edge = Math.trunc(value);
  if (!(edge > 0))
    throw new DOMException(`ImageData: ${name} ${value} is not positive`, 'IndexSizeError');
  return edge;
}
