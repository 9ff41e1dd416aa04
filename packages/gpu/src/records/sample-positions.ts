/** Depth of samples relative to the center of their pixel; see SAMPLE_X for the pattern. */
import { SAMPLE_X, SAMPLE_Y } from '@tessera/frame';

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
