/**
 * Rectangles on targets: clipping to the largest target, and conversion from OpenGL's rows to those
 * of frames.
 */
import type { RectPx } from '@tessera/frame';

/** Rectangle in OpenGL's coordinates: x to the right, y up from the bottom row. */
export interface GlRect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Largest edge of a target and of a viewport, in pixels. */
const MAX_VIEWPORT_EDGE_PX = 8192;

/** Clips a viewport's edges to the limit (OpenGL ES 2.0, section 2.12.1). */
export function cutToLimit({ x, y, width, height }: GlRect): GlRect {
  const cut = (edge: number): number => Math.min(edge, MAX_VIEWPORT_EDGE_PX);
  return { x, y, width: cut(width), height: cut(height) };
}

/** Converts rows that count up to rows that count down. */
export function flipRect(rect: GlRect, heightPx: number): RectPx {
  return { x: rect.x, y: heightPx - rect.y - rect.height, width: rect.width, height: rect.height };
}

/** Moves a viewport beyond the reach of every target to a position where it still shows nothing. */
export function bringIntoReach(viewport: GlRect): GlRect {
  const { x, y, width, height } = viewport;
  const most = MAX_VIEWPORT_EDGE_PX;
  if (Math.abs(x) <= most && Math.abs(y) <= most) return viewport;
  const [nearX, nearY] = [x, y].map((start) => Math.min(Math.max(start, -most), most));
  return { x: nearX!, y: nearY!, width, height };
}

/** Clips a rectangle to the part that a target can contain. */
export function cutToReach({ x, y, width, height }: GlRect): GlRect {
  const cut = (at: number): number =>
    Math.min(Math.max(at, -MAX_VIEWPORT_EDGE_PX), MAX_VIEWPORT_EDGE_PX);
  const [left, bottom] = [cut(x), cut(y)];
  return { x: left, y: bottom, width: cut(x + width) - left, height: cut(y + height) - bottom };
}
