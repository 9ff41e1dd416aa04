/**
 * Setup of lines in targets with one sample (GL ES 3.0, section 3.5.2). A line is a parallelogram.
 * Its ends are vertical if it extends more in x than in y, otherwise horizontal. A line of width w
 * thus covers w samples in each column (row) that it crosses.
 *
 * The start of the line is inclusive and its end is not, in either direction. Segments of a strip
 * therefore meet without a gap and without a sample drawn twice. Exactly one of the two long sides
 * is inclusive.
 */
import type { VertexStore } from '../../geometry/vertices/vertex-store.ts';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import {
  EDGE_COUNT,
  NO_SAMPLE,
  RECORD_I32,
  SET_UP,
  type SetupResult,
  ZERO_AREA,
} from '../../records/raster-record.ts';
import type { SetupState } from '../setup-state.ts';
import { isTopLeftEdge, writeBox, writeEdge } from './triangle-setup.ts';

/** Samples per pixel: lines in other targets are rectangles (rectangular-line-setup.ts). */
const ONE_SAMPLE = 1;

/**
 * Sets up the line v0→v1 as raster record `record`, without its depth plane (depth-plane.ts). A
 * line of length 0 has no area.
 */
export function setupLine(
  memory: ChipletMemory,
  vertices: VertexStore,
  state: SetupState,
  record: number,
  v0: number,
  v1: number,
): SetupResult {
  const { windowX, windowY } = vertices;
  const x0 = windowX[v0]!;
  const y0 = windowY[v0]!;
  const x1 = windowX[v1]!;
  const y1 = windowY[v1]!;
  const dx = x1 - x0;
  const dy = y1 - y0;
  if (dx === 0 && dy === 0) return ZERO_AREA;

  // Corners, clockwise from one end of the start. One long side is start a→b, the other c→d.
  const isMostlyHorizontal = Math.abs(dx) >= Math.abs(dy);
  const half = Math.floor(state.lineWidthPx * 128 + 0.5);
  const halfX = isMostlyHorizontal ? 0 : half;
  const halfY = isMostlyHorizontal ? half : 0;
  const hasSample = writeBox(
    memory,
    record,
    Math.min(x0, x1) - halfX,
    Math.min(y0, y1) - halfY,
    Math.max(x0, x1) + halfX,
    Math.max(y0, y1) + halfY,
    state.wideBounds,
    ONE_SAMPLE,
  );
  if (!hasSample) return NO_SAMPLE;
  // A side left of the line's direction (on the screen, y down) comes first in a clockwise walk.
  const isUpperFirst = isMostlyHorizontal ? dx > 0 : dy < 0;
  const sx = isUpperFirst ? -halfX : halfX;
  const sy = isUpperFirst ? -halfY : halfY;
  const ax = x0 + sx;
  const ay = y0 + sy;
  const bx = x1 + sx;
  const by = y1 + sy;
  const cx = x1 - sx;
  const cy = y1 - sy;
  const ex = x0 - sx;
  const ey = y0 - sy;
  writeEdge(memory, record, 0, ax, ay, bx, by, isTopLeftEdge(ax, ay, bx, by), ONE_SAMPLE);
  writeEdge(memory, record, 1, bx, by, cx, cy, false, ONE_SAMPLE);
  writeEdge(memory, record, 2, cx, cy, ex, ey, isTopLeftEdge(cx, cy, ex, ey), ONE_SAMPLE);
  writeEdge(memory, record, 3, ex, ey, ax, ay, true, ONE_SAMPLE);
  const i = (memory.rasterRecordsPtr >> 2) + record * RECORD_I32;
  memory.i32[i + EDGE_COUNT] = 4;
  return SET_UP;
}
