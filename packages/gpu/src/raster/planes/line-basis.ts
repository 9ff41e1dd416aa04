/**
 * How far along a line v0→v1 a window position is, 0 at v0 and 1 at v1 (GL ES 3.0, section 3.5.1): what the
 * planes of depth, 1 / w and varyings of a line are made from.
 *
 * As with triangles (triangle-basis.ts), over the ends before rounding to 1/256 pixel. Lines that are
 * shorter than a pixel keep the rounded ends: rounding could turn them around.
 */
import type { VertexStore } from '../../geometry/vertices/vertex-store.ts';

/** One pixel, in subpixels². */
const MIN_SQUARED_LENGTH = 256 * 256;

/** The share of the line's far end. Made to be set again. */
export class LineBasis {
  /** Where the line starts, in pixels. */
  x0 = 0.5;
  y0 = 0.5;
  /** Gradient per pixel. */
  dx = 0.5;
  dy = 0.5;

  /** Takes a line whose rounded ends differ. */
  set({ exactX, exactY, windowX, windowY }: VertexStore, v0: number, v1: number): void {
    if (!this.#take(exactX, exactY, v0, v1, MIN_SQUARED_LENGTH)) {
      this.#take(windowX, windowY, v0, v1, 0);
    }
  }

  #take(x: Float64Array, y: Float64Array, v0: number, v1: number, minSquare: number): boolean {
    const lengthX = x[v1]! - x[v0]!;
    const lengthY = y[v1]! - y[v0]!;
    const square = lengthX * lengthX + lengthY * lengthY;
    if (square < minSquare) return false;
    this.x0 = x[v0]! / 256;
    this.y0 = y[v0]! / 256;
    this.dx = (256 * lengthX) / square;
    this.dy = (256 * lengthY) / square;
    return true;
  }
}
