/**
 * Sample positions of a pixel: the standard patterns of Direct3D and Vulkan, mirrored for OpenGL's
 * lower-left origin (Vulkan 1.4, section 27.3, "Multisampling", standardSampleLocations; Direct3D
 * 11, D3D11_STANDARD_MULTISAMPLE_PATTERN). Every row and every column of as many parts as samples
 * has one sample, so a nearly vertical or horizontal edge has as many steps.
 *
 *     ┌───────────┐
 *     │      3    │   Four samples. Offsets are from the pixel's center in 1/16 pixel, x to the
 *     │ 2         │   right, y down, as everywhere in setup.
 *     │         1 │
 *     │    0      │
 *     └───────────┘
 */

/** Offsets of the samples of a pixel from its center, in 1/16 pixel. */
export interface SamplePattern {
  /** Offsets to the right, by sample. */
  readonly x: readonly number[];
  /** Offsets down, by sample. */
  readonly y: readonly number[];
}

const PATTERNS: Readonly<Record<number, SamplePattern>> = {
  1: { x: [0], y: [0] },
  4: { x: [-2, 6, -6, 2], y: [6, 2, -2, -6] },
  8: { x: [1, -1, 5, -3, -5, -7, 3, 7], y: [3, -3, -1, 5, -5, 1, -7, 7] },
};

/**
 * Returns the pattern of a number of samples.
 *
 * @throws {Error} If it is not one of `SAMPLE_COUNTS`.
 */
export function samplePatternOf(sampleCount: number): SamplePattern {
  const pattern = PATTERNS[sampleCount];
  if (pattern === undefined) throw new Error(`there is no pattern of ${sampleCount} samples`);
  return pattern;
}

/** Maximum number of samples per pixel. */
export const MAX_SAMPLE_COUNT = 8;
