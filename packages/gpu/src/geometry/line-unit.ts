/** Clips and sets up lines and points, and polygons that are drawn as such, one at a time. */
import type { BoundDraw } from '../command/bound-draw.ts';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import { writeLinePlanes, writePointPlanes } from '../raster/planes/attribute-planes.ts';
import { writeLineDepth } from '../raster/planes/depth-plane.ts';
import { LineBasis } from '../raster/planes/line-basis.ts';
import { setupLine } from '../raster/setup/line-setup.ts';
import { offsetDepth } from '../raster/setup/outline-records.ts';
import { setupPoint } from '../raster/setup/point-setup.ts';
import { setupRectangularLine } from '../raster/setup/rectangular-line-setup.ts';
import { OUTSIDE, type PrimitiveOutcome, SET_UP } from '../records/raster-record.ts';
import { type PlaneChoice, takePrimitiveRecord } from './primitive-planes.ts';
import { NEEDS_CLIPPING, NOT_FINITE, OUTSIDE_ALL, OUTSIDE_VIEW } from './vertices/clip-codes.ts';
import { clipSegment, clipVertexOf, planesForLines, storeClipVertex } from './vertices/clipper.ts';
import type { VertexStore } from './vertices/vertex-store.ts';

/** Properties that a line or point takes from the primitive that it is drawn for. */
interface LineOrigin {
  /** Vertex that provides flat varyings. */
  readonly provoking: number;
  readonly isFrontFacing: boolean;
  /** Offset of its depth, in stored units. */
  readonly depthOffset: number;
}

/** Setup of lines and points. */
export class LineUnit {
  /** Whether clipping cut the last line. */
  wasClipped = false;
  /** Outcome of the last line or point. */
  lastOutcome: PrimitiveOutcome = SET_UP;
  /** Primitive that the next lines and points are drawn for. */
  origin: LineOrigin = { provoking: 0, isFrontFacing: true, depthOffset: 0 };

  readonly #memory: ChipletMemory;
  readonly #vertices: VertexStore;
  readonly #basis = new LineBasis();

  constructor(memory: ChipletMemory, vertices: VertexStore) {
    this.#memory = memory;
    this.#vertices = vertices;
  }

  /**
   * Sets up the line from vertex `start` to `end` as raster record `record`.
   *
   * @param free First vertex of the store that clipping may overwrite.
   * @returns Number of records, 0 or 1. If it is 0, {@link lastOutcome} gives the reason.
   */
  setUpLine(
    draw: BoundDraw,
    start: number,
    end: number,
    free: number,
    record: number,
    planes: PlaneChoice,
  ): number {
    this.wasClipped = false;
    const { code } = this.#vertices;
    const corners = [start, end];
    let [v0, v1] = [start, end];
    const { provoking, isFrontFacing, depthOffset } = this.origin;
    const any = code[v0]! | code[v1]!;
    if ((code[v0]! & code[v1]! & OUTSIDE_ALL) !== 0 || (any & NOT_FINITE) !== 0) {
      return this.#drop(OUTSIDE);
    }
    if ((any & (NEEDS_CLIPPING | OUTSIDE_VIEW)) !== 0) {
      this.wasClipped = true;
      const segment = clipSegment(
        clipVertexOf(this.#vertices, v0, 0),
        clipVertexOf(this.#vertices, v1, 1),
        planesForLines(draw.viewport),
      );
      if (segment === null) return this.#drop(OUTSIDE);
      for (const [i, clipped] of segment.entries()) {
        storeClipVertex(this.#memory, this.#vertices, draw.viewport, clipped, corners, free + i);
      }
      v0 = free;
      v1 = free + 1;
    }
    const { areLinesSmooth, sampleCount } = draw.setup;
    const setup = areLinesSmooth || sampleCount > 1 ? setupRectangularLine : setupLine;
    const result = setup(this.#memory, this.#vertices, draw.setup, record, v0, v1);
    this.lastOutcome = result;
    if (result !== SET_UP) return 0;
    if (planes !== null && planes !== 'depth') {
      const basis = this.#basis;
      if (areLinesSmooth) basis.setSmooth(this.#vertices, v0, v1);
      else basis.set(this.#vertices, v0, v1);
      writeLineDepth(this.#memory, this.#vertices, record, basis, v0, v1);
      offsetDepth(this.#memory, record, depthOffset);
      writeLinePlanes(
        this.#memory,
        this.#vertices,
        draw.attributes,
        takePrimitiveRecord(this.#memory, draw, planes, record),
        record,
        basis,
        v0,
        v1,
        provoking,
        isFrontFacing,
        draw.targetHeightPx,
      );
    }
    return 1;
  }

  /** Sets up the point at `vertex` as raster record `record`. Returns as {@link setUpLine}. */
  setUpPoint(draw: BoundDraw, vertex: number, record: number, planes: PlaneChoice): number {
    const { provoking, isFrontFacing, depthOffset } = this.origin;
    // A point is clipped by its center: dropped, or drawn in full (GL ES 3.0, section 2.17).
    if ((this.#vertices.code[vertex]! & draw.setup.pointClipCodes) !== 0)
      return this.#drop(OUTSIDE);
    const result = setupPoint(this.#memory, this.#vertices, draw.setup, record, vertex);
    this.lastOutcome = result;
    if (result !== SET_UP) return 0;
    if (planes !== null && planes !== 'depth') {
      offsetDepth(this.#memory, record, depthOffset);
      writePointPlanes(
        this.#memory,
        this.#vertices,
        draw.attributes,
        takePrimitiveRecord(this.#memory, draw, planes, record),
        record,
        vertex,
        provoking,
        isFrontFacing,
        draw.targetHeightPx,
      );
    }
    return 1;
  }

  #drop(outcome: PrimitiveOutcome): 0 {
    this.lastOutcome = outcome;
    return 0;
  }
}
