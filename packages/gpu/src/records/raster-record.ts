/**
 * The raster record: what set-up makes of a point, line or triangle and tile traversal reads. 128
 * bytes in chiplet memory.
 *
 * Edge functions are integers per pixel: pixel (i, j) is inside edge k where `a[k] i + b[k] j + c[k] ≥ 0`.
 * Set-up has already moved c to the pixel centre, divided by 256 rounding down (all samples have the
 * same remainder, so no sign changes) and subtracted 1 where the fill rule leaves the edge out. Slopes
 * are below 2^23 in size, so inside a fine bin of 64 pixels an edge that crosses it stays below 2^30.
 *
 * In a target of several samples a pixel, c is that of the sample that is furthest inside the edge and not rounded
 * (sample-positions.ts), so that a pixel with all c ≥ 0 may have a covered sample and no other has one. The c of each
 * sample follows from it: c less the greatest rise of a sample, plus the sample's rise, rounded down.
 *
 * | byte | type | |
 * | --- | --- | --- |
 * | 0 | 4 × f64 | c of the edges, relative to pixel (0, 0) |
 * | 32 | 4 × i32 | a |
 * | 48 | 4 × i32 | b |
 * | 64 | 3 × f64 | window depth in units of 1 / (2^24 − 1): at the origin pixel, per pixel in x, in y |
 * | 88 | 2 × i32 | origin pixel x, y |
 * | 96 | 4 × i32 | first and last column, first and last row that can be covered: x0, y0, x1, y1 |
 * | 112 | i32 | edges: 0 for a point (its box is its shape), 3, or 4 for a line |
 * | 116 | i32 | number of the assembled primitive in its batch |
 * | 120 | i32 | draw: its state slot in the batch |
 * | 124 | i32 | primitive record in the draw's part of the pool |
 */

/** Size of a record in 64-bit and in 32-bit words. */
export const RECORD_F64 = 16;
export const RECORD_I32 = 32;

/** Offsets in 64-bit words. */
export const EDGE_C = 0;
export const DEPTH_C = 8;
export const DEPTH_DX = 9;
export const DEPTH_DY = 10;

/** Offsets in 32-bit words. */
export const EDGE_A = 8;
export const EDGE_B = 12;
export const ORIGIN_X = 22;
export const ORIGIN_Y = 23;
export const BOX_X0 = 24;
export const BOX_Y0 = 25;
export const BOX_X1 = 26;
export const BOX_Y1 = 27;
export const EDGE_COUNT = 28;
export const SOURCE_PRIMITIVE = 29;
export const DRAW_SLOT = 30;
export const PRIMITIVE_RECORD = 31;

/** What set-up decides about a primitive. */
export const SET_UP = 0;
export const FACE_CULLED = 1;
export const ZERO_AREA = 2;
/** The box of the primitive holds no sample of the drawable rectangle. */
export const NO_SAMPLE = 3;
export type SetupResult = typeof SET_UP | typeof FACE_CULLED | typeof ZERO_AREA | typeof NO_SAMPLE;

/** Before set-up: the primitive lay wholly outside the view volume, or has a vertex that is no finite number. */
export const OUTSIDE = 4;
/** What became of a primitive: it was set up, or why not. */
export type PrimitiveOutcome = SetupResult | typeof OUTSIDE;
