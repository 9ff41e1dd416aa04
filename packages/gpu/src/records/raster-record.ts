/**
 * Raster record: the result of setup for a point, line or triangle and the input of tile traversal.
 * 128 bytes in chiplet memory.
 *
 * Edge functions are integers per pixel: pixel (i, j) is inside edge k if
 * `a[k] i + b[k] j + c[k] ≥ 0`. Setup has moved c to the pixel center and divided it by 256,
 * rounding down. All samples have the same remainder, so no sign changes. It has subtracted 1 where
 * the fill rule excludes the edge. Slopes are below 2^23, so an edge that crosses a fine bin of 64
 * pixels stays below 2^30 inside it.
 *
 * In a target with several samples per pixel, c belongs to the sample furthest inside the edge and
 * is not rounded (sample-positions.ts). A pixel inside all edges may therefore have a covered
 * sample, and no other pixel has one. The c of each sample follows: c minus the greatest rise of a
 * sample, plus the sample's rise, rounded down.
 *
 * | byte | type | |
 * | --- | --- | --- |
 * | 0 | 4 × f64 | c of the edges, relative to pixel (0, 0) |
 * | 32 | 4 × i32 | a |
 * | 48 | 4 × i32 | b |
 * | 64 | 3 × f64 | window depth in 1 / (2^24 − 1): at the origin pixel, per pixel in x, in y |
 * | 88 | 2 × i32 | origin pixel x, y |
 * | 96 | 4 × i32 | first and last column and row that can be covered: x0, y0, x1, y1 |
 * | 112 | i32 | number of edges: 0 for a point (its box is its shape), 3, or 4 for a line |
 * | 116 | i32 | index of the assembled primitive in its batch |
 * | 120 | i32 | state slot of the draw in the batch |
 * | 124 | i32 | primitive record in the draw's part of the pool |
 */

/** Size of a record in 64-bit words. */
export const RECORD_F64 = 16;
/** Size of a record in 32-bit words. */
export const RECORD_I32 = 32;

/** Offset of the edges' c, in 64-bit words. */
export const EDGE_C = 0;
/** Offset of the depth at the origin pixel, in 64-bit words. */
export const DEPTH_C = 8;
/** Offset of the depth gradient in x, in 64-bit words. */
export const DEPTH_DX = 9;
/** Offset of the depth gradient in y, in 64-bit words. */
export const DEPTH_DY = 10;

/** Offset of the edges' a, in 32-bit words. */
export const EDGE_A = 8;
/** Offset of the edges' b, in 32-bit words. */
export const EDGE_B = 12;
/** Offset of the origin pixel's x, in 32-bit words. */
export const ORIGIN_X = 22;
/** Offset of the origin pixel's y, in 32-bit words. */
export const ORIGIN_Y = 23;
/** Offset of the box's first column, in 32-bit words. */
export const BOX_X0 = 24;
/** Offset of the box's first row, in 32-bit words. */
export const BOX_Y0 = 25;
/** Offset of the box's last column, in 32-bit words. */
export const BOX_X1 = 26;
/** Offset of the box's last row, in 32-bit words. */
export const BOX_Y1 = 27;
/** Offset of the number of edges, in 32-bit words. */
export const EDGE_COUNT = 28;
/** Offset of the primitive's index in its batch, in 32-bit words. */
export const SOURCE_PRIMITIVE = 29;
/** Offset of the draw's state slot, in 32-bit words. */
export const DRAW_SLOT = 30;
/** Offset of the primitive record's index, in 32-bit words. */
export const PRIMITIVE_RECORD = 31;

/** Outcome: the primitive has a raster record. */
export const SET_UP = 0;
/** Outcome: face culling dropped the primitive. */
export const FACE_CULLED = 1;
/** Outcome: the primitive has no area. */
export const ZERO_AREA = 2;
/** Outcome: the box of the primitive contains no sample of the drawable rectangle. */
export const NO_SAMPLE = 3;
/** Outcome of setup. */
export type SetupResult = typeof SET_UP | typeof FACE_CULLED | typeof ZERO_AREA | typeof NO_SAMPLE;

/**
 * Outcome before setup: the primitive is outside the view volume or has a vertex that is not
 * finite.
 */
export const OUTSIDE = 4;
/** Outcome of a primitive: set up, or the reason why not. */
export type PrimitiveOutcome = SetupResult | typeof OUTSIDE;
