/** State of a draw that primitive setup reads, derived once from the draw's pipeline state. */

import type { PipelineState, RectPx } from '@tessera/frame';
import { OUTSIDE_SIDES } from '../geometry/vertices/clip-codes.ts';
import { intersectRects } from '../geometry/vertices/viewport-transform.ts';
import {
  type DepthOffset,
  depthOffsetOf,
  makeOutlineSetup,
  type OutlineSetup,
} from './outline-state.ts';

/** State of a draw for setup. */
export interface SetupState {
  /** Columns and rows that polygons may cover: target, scissor and viewport. */
  readonly polygonBounds: PixelBounds;
  /** Columns and rows that lines and points may cover. Their width may exceed the viewport. */
  readonly wideBounds: PixelBounds;
  readonly cullsFront: boolean;
  readonly cullsBack: boolean;
  /** Whether front-facing triangles are clockwise on the screen. */
  readonly isFrontClockwise: boolean;
  /** Depth offset of filled polygons. */
  readonly offset: DepthOffset;
  /** Clip codes of a center that drop its point. */
  readonly pointClipCodes: number;
  /** Line width, a whole number. */
  readonly lineWidthPx: number;
  /** Line width before rounding, which smooth lines have. */
  readonly exactLineWidthPx: number;
  readonly areLinesSmooth: boolean;
  /** Whether a point between two columns of pixels belongs to the right one. */
  readonly arePointsBasic: boolean;
  /** Samples per pixel of the target. */
  readonly sampleCount: number;
  /** Ways to draw polygons; `null` if all are filled. */
  readonly outlines: OutlineSetup | null;
}

/** Inclusive bounds in pixels; empty if a last one is less than its first. */
export interface PixelBounds {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

function boundsOf({ x, y, width, height }: RectPx): PixelBounds {
  return {
    x0: Math.ceil(x),
    y0: Math.ceil(y),
    x1: Math.ceil(x + width) - 1,
    y1: Math.ceil(y + height) - 1,
  };
}

/**
 * Derives the setup state of a draw.
 *
 * @param target Size of the whole target. Setup must not depend on bins.
 */
export function makeSetupState(
  state: PipelineState,
  target: { readonly widthPx: number; readonly heightPx: number },
  sampleCount = 1,
): SetupState {
  const targetRect: RectPx = { x: 0, y: 0, width: target.widthPx, height: target.heightPx };
  const drawable = state.scissor === null ? targetRect : intersectRects(targetRect, state.scissor);
  const { cullMode, polygonOffset } = state;
  return {
    polygonBounds: boundsOf(intersectRects(drawable, state.viewport)),
    wideBounds: boundsOf(drawable),
    cullsFront: cullMode === 'front' || cullMode === 'front-and-back',
    cullsBack: cullMode === 'back' || cullMode === 'front-and-back',
    isFrontClockwise: state.frontFace === 'clockwise',
    offset: depthOffsetOf(state, polygonOffset.isEnabled),
    pointClipCodes: state.pointClip === 'depth' ? ~OUTSIDE_SIDES : -1,
    // Lines have the nearest whole number of fragments as width (GL ES 3.0, section 3.5.2).
    lineWidthPx: Math.floor(state.lineWidthPx + 0.5),
    exactLineWidthPx: state.lineWidthPx,
    areLinesSmooth: state.lineMode === 'smooth',
    arePointsBasic: state.pointMode === 'basic' && sampleCount === 1,
    sampleCount,
    outlines: makeOutlineSetup(state),
  };
}
