/** Choice of the planes that setup writes, and allocation of primitive records. */
import type { BoundDraw } from '../command/bound-draw.ts';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import { PRIMITIVE_RECORD, RECORD_I32 } from '../records/raster-record.ts';

/** Destination of a draw's primitive records. */
export interface PlaneTarget {
  /** Address of the draw's first primitive record. */
  readonly primitivesPtr: number;
  /** Number of records written so far. */
  primitiveCount: number;
}

/**
 * Planes that setup writes besides edges and box: none, the depth plane, or depth and attribute
 * planes with a primitive record.
 */
export type PlaneChoice = PlaneTarget | 'depth' | null;

/**
 * Allocates the next primitive record for raster record `record`. Returns its index in 32-bit
 * words.
 */
export function takePrimitiveRecord(
  { i32, rasterRecordsPtr }: ChipletMemory,
  draw: BoundDraw,
  planes: PlaneTarget,
  record: number,
): number {
  const index = planes.primitiveCount++;
  i32[(rasterRecordsPtr >> 2) + record * RECORD_I32 + PRIMITIVE_RECORD] = index;
  return (planes.primitivesPtr + index * draw.attributes.recordBytes) >> 2;
}
