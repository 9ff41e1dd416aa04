/** Clip codes: one bit per plane that a vertex is outside of. */

/** Outside the left plane of the view volume. */
export const OUTSIDE_LEFT = 1;
/** Outside the right plane of the view volume. */
export const OUTSIDE_RIGHT = 2;
/** Outside the bottom plane of the view volume. */
export const OUTSIDE_BOTTOM = 4;
/** Outside the top plane of the view volume. */
export const OUTSIDE_TOP = 8;
/** Outside the near plane of the view volume. */
export const OUTSIDE_NEAR = 16;
/** Outside the far plane of the view volume. */
export const OUTSIDE_FAR = 32;
/** The near and far planes. */
export const OUTSIDE_DEPTH = OUTSIDE_NEAR | OUTSIDE_FAR;
/** All six planes of the view volume. */
export const OUTSIDE_VIEW = 63;
/** The four side planes, which do not depend on depth. */
export const OUTSIDE_SIDES = OUTSIDE_LEFT | OUTSIDE_RIGHT | OUTSIDE_BOTTOM | OUTSIDE_TOP;
/** Outside the left plane of the guard band. */
export const OUTSIDE_GUARD_LEFT = 64;
/** Outside the right plane of the guard band. */
export const OUTSIDE_GUARD_RIGHT = 128;
/** Outside the bottom plane of the guard band. */
export const OUTSIDE_GUARD_BOTTOM = 256;
/** Outside the top plane of the guard band. */
export const OUTSIDE_GUARD_TOP = 512;
/** Clip w below {@link MIN_CLIP_W}. */
export const OUTSIDE_W = 1024;
/** A coordinate is infinite or NaN. Primitives of this vertex are dropped. */
export const NOT_FINITE = 2048;
/** Number of bits below those of clip and cull distances. */
export const FIRST_DISTANCE_BIT = 12;
/** A primitive whose vertices share one of these bits has no fragment. */
export const OUTSIDE_ALL = OUTSIDE_VIEW | (0xffff << FIRST_DISTANCE_BIT);
/** Bits that send a triangle through the clipper. */
export const NEEDS_CLIPPING =
  OUTSIDE_NEAR |
  OUTSIDE_FAR |
  OUTSIDE_GUARD_LEFT |
  OUTSIDE_GUARD_RIGHT |
  OUTSIDE_GUARD_BOTTOM |
  OUTSIDE_GUARD_TOP |
  OUTSIDE_W;

/** Smallest clip w used as a divisor. */
export const MIN_CLIP_W = 2 ** -40;
