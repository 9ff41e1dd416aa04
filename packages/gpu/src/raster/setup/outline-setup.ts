/**
 * State for polygons that are drawn as lines or points, and the form of their raster records. The
 * traversal kernel of a draw has a fixed number of edges, so all records of such a draw have four.
 */
import type { PipelineState, PolygonMode } from '@tessera/frame';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { DEPTH_24_MAX } from '../../records/depth-24.ts';
import {
  DEPTH_C,
  EDGE_A,
  EDGE_B,
  EDGE_C,
  EDGE_COUNT,
  RECORD_F64,
  RECORD_I32,
} from '../../records/raster-record.ts';

/** Depth offset of polygons drawn in one way: per unit of slope, and constant, in stored units. */
export interface DepthOffset {
  readonly factor: number;
  readonly units: number;
}

/** Ways to draw the polygons of a draw, with the depth offsets of lines and points. */
export interface OutlineSetup {
  readonly front: PolygonMode;
  readonly back: PolygonMode;
  readonly line: DepthOffset;
  readonly point: DepthOffset;
}

/** Returns the depth offset that a draw's state gives. */
export function depthOffsetOf(
  { factor, units }: PipelineState['polygonOffset'],
  isEnabled: boolean,
): DepthOffset {
  // The smallest resolvable difference of depth is 2^-24 of its range (GL ES 3.0, section 3.6.2).
  return isEnabled ? { factor, units: units * (DEPTH_24_MAX / 2 ** 24) } : { factor: 0, units: 0 };
}

/** Returns the outline state of a draw, or `null` if its polygons are all filled. */
export function makeOutlineSetup({
  polygonMode,
  polygonOffset,
}: PipelineState): OutlineSetup | null {
  if (polygonMode === undefined) return null;
  const { front, back, isLineOffset, isPointOffset } = polygonMode;
  return {
    front,
    back,
    line: depthOffsetOf(polygonOffset, isLineOffset),
    point: depthOffsetOf(polygonOffset, isPointOffset),
  };
}

/** Adds a fourth edge, which every sample is inside of, to the record of a triangle. */
export function addOpenEdge(memory: ChipletMemory, record: number): void {
  const at = (memory.rasterRecordsPtr >> 2) + record * RECORD_I32;
  memory.i32[at + EDGE_A + 3] = 0;
  memory.i32[at + EDGE_B + 3] = 0;
  memory.f64[(memory.rasterRecordsPtr >> 3) + record * RECORD_F64 + EDGE_C + 3] = 0;
  memory.i32[at + EDGE_COUNT] = 4;
}

/** Moves the depth plane of a record by an offset in stored units. */
export function offsetDepth(memory: ChipletMemory, record: number, offset: number): void {
  const at = (memory.rasterRecordsPtr >> 3) + record * RECORD_F64 + DEPTH_C;
  memory.f64[at] = memory.f64[at]! + offset;
}
