/**
 * Facing and depth slope of a triangle that is drawn as lines or points. Both are those of the part
 * of the triangle inside the view volume (OpenGL 2.1, sections 3.5.1 and 3.5.5).
 */
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import { slopeOf } from '../raster/planes/depth-plane.ts';
import { TriangleBasis } from '../raster/planes/triangle-basis.ts';
import { doubledArea, isFrontFacing } from '../raster/setup/triangle-setup.ts';
import { NEEDS_CLIPPING, NOT_FINITE, OUTSIDE_ALL } from './vertices/clip-codes.ts';
import { clipPolygon, clipVertexOf, planesForCodes, storeClipVertex } from './vertices/clipper.ts';
import type { VertexStore } from './vertices/vertex-store.ts';
import type { ViewportTransform } from './vertices/viewport-transform.ts';

/** Facing of one triangle at a time. */
export class PolygonFacing {
  /** Whether the triangle is front-facing. Without an area it is not. */
  isFront = false;
  /** Largest rise of depth per pixel along x or y, in stored units; 0 without an area. */
  slope = 0;
  /** Whether a part of the triangle is outside the planes that triangles are clipped to. */
  wasClipped = false;

  readonly #memory: ChipletMemory;
  readonly #vertices: VertexStore;
  readonly #basis = new TriangleBasis();

  constructor(memory: ChipletMemory, vertices: VertexStore) {
    this.#memory = memory;
    this.#vertices = vertices;
  }

  /**
   * Measures a triangle.
   *
   * @param corners Vertices of the triangle.
   * @param free First vertex of the store that clipping may overwrite.
   * @returns Whether any part of the triangle is in view.
   */
  measure(
    corners: readonly [number, number, number],
    free: number,
    viewport: ViewportTransform,
    isFrontClockwise: boolean,
  ): boolean {
    const { code } = this.#vertices;
    const [v0, v1, v2] = corners;
    const any = code[v0]! | code[v1]! | code[v2]!;
    this.wasClipped = false;
    if ((code[v0]! & code[v1]! & code[v2]! & OUTSIDE_ALL) !== 0) return false;
    if ((any & NOT_FINITE) !== 0) return false;
    if ((any & NEEDS_CLIPPING) === 0) {
      this.#take(v0, v1, v2, isFrontClockwise);
      return true;
    }
    this.wasClipped = true;
    const polygon = clipPolygon(
      corners.map((vertex, corner) => clipVertexOf(this.#vertices, vertex, corner)),
      planesForCodes(any, viewport),
    );
    if (polygon.length === 0) return false;
    for (const [i, clipped] of polygon.entries()) {
      storeClipVertex(this.#memory, this.#vertices, viewport, clipped, corners, free + i);
    }
    // The first triangle of the fan with an area; rounding may leave others without one.
    for (let i = 1; i + 1 < polygon.length; i++) {
      if (this.#take(free, free + i, free + i + 1, isFrontClockwise)) break;
    }
    return true;
  }

  /** Measures a triangle that needs no clipping. Returns whether it has an area. */
  #take(v0: number, v1: number, v2: number, isFrontClockwise: boolean): boolean {
    const area = doubledArea(this.#vertices, v0, v1, v2);
    this.isFront = isFrontFacing(area, isFrontClockwise);
    this.slope = 0;
    if (area === 0) return false;
    this.#basis.set(this.#vertices, v0, v1, v2);
    this.slope = slopeOf(this.#vertices, this.#basis, v0, v1, v2);
    return true;
  }
}
