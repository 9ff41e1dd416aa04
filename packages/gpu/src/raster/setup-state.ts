/** What primitive set-up knows of a draw: derived once from its pipeline state. */

import type { PipelineState, RectPx } from '@tessera/frame';
import { OUTSIDE_SIDES } from '../geometry/vertices/clip-codes.ts';
import { intersectRects } from '../geometry/vertices/viewport-transform.ts';
import { DEPTH_24_MAX } from '../records/depth-24.ts';

export interface SetupState {
  /** Columns and rows, first and last, that polygons may cover: target, scissor and viewport. */
  readonly polygonBounds: PixelBounds;
  /** The same for lines and points, which may reach over the viewport by their width. */
  readonly wideBounds: PixelBounds;
  readonly cullsFront: boolean;
  readonly cullsBack: boolean;
  /** Whether front-facing triangles run clockwise on the screen. */
  readonly isFrontClockwise: boolean;
  /** Added to the depth, in stored units, per unit of slope and as a constant. */
  readonly offsetFactor: number;
  readonly offsetUnits: number;
  /** Codes of centres that take points away. */
  readonly pointClipCodes: number;
  /** A whole number. */
  readonly lineWidthPx: number;
  /** Whether pixels of the target have several samples. */
  readonly isMultisampled: boolean;
}

/** Inclusive; empty where a last one is below its first. */
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

/** @param target Size of the whole target: set-up must not know of bins. */
export function makeSetupState(
  state: PipelineState,
  target: { readonly widthPx: number; readonly heightPx: number },
  isMultisampled = false,
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
    offsetFactor: polygonOffset.isEnabled ? polygonOffset.factor : 0,
    // The smallest step that depth can tell apart is 2^-24 of its range (GL ES 3.0, 3.6.2).
    offsetUnits: polygonOffset.isEnabled ? polygonOffset.units * (DEPTH_24_MAX / 2 ** 24) : 0,
    pointClipCodes: state.pointClip === 'depth' ? ~OUTSIDE_SIDES : -1,
    // Lines are as wide as the nearest whole number of fragments (GL ES 3.0, 3.5.2).
    lineWidthPx: Math.floor(state.lineWidthPx + 0.5),
    isMultisampled,
  };
}
