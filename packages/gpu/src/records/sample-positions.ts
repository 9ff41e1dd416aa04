/** Values of edge functions at samples relative to the center of their pixel. */
import { samplePatternOf } from '@tessera/frame';

/** Returns the largest distance of a sample from the center along either axis, in 1/256 pixel. */
export function sampleReachSubpixels(sampleCount: number): number {
  const { x, y } = samplePatternOf(sampleCount);
  return 16 * Math.max(...x.map(Math.abs), ...y.map(Math.abs));
}

/**
 * Returns the value of an edge function at sample `sample` minus that at the center, exactly. Its
 * slopes per pixel are a and b.
 */
export function sampleRise(a: number, b: number, sample: number, sampleCount: number): number {
  const { x, y } = samplePatternOf(sampleCount);
  return (a * x[sample]! + b * y[sample]!) / 16;
}

/** Returns the rise of the sample furthest inside the edge. */
export function greatestSampleRise(a: number, b: number, sampleCount: number): number {
  const { x, y } = samplePatternOf(sampleCount);
  let most = Number.NEGATIVE_INFINITY;
  for (let sample = 0; sample < sampleCount; sample++) {
    most = Math.max(most, a * x[sample]! + b * y[sample]!);
  }
  return most / 16;
}

/** Returns the rise of the sample furthest outside the edge. */
export function leastSampleRise(a: number, b: number, sampleCount: number): number {
  return -greatestSampleRise(-a, -b, sampleCount);
}
