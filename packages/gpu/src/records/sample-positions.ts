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

/** Largest distance of a sample from the center along either axis, in 1/256 pixel. */
export const SAMPLE_REACH_SUBPIXELS = 96;

/**
 * Returns the value of an edge function at sample `sample` minus that at the center, exactly. Its
 * slopes per pixel are a and b.
 */
export function sampleRise(a: number, b: number, sample: number): number {
  return (a * SAMPLE_X[sample]! + b * SAMPLE_Y[sample]!) / 16;
}

/** Returns the rise of the sample furthest inside the edge. */
export function greatestSampleRise(a: number, b: number): number {
  return Math.max(
    sampleRise(a, b, 0),
    sampleRise(a, b, 1),
    sampleRise(a, b, 2),
    sampleRise(a, b, 3),
  );
}

/**
 * Returns the rise of the sample furthest outside the edge. The pattern is symmetric about the
 * center.
 */
export function leastSampleRise(a: number, b: number): number {
  return Math.min(
    sampleRise(a, b, 0),
    sampleRise(a, b, 1),
    sampleRise(a, b, 2),
    sampleRise(a, b, 3),
  );
}
