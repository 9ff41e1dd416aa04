/** Setup of points (GL ES 3.0, section 3.4): a square of the point's size around its center. */

import type { VertexStore } from '../../geometry/vertices/vertex-store.ts';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { DEPTH_24_MAX } from '../../records/depth-24.ts';
import {
  DEPTH_C,
  DEPTH_DX,
  DEPTH_DY,
  EDGE_COUNT,
  NO_SAMPLE,
  RECORD_F64,
  RECORD_I32,
  SET_UP,
  type SetupResult,
} from '../../records/raster-record.ts';
import { clampPointSize } from '../point-size.ts';
import type { SetupState } from '../setup-state.ts';
import { writeBox, writeEdge } from './triangle-setup.ts';

/**
 * Sets up the point at `vertex` as raster record `record`. Its box is its shape, unless pixels have
 * several samples or the draw has outlines, whose records all have four edges.
 */
export function setupPoint(
  memory: ChipletMemory,
  vertices: VertexStore,
  state: SetupState,
  record: number,
  vertex: number,
): SetupResult {
  const size = clampPointSize(vertices.pointSize(vertex));
  // Without its left edge and with its right edge, a point between two columns has the right one.
  const left = vertices.windowX[vertex]! - (size >> 1) + (state.arePointsBasic ? 1 : 0);
  const top = vertices.windowY[vertex]! - (size >> 1);
  // Left and top edges are inside, right and bottom ones are not.
  const { wideBounds, sampleCount: many } = state;
  const hasEdges = many > 1 || state.outlines !== null;
  const right = left + size;
  const bottom = top + size;
  if (!writeBox(memory, record, left, top, right - 1, bottom - 1, wideBounds, many)) {
    return NO_SAMPLE;
  }
  if (hasEdges) {
    writeEdge(memory, record, 0, left, top, right, top, true, many);
    writeEdge(memory, record, 1, right, top, right, bottom, false, many);
    writeEdge(memory, record, 2, right, bottom, left, bottom, false, many);
    writeEdge(memory, record, 3, left, bottom, left, top, true, many);
  }
  memory.i32[(memory.rasterRecordsPtr >> 2) + record * RECORD_I32 + EDGE_COUNT] = hasEdges ? 4 : 0;
  const d = (memory.rasterRecordsPtr >> 3) + record * RECORD_F64;
  memory.f64[d + DEPTH_C] = vertices.windowZ[vertex]! * DEPTH_24_MAX;
  memory.f64[d + DEPTH_DX] = 0;
  memory.f64[d + DEPTH_DY] = 0;
  return SET_UP;
}
