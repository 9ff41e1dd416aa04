/**
 * Where the samples of a pixel lie in a target with four of them: Direct3D's and Vulkan's standard pattern, a rotated
 * grid, as OpenGL has it, from the lower left corner of the pixel. So that every row and every column of quarters
 * holds one sample, and an edge that is nearly vertical or horizontal has four steps.
 *
 *     ┌───────────┐
 *     │      3    │   Offsets from the pixel's centre in 1/16 pixel, x to the right, y down (as all of
 *     │ 2         │   set-up counts).
 *     │         1 │
 *     │    0      │
 *     └───────────┘
 */
export const SAMPLE_X: readonly number[] = [-2, 6, -6, 2];
export const SAMPLE_Y: readonly number[] = [6, 2, -2, -6];

/** Samples of a pixel that has several. */
export const MULTISAMPLE_COUNT = 4;

/** How far a sample is from the centre at most, along either axis, in 1/256 pixel. */
export const SAMPLE_REACH_SUBPIXELS = 96;

/** By how much an edge function of slopes a, b per pixel is larger at sample `sample` than at the centre. Exact. */
export function sampleRise(a: number, b: number, sample: number): number {
  return (a * SAMPLE_X[sample]! + b * SAMPLE_Y[sample]!) / 16;
}

/** The same for the sample that is furthest inside. */
export function greatestSampleRise(a: number, b: number): number {
  return Math.max(
    sampleRise(a, b, 0),
    sampleRise(a, b, 1),
    sampleRise(a, b, 2),
    sampleRise(a, b, 3),
  );
}

/** The same for the one that is furthest outside: the pattern is symmetric about the centre. */
export function leastSampleRise(a: number, b: number): number {
  return Math.min(
    sampleRise(a, b, 0),
    sampleRise(a, b, 1),
    sampleRise(a, b, 2),
    sampleRise(a, b, 3),
  );
}
