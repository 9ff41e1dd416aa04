/** State of a draw for polygons that are drawn as lines or points. */
import type { PipelineState, PolygonMode } from '@tessera/frame';
import { DEPTH_24_MAX } from '../records/depth-24.ts';

/**
 * Depth offset of polygons drawn in one way, in stored units: per unit of slope, constant, and the
 * bounds of their sum.
 */
export interface DepthOffset {
  readonly factor: number;
  readonly units: number;
  readonly least: number;
  readonly most: number;
}

/** Ways to draw the polygons of a draw, with the depth offsets of lines and points. */
export interface OutlineSetup {
  readonly front: PolygonMode;
  readonly back: PolygonMode;
  readonly line: DepthOffset;
  readonly point: DepthOffset;
}

/** Returns the depth offset of a draw's state. */
export function depthOffsetOf(
  { polygonOffset, polygonOffsetClamp = 0 }: PipelineState,
  isEnabled: boolean,
): DepthOffset {
  const least = polygonOffsetClamp < 0 ? polygonOffsetClamp * DEPTH_24_MAX : -Infinity;
  const most = polygonOffsetClamp > 0 ? polygonOffsetClamp * DEPTH_24_MAX : Infinity;
  if (!isEnabled) return { factor: 0, units: 0, least, most };
  const { factor, units } = polygonOffset;
  // The smallest resolvable difference of depth is 2^-24 of its range (GL ES 3.0, section 3.6.2).
  return { factor, units: units * (DEPTH_24_MAX / 2 ** 24), least, most };
}

/** Returns the offset of a polygon whose depth rises by `slope` per pixel, in stored units. */
export function offsetAt({ factor, units, least, most }: DepthOffset, slope: number): number {
  return Math.max(least, Math.min(slope * factor + units, most));
}

/** Returns the outline state of a draw, or `null` if its polygons are all filled. */
export function makeOutlineSetup(state: PipelineState): OutlineSetup | null {
  const { polygonMode } = state;
  if (polygonMode === undefined) return null;
  const { front, back, isLineOffset, isPointOffset } = polygonMode;
  return {
    front,
    back,
    line: depthOffsetOf(state, isLineOffset),
    point: depthOffsetOf(state, isPointOffset),
  };
}
