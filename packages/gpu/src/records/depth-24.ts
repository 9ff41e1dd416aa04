/** Depth as targets store it: a 24-bit unsigned normalized integer. */

/** Largest stored depth; the stored value of depth 1. */
export const DEPTH_24_MAX = 0xffffff;
