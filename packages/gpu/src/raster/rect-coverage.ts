/**
 * Tests of a raster record against a rectangle of pixels, as binners need them: conservative for large
 * rectangles, exact for small ones.
 */
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
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
} from './raster-record.ts';

/** Rectangles of up to this many samples are tested sample by sample. */
const EXACT_SAMPLES = 64;

/**
 * Whether the record may cover a sample of the rectangle (bounds inclusive). `false` is always right;
 * `true` is exact when the part of the record's box in the rectangle has at most 64 samples.
 */
export function mayCoverRect(
  memory: ChipletMemory,
  record: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
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
  let isWhole = true;
  for (let k = 0; k < edgeCount; k++) {
    const riseX = i32[at + EDGE_A + k]! * spanX;
    const riseY = i32[at + EDGE_B + k]! * spanY;
    const corner =
      f64[atF64 + EDGE_C + k]! + i32[at + EDGE_A + k]! * x0 + i32[at + EDGE_B + k]! * y0;
    if (corner + Math.max(riseX, 0) + Math.max(riseY, 0) < 0) return false;
    if (corner + Math.min(riseX, 0) + Math.min(riseY, 0) < 0) isWhole = false;
  }
  if (isWhole || (spanX + 1) * (spanY + 1) > EXACT_SAMPLES) return true;
  for (let y = y0; y <= y1; y++) {
    for (let x = x0; x <= x1; x++) {
      if (coversSample(memory, record, x, y)) return true;
    }
  }
  return false;
}

/** Whether pixel (x, y), which lies in the record's box, is inside all edges. */
export function coversSample(memory: ChipletMemory, record: number, x: number, y: number): boolean {
  const { i32, f64 } = memory;
  const at = (memory.rasterRecordsPtr >> 2) + record * RECORD_I32;
  const atF64 = (memory.rasterRecordsPtr >> 3) + record * RECORD_F64;
  const edgeCount = i32[at + EDGE_COUNT]!;
  for (let k = 0; k < edgeCount; k++) {
    const e = f64[atF64 + EDGE_C + k]! + i32[at + EDGE_A + k]! * x + i32[at + EDGE_B + k]! * y;
    if (e < 0) return false;
  }
  return true;
}
