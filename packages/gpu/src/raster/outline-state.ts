/** State of a draw for polygons that are drawn as lines or points. */
import type { PipelineState, PolygonMode } from '@tessera/frame';
import { DEPTH_24_MAX } from '../records/depth-24.ts';

/** Depth offset of polygons drawn in one way: per unit of slope, and constant, in stored units. */
export interface DepthOffset {
  readonly factor: number;
  readonly units: number;
}

/** Ways to draw the polygons of a draw, with the depth offsets of lines and points. */
export interface OutlineSetup {
  readonly front: PolygonMode;
  readonly back: PolygonMode;
  readonly line: DepthOffset;
  readonly point: DepthOffset;
}

/** Returns the depth offset that a draw's state gives. */
export function depthOffsetOf(
  { factor, units }: PipelineState['polygonOffset'],
  isEnabled: boolean,
): DepthOffset {
  // The smallest resolvable difference of depth is 2^-24 of its range (GL ES 3.0, section 3.6.2).
  return isEnabled ? { factor, units: units * (DEPTH_24_MAX / 2 ** 24) } : { factor: 0, units: 0 };
}

/** Returns the outline state of a draw, or `null` if its polygons are all filled. */
export function makeOutlineSetup({
  polygonMode,
  polygonOffset,
}: PipelineState): OutlineSetup | null {
  if (polygonMode === undefined) return null;
  const { front, back, isLineOffset, isPointOffset } = polygonMode;
  return {
    front,
    back,
    line: depthOffsetOf(polygonOffset, isLineOffset),
    point: depthOffsetOf(polygonOffset, isPointOffset),
  };
}
