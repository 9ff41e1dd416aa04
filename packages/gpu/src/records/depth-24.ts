/** Stored depth: a 24-bit unsigned normalized integer. */

/** Largest stored depth, which represents depth 1. */
export const DEPTH_24_MAX = 0xffffff;
