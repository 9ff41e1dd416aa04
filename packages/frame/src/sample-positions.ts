/**
 * Sample positions of a pixel in a target with four samples: the standard pattern of Direct3D and
 * Vulkan, a rotated grid, mirrored for OpenGL's lower-left origin. Every row and every column of
 * quarters has one sample, so a nearly vertical or horizontal edge has four steps.
 *
 *     ┌───────────┐
 *     │      3    │   Offsets from the pixel's center in 1/16 pixel, x to the right, y down, as
 *     │ 2         │   everywhere in setup.
 *     │         1 │
 *     │    0      │
 *     └───────────┘
 */
export const SAMPLE_X: readonly number[] = [-2, 6, -6, 2];
/** Offsets of the samples in y, in 1/16 pixel. */
export const SAMPLE_Y: readonly number[] = [6, 2, -2, -6];

/** Samples per pixel in a multisampled target. */
export const MULTISAMPLE_COUNT = 4;
