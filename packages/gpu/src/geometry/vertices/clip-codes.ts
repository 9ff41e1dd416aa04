/** What a vertex is outside of: bits of its code. */

/** Outside the view volume: −x, +x, −y, +y, near, far. */
export const OUTSIDE_LEFT = 1;
export const OUTSIDE_RIGHT = 2;
export const OUTSIDE_BOTTOM = 4;
export const OUTSIDE_TOP = 8;
export const OUTSIDE_NEAR = 16;
export const OUTSIDE_FAR = 32;
/** All six planes of the view volume. */
export const OUTSIDE_VIEW = 63;
/** The four of them that no depth has to do with. */
export const OUTSIDE_SIDES = OUTSIDE_LEFT | OUTSIDE_RIGHT | OUTSIDE_BOTTOM | OUTSIDE_TOP;
/** Outside the guard band, or w too small to divide by. */
export const OUTSIDE_GUARD_LEFT = 64;
export const OUTSIDE_GUARD_RIGHT = 128;
export const OUTSIDE_GUARD_BOTTOM = 256;
export const OUTSIDE_GUARD_TOP = 512;
export const OUTSIDE_W = 1024;
/** A coordinate is infinite or not a number: primitives of this vertex are dropped. */
export const NOT_FINITE = 2048;
/** Bits that make a triangle that has them go through the clipper. */
export const NEEDS_CLIPPING =
  OUTSIDE_NEAR |
  OUTSIDE_FAR |
  OUTSIDE_GUARD_LEFT |
  OUTSIDE_GUARD_RIGHT |
  OUTSIDE_GUARD_BOTTOM |
  OUTSIDE_GUARD_TOP |
  OUTSIDE_W;

/** Smallest clip w that is divided by. */
export const MIN_CLIP_W = 2 ** -40;
