/** Limits of a context, as `getParameter` returns them. The shader compiler has its own limits. */
export const LIMITS = {
  /** Largest edge of 2D textures, cube maps, renderbuffers and viewports. */
  textureEdgePx: 8192,
  /** Number of mipmap levels, for edges from 8192 down to 1. */
  textureLevels: 14,
  /** Largest number of layers of an array texture, and largest depth of a 3D texture. */
  textureSlices: 2048,
  colorAttachments: 8,
  samples: 4,
  pointSizePx: 1024,
  lineWidthPx: 16,
  attributes: 16,
  uniformBufferBindings: 72,
  uniformBlocksOfStage: 14,
  uniformBlockBytes: 65_536,
  uniformOffsetBytes: 256,
  transformFeedbackBindings: 4,
} as const;

/**
 * Returns the size of the drawing buffer for a canvas: each edge is clamped to the range 1 to 8192.
 */
export function fitDrawingBuffer(width: number, height: number): readonly [number, number] {
  const fit = (edge: number) => Math.min(Math.max(edge | 0, 1), LIMITS.textureEdgePx);
  return [fit(width), fit(height)];
}
