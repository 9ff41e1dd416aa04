/** Primitive modes of the API, and the frame topologies that they map to. */
import type { Topology } from '@tessera/frame';
import { GL } from '../api/constants.ts';

/** Topologies by mode. Quads have none, because they become triangles with generated indices. */
export const TOPOLOGY_BY_MODE: ReadonlyMap<number, Topology> = new Map([
  [GL.POINTS, 'points'],
  [GL.LINES, 'lines'],
  [GL.LINE_LOOP, 'line-loop'],
  [GL.LINE_STRIP, 'line-strip'],
  [GL.TRIANGLES, 'triangles'],
  [GL.TRIANGLE_STRIP, 'triangle-strip'],
  [GL.TRIANGLE_FAN, 'triangle-fan'],
  // The vertex orders match those of a strip and a fan (OpenGL 2.1, section 2.6.1).
  [GL.QUAD_STRIP, 'triangle-strip'],
  [GL.POLYGON, 'triangle-fan'],
]);

/** Largest mode that OpenGL ES defines. */
export const MAX_ES_MODE = GL.TRIANGLE_FAN;

/**
 * Returns whether a draw must be converted to triangles because no topology represents its mode.
 */
export function needsConversion(mode: number, isFlat: boolean): boolean {
  return mode === GL.QUADS || mode === GL.QUAD_STRIP || (mode === GL.POLYGON && isFlat);
}
