/**
 * Raster records of draws whose polygons may be lines or points. The traversal kernel of a draw has
 * a fixed number of edges, so all records of such a draw have four.
 */
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import {
  DEPTH_C,
  EDGE_A,
  EDGE_B,
  EDGE_C,
  EDGE_COUNT,
  RECORD_F64,
  RECORD_I32,
} from '../../records/raster-record.ts';

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
