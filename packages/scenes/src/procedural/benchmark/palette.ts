/** Small textures of single colors, which vertices choose by a texture coordinate. */
import type { TextureImage } from '../../build/frame-builder.ts';
import { makeTexture } from '../made-texture.ts';

/** Colors of a palette in the order of their texels: red, green and blue of 8 bits. */
export type PaletteColors = readonly (readonly [red: number, green: number, blue: number])[];

const EDGE_PX = 4;

/**
 * Returns a texture of 4×4 texels with at most 16 colors, for a sampler of the nearest texel.
 *
 * @param alpha Alpha of all texels, 0 to 255.
 */
export function makePalette(colors: PaletteColors, alpha: number): TextureImage {
  return makeTexture(EDGE_PX, 'rgba8unorm-srgb', false, (x, y) => {
    const [red, green, blue] = colors[y * EDGE_PX + x] ?? [0, 0, 0];
    return [red, green, blue, alpha];
  });
}

/** Returns the texture coordinate of the center of a color's texel. */
export function paletteCoordinate(index: number): readonly [u: number, v: number] {
  return [((index % EDGE_PX) + 0.5) / EDGE_PX, (Math.floor(index / EDGE_PX) + 0.5) / EDGE_PX];
}
