/**
 * Depth setup: the plane of window depth in the raster record. The early depth test, the late depth
 * test and gl_FragCoord.z all use it. The visibility phase tests no depth and does not compute it.
 */

import type { VertexStore } from '../../geometry/vertices/vertex-store.ts';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { DEPTH_24_MAX } from '../../records/depth-24.ts';
import {
  DEPTH_C,
  DEPTH_DX,
  DEPTH_DY,
  ORIGIN_X,
  ORIGIN_Y,
  RECORD_F64,
  RECORD_I32,
} from '../../records/raster-record.ts';
import { offsetAt } from '../outline-state.ts';
import type { SetupState } from '../setup-state.ts';
import type { LineBasis } from './line-basis.ts';
import type { TriangleBasis } from './triangle-basis.ts';

/** Returns the largest rise of a triangle's depth per pixel along x or y, in stored units. */
export function slopeOf(
  { windowZ }: VertexStore,
  basis: TriangleBasis,
  v0: number,
  v1: number,
  v2: number,
): number {
  const z0 = windowZ[v0]! * DEPTH_24_MAX;
  const dz1 = windowZ[v1]! * DEPTH_24_MAX - z0;
  const dz2 = windowZ[v2]! * DEPTH_24_MAX - z0;
  const dzdx = dz1 * basis.dx1 + dz2 * basis.dx2;
  const dzdy = dz1 * basis.dy1 + dz2 * basis.dy2;
  return Math.max(Math.abs(dzdx), Math.abs(dzdy));
}

/** Writes the depth plane of a triangle, per pixel and in stored units, with polygon offset. */
export function writeTriangleDepth(
  memory: ChipletMemory,
  { windowZ }: VertexStore,
  state: SetupState,
  record: number,
  basis: TriangleBasis,
  v0: number,
  v1: number,
  v2: number,
): void {
  const z0 = windowZ[v0]! * DEPTH_24_MAX;
  const dz1 = windowZ[v1]! * DEPTH_24_MAX - z0;
  const dz2 = windowZ[v2]! * DEPTH_24_MAX - z0;
  const dzdx = dz1 * basis.dx1 + dz2 * basis.dx2;
  const dzdy = dz1 * basis.dy1 + dz2 * basis.dy2;
  const slope = Math.max(Math.abs(dzdx), Math.abs(dzdy));
  const offset = offsetAt(state.offset, slope);
  writePlane(memory, record, z0 + offset, dzdx, dzdy, basis.x0, basis.y0);
}

/**
 * Writes the depth plane of a line. Depth varies along the line only (GL ES 3.0, section 3.5.1).
 */
export function writeLineDepth(
  memory: ChipletMemory,
  { windowZ }: VertexStore,
  record: number,
  { x0, y0, dx, dy }: LineBasis,
  v0: number,
  v1: number,
): void {
  const z0 = windowZ[v0]! * DEPTH_24_MAX;
  const dz = windowZ[v1]! * DEPTH_24_MAX - z0;
  writePlane(memory, record, z0, dz * dx, dz * dy, x0, y0);
}

/**
 * Writes the plane through `z0` at (x0, y0) as its value at the record's origin and its gradient.
 */
function writePlane(
  memory: ChipletMemory,
  record: number,
  z0: number,
  dzdx: number,
  dzdy: number,
  x0: number,
  y0: number,
): void {
  const { i32, f64 } = memory;
  const i = (memory.rasterRecordsPtr >> 2) + record * RECORD_I32;
  const originX = i32[i + ORIGIN_X]! + 0.5 - x0;
  const originY = i32[i + ORIGIN_Y]! + 0.5 - y0;
  const d = (memory.rasterRecordsPtr >> 3) + record * RECORD_F64;
  f64[d + DEPTH_C] = z0 + dzdx * originX + dzdy * originY;
  f64[d + DEPTH_DX] = dzdx;
  f64[d + DEPTH_DY] = dzdy;
}
