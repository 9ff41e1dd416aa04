/**
 * Triangle setup: facing, culling, box, and edge functions in fixed point after Pineda, "A Parallel
 * Algorithm for Polygon Rasterization" (SIGGRAPH 1988).
 *
 * Coordinates are integers in 1/256 pixel, x to the right and y down. Edges run clockwise on the
 * screen, so the inside of every edge is positive. Products of differences stay below 2^48, so
 * doubles are exact.
 *
 * Setup sees the primitive and its draw, never the bin. Its results are therefore equal on every
 * chiplet.
 */
import type { VertexStore } from '../../geometry/vertices/vertex-store.ts';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import {
  BOX_X0,
  BOX_X1,
  BOX_Y0,
  BOX_Y1,
  EDGE_A,
  EDGE_B,
  EDGE_C,
  EDGE_COUNT,
  FACE_CULLED,
  NO_SAMPLE,
  ORIGIN_X,
  ORIGIN_Y,
  RECORD_F64,
  RECORD_I32,
  SET_UP,
  type SetupResult,
  ZERO_AREA,
} from '../../records/raster-record.ts';
import { greatestSampleRise, sampleReachSubpixels } from '../../records/sample-positions.ts';
import type { PixelBounds, SetupState } from '../setup-state.ts';

/**
 * Returns whether a triangle with this doubled area (positive: clockwise on the screen) is
 * front-facing.
 */
export function isFrontFacing(doubledArea: number, isFrontClockwise: boolean): boolean {
  return isFrontClockwise ? doubledArea > 0 : doubledArea < 0;
}

/**
 * Returns twice the signed area of three vertices, in 1/65536 pixel². Positive means clockwise on
 * the screen.
 */
export function doubledArea(vertices: VertexStore, v0: number, v1: number, v2: number): number {
  const { windowX, windowY } = vertices;
  const x0 = windowX[v0]!;
  const y0 = windowY[v0]!;
  return (windowX[v1]! - x0) * (windowY[v2]! - y0) - (windowX[v2]! - x0) * (windowY[v1]! - y0);
}

/**
 * Writes edge `k` of a raster record: the directed edge (ax, ay)→(bx, by), inside to its right on
 * the screen.
 *
 * @param isInclusive Whether samples exactly on the edge belong to the primitive.
 * @param sampleCount Samples per pixel.
 */
export function writeEdge(
  memory: ChipletMemory,
  record: number,
  k: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  isInclusive: boolean,
  sampleCount: number,
): void {
  const a = ay - by;
  const b = bx - ax;
  // E(i, j) = a (256 i + 128 − ax) + b (256 j + 128 − ay); inside where E ≥ 0, or E − 1 ≥ 0.
  const atPixelZero = a * (128 - ax) + b * (128 - ay) - (isInclusive ? 0 : 1);
  memory.f64[(memory.rasterRecordsPtr >> 3) + record * RECORD_F64 + EDGE_C + k] =
    sampleCount > 1
      ? atPixelZero / 256 + greatestSampleRise(a, b, sampleCount)
      : Math.floor(atPixelZero / 256);
  const at = (memory.rasterRecordsPtr >> 2) + record * RECORD_I32;
  memory.i32[at + EDGE_A + k] = a;
  memory.i32[at + EDGE_B + k] = b;
}

/**
 * Returns whether a sample exactly on the directed edge a→b belongs to the triangle (the top-left
 * rule).
 *
 * Two triangles that share an edge walk it in opposite directions. Exactly one direction is top or
 * left, so a sample on a shared edge is drawn exactly once.
 */
export function isTopLeftEdge(ax: number, ay: number, bx: number, by: number): boolean {
  return by < ay || (by === ay && bx > ax);
}

/**
 * Writes the box of the samples in a rectangle given in subpixels, clipped to `bounds`, and the
 * origin in its middle. Samples on the low and high edges count as inside.
 *
 * @param sampleCount Samples per pixel. The box has all pixels with a sample in the rectangle.
 * @returns Whether the box contains a sample.
 */
export function writeBox(
  memory: ChipletMemory,
  record: number,
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
  bounds: PixelBounds,
  sampleCount: number,
): boolean {
  // The first sample at or after m is (m + 127) >> 8, the last at or before m is (m − 128) >> 8.
  const reach = sampleReachSubpixels(sampleCount);
  const x0 = Math.max((minX + 127 - reach) >> 8, bounds.x0);
  const y0 = Math.max((minY + 127 - reach) >> 8, bounds.y0);
  const x1 = Math.min((maxX - 128 + reach) >> 8, bounds.x1);
  const y1 = Math.min((maxY - 128 + reach) >> 8, bounds.y1);
  if (x1 < x0 || y1 < y0) return false;
  const { i32 } = memory;
  const at = (memory.rasterRecordsPtr >> 2) + record * RECORD_I32;
  i32[at + BOX_X0] = x0;
  i32[at + BOX_Y0] = y0;
  i32[at + BOX_X1] = x1;
  i32[at + BOX_Y1] = y1;
  i32[at + ORIGIN_X] = (x0 + x1) >> 1;
  i32[at + ORIGIN_Y] = (y0 + y1) >> 1;
  return true;
}

/**
 * Sets up triangle (v0, v1, v2) as raster record `record`. The record is complete only if the
 * result is SET_UP, except for its depth plane (depth-plane.ts). The test for zero area precedes
 * the test for facing, which needs an area.
 */
export function setupTriangle(
  memory: ChipletMemory,
  vertices: VertexStore,
  state: SetupState,
  record: number,
  v0: number,
  v1: number,
  v2: number,
): SetupResult {
  const { windowX, windowY } = vertices;
  const x0 = windowX[v0]!;
  const y0 = windowY[v0]!;
  const x1 = windowX[v1]!;
  const y1 = windowY[v1]!;
  const x2 = windowX[v2]!;
  const y2 = windowY[v2]!;

  // 1. Facing and culling.
  const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
  if (area === 0) return ZERO_AREA;
  const isFront = isFrontFacing(area, state.isFrontClockwise);
  if (isFront ? state.cullsFront : state.cullsBack) return FACE_CULLED;

  // 2. Box.
  const hasSample = writeBox(
    memory,
    record,
    Math.min(x0, x1, x2),
    Math.min(y0, y1, y2),
    Math.max(x0, x1, x2),
    Math.max(y0, y1, y2),
    state.polygonBounds,
    state.sampleCount,
  );
  if (!hasSample) return NO_SAMPLE;

  // 3. Edges, clockwise.
  const many = state.sampleCount;
  if (area > 0) {
    writeEdge(memory, record, 0, x0, y0, x1, y1, isTopLeftEdge(x0, y0, x1, y1), many);
    writeEdge(memory, record, 1, x1, y1, x2, y2, isTopLeftEdge(x1, y1, x2, y2), many);
    writeEdge(memory, record, 2, x2, y2, x0, y0, isTopLeftEdge(x2, y2, x0, y0), many);
  } else {
    writeEdge(memory, record, 0, x0, y0, x2, y2, isTopLeftEdge(x0, y0, x2, y2), many);
    writeEdge(memory, record, 1, x2, y2, x1, y1, isTopLeftEdge(x2, y2, x1, y1), many);
    writeEdge(memory, record, 2, x1, y1, x0, y0, isTopLeftEdge(x1, y1, x0, y0), many);
  }
  const i = (memory.rasterRecordsPtr >> 2) + record * RECORD_I32;
  memory.i32[i + EDGE_COUNT] = 3;
  return SET_UP;
}
