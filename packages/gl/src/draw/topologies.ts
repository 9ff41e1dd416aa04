/** Primitive modes of the API and the topologies of frames. */
import type { Topology } from '@tessera/frame';
import { GL } from '../api/constants.ts';

/** Topology of a mode. Quads have none: they become triangles with generated indices. */
export const TOPOLOGY_BY_MODE: ReadonlyMap<number, Topology> = new Map([
  [GL.POINTS, 'points'],
  [GL.LINES, 'lines'],
  [GL.LINE_LOOP, 'line-loop'],
  [GL.LINE_STRIP, 'line-strip'],
  [GL.TRIANGLES, 'triangles'],
  [GL.TRIANGLE_STRIP, 'triangle-strip'],
  [GL.TRIANGLE_FAN, 'triangle-fan'],
  // Vertices come in the order of a strip and of a fan (OpenGL 2.1, section 2.6.1).
  [GL.QUAD_STRIP, 'triangle-strip'],
  [GL.POLYGON, 'triangle-fan'],
]);

/** Largest mode of OpenGL ES. */
export const MAX_ES_MODE = GL.TRIANGLE_FAN;

/** Kind of primitives that rasterization distinguishes. */
export type PrimitiveKind = 'points' | 'lines' | 'polygons';

/** Returns whether a mode makes polygons, which `glPolygonMode` applies to. */
export function makesPolygons(mode: number): boolean {
  return mode >= GL.TRIANGLES;
}

/** Returns whether a draw must become triangles because no topology has its mode. */
export function needsConversion(mode: number, isFlat: boolean): boolean {
  return mode === GL.QUADS || mode === GL.QUAD_STRIP || (mode === GL.POLYGON && isFlat);
}
