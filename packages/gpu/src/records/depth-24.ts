/** Stored depth: a 24-bit unsigned normalized integer. */

/** Largest stored depth, which represents depth 1. */
export const DEPTH_24_MAX = 0xffffff;

/**
 * Converts a depth to the nearest stored one, ties to even, with the float arithmetic of the GPU.
 * Values outside of 0 to 1 are clamped; NaN becomes 0.
 */
export function toDepth24(value: number): number {
  const scaled = Math.fround((value > 0 ? Math.min(value, 1) : 0) * DEPTH_24_MAX);
  const below = Math.floor(scaled);
  const fraction = scaled - below;
  if (fraction !== 0.5) return fraction < 0.5 ? below : below + 1;
  return below + (below % 2);
}
