/**
 * Barycentric weights of a triangle as functions of the window position. The planes of depth, 1 / w
 * and varyings derive from them.
 *
 * Coverage is decided over corners rounded to 1/256 pixel, which makes it exact. Values are
 * interpolated over the corners before rounding, so a vertex keeps its value where the transform
 * placed it. With rounded corners, every value would be wrong by the rise of its plane over up to
 * half a subpixel.
 *
 * A covered sample may therefore be outside the triangle of the weights, by half a subpixel along
 * each axis. For a sliver that is many times its width. Slivers, and triangles whose 1 / w could
 * come near 0 that way, use the weights of their rounded corners. All covered samples are inside
 * these.
 */
import type { VertexStore } from '../../geometry/vertices/vertex-store.ts';

/**
 * Threshold for slivers: a triangle whose doubled area in subpixels² is less than this times its
 * edges' |x| + |y| in subpixels is a sliver. Otherwise, a covered sample's weights are within 1/4
 * of 0…1.
 */
export const MIN_HEIGHT_SUBPIXELS = 2;

/**
 * Weights of a triangle's second and third corner. The first corner has the rest to 1. One instance
 * is reused for many triangles.
 */
export class TriangleBasis {
  /** Position of the first corner, where both weights are 0, in pixels. */
  x0 = 0.5;
  y0 = 0.5;
  /** Gradients per pixel of the second and the third corner's weights. */
  dx1 = 0.5;
  dy1 = 0.5;
  dx2 = 0.5;
  dy2 = 0.5;

  /** Sets the basis to a triangle whose rounded corners span an area. */
  set(vertices: VertexStore, v0: number, v1: number, v2: number): void {
    const { exactX, exactY, windowX, windowY } = vertices;
    if (!this.#take(vertices, exactX, exactY, true, v0, v1, v2)) {
      this.#take(vertices, windowX, windowY, false, v0, v1, v2);
    }
  }

  /**
   * Uses corners at the given positions. If `isChecked`, rejects them when samples may be too far
   * outside.
   */
  #take(
    { reciprocalW }: VertexStore,
    x: Float64Array,
    y: Float64Array,
    isChecked: boolean,
    v0: number,
    v1: number,
    v2: number,
  ): boolean {
    const x0 = x[v0]!;
    const y0 = y[v0]!;
    const ex1 = x[v1]! - x0;
    const ey1 = y[v1]! - y0;
    const ex2 = x[v2]! - x0;
    const ey2 = y[v2]! - y0;
    const area = ex1 * ey2 - ex2 * ey1;
    if (isChecked) {
      const size = Math.abs(area);
      const longest = Math.max(
        Math.abs(ex1) + Math.abs(ey1),
        Math.abs(ex2) + Math.abs(ey2),
        Math.abs(ex2 - ex1) + Math.abs(ey2 - ey1),
      );
      if (!(size > 0 && size >= MIN_HEIGHT_SUBPIXELS * longest)) return false;
      // Half a subpixel along each axis may remove at most half of the smallest 1 / w.
      const r0 = reciprocalW[v0]!;
      const r1 = reciprocalW[v1]!;
      const r2 = reciprocalW[v2]!;
      const rise =
        Math.abs((r1 - r0) * ey2 - (r2 - r0) * ey1) + Math.abs((r2 - r0) * ex1 - (r1 - r0) * ex2);
      if (!(rise <= Math.min(r0, r1, r2) * size)) return false;
    }
    const perPixel = 256 / area;
    this.x0 = x0 / 256;
    this.y0 = y0 / 256;
    this.dx1 = ey2 * perPixel;
    this.dy1 = -ex2 * perPixel;
    this.dx2 = -ey1 * perPixel;
    this.dy2 = ex1 * perPixel;
    return true;
  }
}
