/**
 * Transform from clip coordinates to the screen: perspective division and viewport (GL ES 3.0,
 * section 2.12.1).
 *
 * Window coordinates have x to the right and y **down**, in 1/256 pixel, rounded to the nearest.
 * Pixel (i, j) is sampled at (256 i + 128, 256 j + 128). Depth is 0 to 1 within the depth range.
 */
import type { PipelineState, RectPx } from '@tessera/frame';

/** Subpixel steps per pixel. */
export const SUBPIXEL = 256;

/**
 * Half the edge, in pixels, of the square that window coordinates are clipped to. It bounds the
 * factors of edge functions: differences stay below 2^23 subpixels.
 */
export const GUARD_BAND_PX = 16_384;

/** Affine map from device to window coordinates, in subpixels and depth, with its guard band. */
export interface ViewportTransform {
  readonly scaleX: number;
  readonly offsetX: number;
  readonly scaleY: number;
  readonly offsetY: number;
  readonly scaleZ: number;
  readonly offsetZ: number;
  /** Largest unclipped |x / w|, at least 1; `guardY` likewise. */
  readonly guardX: number;
  readonly guardY: number;
  /** The near plane is z = −nearW w: 1, or 0 if device z is 0 to 1. */
  readonly nearW: number;
  /** Whether primitives are clipped at the near and far planes. */
  readonly isDepthClipped: boolean;
}

/** Returns the transform of a draw's viewport and depth range. */
export function makeViewportTransform(state: PipelineState): ViewportTransform {
  const { viewport, depthRange } = state;
  const [near, far] = depthRange;
  const nearW = state.clipDepth === 'zero-to-one' ? 0 : 1;
  const rowsPerY = state.clipOrigin === 'upper-left' ? 1 : -1;
  return {
    scaleX: (viewport.width / 2) * SUBPIXEL,
    offsetX: (viewport.x + viewport.width / 2) * SUBPIXEL,
    scaleY: rowsPerY * (viewport.height / 2) * SUBPIXEL,
    offsetY: (viewport.y + viewport.height / 2) * SUBPIXEL,
    scaleZ: (far - near) / (1 + nearW),
    offsetZ: nearW === 0 ? near : (far + near) / 2,
    guardX: guard(viewport.x, viewport.width),
    guardY: guard(viewport.y, viewport.height),
    nearW,
    isDepthClipped: state.isDepthClamped !== true,
  };
}

/**
 * Returns the window depths that a draw's depths are clamped to: the depth range if the state
 * clamps to it, otherwise all that targets store.
 */
export function depthBoundsOf({
  isDepthClamped,
  depthRange: [near, far],
}: PipelineState): readonly [least: number, most: number] {
  if (isDepthClamped !== true) return [0, 1];
  const inUnit = (depth: number) => Math.min(Math.max(depth, 0), 1);
  return [inUnit(Math.min(near, far)), inUnit(Math.max(near, far))];
}

function guard(startPx: number, sizePx: number): number {
  if (sizePx <= 0) return 1;
  const half = sizePx / 2;
  return Math.max(1, (GUARD_BAND_PX - Math.abs(startPx + half)) / half);
}

/** Returns the intersection of two rectangles, of size 0 if they do not meet. */
export function intersectRects(a: RectPx, b: RectPx): RectPx {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.max(0, Math.min(a.x + a.width, b.x + b.width) - x);
  const height = Math.max(0, Math.min(a.y + a.height, b.y + b.height) - y);
  return { x, y, width, height };
}
