/**
 * Tests of raster records against rectangles of pixels, for binners: conservative for large
 * rectangles, exact for small ones.
 */
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
  RECORD_F64,
  RECORD_I32,
} from '../../records/raster-record.ts';
import { greatestSampleRise, sampleRise } from '../../records/sample-positions.ts';

/** Maximum number of pixels for which a rectangle is tested sample by sample. */
export const EXACT_PIXELS = 64;
const MAX_EDGES = 4;

/**
 * Returns whether the record may cover a sample of the rectangle, bounds inclusive. `false` is
 * always right. `true` is exact if the record's box has at most 64 pixels in the rectangle.
 *
 * @param sampleCount Samples per pixel.
 */
export function mayCoverRect(
  memory: ChipletMemory,
  record: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
  sampleCount: number,
): boolean {
  const { i32, f64 } = memory;
  const at = (memory.rasterRecordsPtr >> 2) + record * RECORD_I32;
  const atF64 = (memory.rasterRecordsPtr >> 3) + record * RECORD_F64;
  const x0 = Math.max(left, i32[at + BOX_X0]!);
  const y0 = Math.max(top, i32[at + BOX_Y0]!);
  const x1 = Math.min(right, i32[at + BOX_X1]!);
  const y1 = Math.min(bottom, i32[at + BOX_Y1]!);
  if (x1 < x0 || y1 < y0) return false;
  const spanX = x1 - x0;
  const spanY = y1 - y0;
  const edgeCount = i32[at + EDGE_COUNT]!;
  if ((spanX + 1) * (spanY + 1) <= EXACT_PIXELS) {
    for (let k = 0; k < MAX_EDGES; k++) {
      const isEdge = k < edgeCount;
      slopesX[k] = isEdge ? i32[at + EDGE_A + k]! : 0;
      slopesY[k] = isEdge ? i32[at + EDGE_B + k]! : 0;
      const start = slopesX[k]! * x0 + slopesY[k]! * y0;
      starts[k] = isEdge ? f64[atF64 + EDGE_C + k]! + start : 0;
    }
    if (sampleCount === 1) {
      corners.set(starts);
      return coversAny(spanX, spanY);
    }
    for (let sample = 0; sample < sampleCount; sample++) {
      for (let k = 0; k < MAX_EDGES; k++) {
        const [a, b] = [slopesX[k]!, slopesY[k]!];
        const rise = sampleRise(a, b, sample, sampleCount);
        corners[k] = starts[k]! - greatestSampleRise(a, b, sampleCount) + rise;
      }
      if (coversAny(spanX, spanY)) return true;
    }
    return false;
  }
  for (let k = 0; k < edgeCount; k++) {
    const a = i32[at + EDGE_A + k]!;
    const b = i32[at + EDGE_B + k]!;
    // Value of the edge at the corner furthest inside.
    const x = a > 0 ? x1 : x0;
    const y = b > 0 ? y1 : y0;
    if (f64[atF64 + EDGE_C + k]! + a * x + b * y < 0) return false;
  }
  return true;
}

/**
 * Edge values at the first pixel of a box, those at one of its samples, and slopes, of the record
 * under test.
 */
const starts = new Float64Array(MAX_EDGES);
const corners = new Float64Array(MAX_EDGES);
const slopesX = new Float64Array(MAX_EDGES);
const slopesY = new Float64Array(MAX_EDGES);

function coversAny(spanX: number, spanY: number): boolean {
  const a0 = slopesX[0]!;
  const a1 = slopesX[1]!;
  const a2 = slopesX[2]!;
  const a3 = slopesX[3]!;
  for (let dy = 0; dy <= spanY; dy++) {
    let e0 = corners[0]! + slopesY[0]! * dy;
    let e1 = corners[1]! + slopesY[1]! * dy;
    let e2 = corners[2]! + slopesY[2]! * dy;
    let e3 = corners[3]! + slopesY[3]! * dy;
    for (let dx = 0; dx <= spanX; dx++) {
      if (e0 >= 0 && e1 >= 0 && e2 >= 0 && e3 >= 0) return true;
      e0 += a0;
      e1 += a1;
      e2 += a2;
      e3 += a3;
    }
  }
  return false;
}
