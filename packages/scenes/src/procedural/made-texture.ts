/** Procedural textures. */
import type { TextureImage } from '../build/frame-builder.ts';

/** Function that returns the 8-bit red, green, blue and alpha of a texel. */
export type TexelFunction = (x: number, y: number) => readonly [number, number, number, number];

/** Returns a square texture of `edgePx` texels. */
export function makeTexture(
  edgePx: number,
  format: 'rgba8unorm' | 'rgba8unorm-srgb',
  isMipmapGenerated: boolean,
  texelAt: TexelFunction,
): TextureImage {
  const texels = new Uint8Array(edgePx * edgePx * 4);
  for (let y = 0; y < edgePx; y++) {
    for (let x = 0; x < edgePx; x++) texels.set(texelAt(x, y), (y * edgePx + x) * 4);
  }
  return { format, widthPx: edgePx, heightPx: edgePx, levels: [texels], isMipmapGenerated };
}

/** Returns a checkerboard of `squarePx` texels per square in two colors. */
export function checkerTexel(
  squarePx: number,
  even: readonly [number, number, number, number],
  odd: readonly [number, number, number, number],
): TexelFunction {
  return (x, y) => ((Math.floor(x / squarePx) + Math.floor(y / squarePx)) % 2 === 0 ? even : odd);
}
