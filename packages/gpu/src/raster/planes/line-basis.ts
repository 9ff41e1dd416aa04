/**
 * Position along a line v0→v1 as a function of the window position: 0 at v0, 1 at v1 (GL ES 3.0,
 * section 3.5.1). The planes of depth, 1 / w and varyings of a line derive from it.
 *
 * As for triangles (triangle-basis.ts), it is based on the ends before rounding to 1/256 pixel.
 * Lines shorter than a pixel use the rounded ends, because rounding could reverse their direction.
 */
import type { VertexStore } from '../../geometry/vertices/vertex-store.ts';

/** Square of one pixel, in subpixels². */
const MIN_SQUARED_LENGTH = 256 * 256;

/** Weight of the line's second end. One instance is reused for many lines. */
export class LineBasis {
  /** Start of the line, in pixels. */
  x0 = 0.5;
  y0 = 0.5;
  /** Gradient per pixel. */
  dx = 0.5;
  dy = 0.5;

  /** Sets the basis to a line whose rounded ends differ. */
  set({ exactX, exactY, windowX, windowY }: VertexStore, v0: number, v1: number): void {
    if (!this.#take(exactX, exactY, v0, v1, MIN_SQUARED_LENGTH)) {
      this.#take(windowX, windowY, v0, v1, 0);
    }
  }

  /**
   * Sets the basis to the rectangle of a smooth line, which is longer by half a pixel at each end.
   * Values at the ends of the rectangle are those at the ends of the line, so none is extrapolated.
   */
  setSmooth(vertices: VertexStore, v0: number, v1: number): void {
    this.set(vertices, v0, v1);
    const { dx, dy } = this;
    const length = 1 / Math.sqrt(dx * dx + dy * dy);
    const shrink = length / (length + 1);
    this.x0 -= 0.5 * length * dx;
    this.y0 -= 0.5 * length * dy;
    this.dx = dx * shrink;
    this.dy = dy * shrink;
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
