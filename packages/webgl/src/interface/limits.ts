/** Limits of the context, as `getParameter` tells them; those of shaders are the compiler's. */
export const LIMITS = {
  /** Of 2D textures, cubes, renderbuffers and viewports. */
  textureEdgePx: 8192,
  /** 8192 down to 1. */
  textureLevels: 14,
  /** Layers of an array, depth of a 3D texture. */
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

/** Size of the drawing buffer of a canvas, which may be larger than a drawing buffer can be, or empty. */
export function fitDrawingBuffer(width: number, height: number): readonly [number, number] {
  const fit = (edge: number) => Math.min(Math.max(edge | 0, 1), LIMITS.textureEdgePx);
  return [fit(width), fit(height)];
}
