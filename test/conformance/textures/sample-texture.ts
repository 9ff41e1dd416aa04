/**
 * Texture sampling by the formulas of GL ES 3.0, sections 3.8.10 and 3.8.11, in double precision:
 * the oracle of the texture tests.
 */
import type { FilterMode, PlainWrapMode } from '@tessera/frame';
import type { Rgba } from '../scene/draw-scene.ts';

/** One level: texels 0 to 1, row 0 at t = 0. */
export interface OracleLevel {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly texels: readonly Rgba[];
}

/** Returns the index of the texel that wrapping yields for `i` (table 3.19, applied to texels). */
export function wrapTexel(
  mode: Exclude<PlainWrapMode, 'clamp' | 'clamp-to-border'> | 'mirror-clamp-to-edge',
  i: number,
  size: number,
): number {
  const cycle = (value: number, length: number) => ((value % length) + length) % length;
  switch (mode) {
    case 'repeat':
      return cycle(i, size);
    case 'mirror-clamp-to-edge':
      return Math.min(i < 0 ? -1 - i : i, size - 1);
    case 'clamp-to-edge':
      return Math.min(Math.max(i, 0), size - 1);
    case 'mirrored-repeat': {
      const phase = cycle(i, 2 * size);
      return phase < size ? phase : 2 * size - 1 - phase;
    }
  }
}

/** Returns a level sampled at (s, t). */
export function sampleLevel(
  level: OracleLevel,
  filter: FilterMode,
  wrapS: Parameters<typeof wrapTexel>[0],
  wrapT: Parameters<typeof wrapTexel>[0],
  s: number,
  t: number,
): Rgba {
  const { widthPx, heightPx, texels } = level;
  const texel = (i: number, j: number): Rgba =>
    texels[wrapTexel(wrapT, j, heightPx) * widthPx + wrapTexel(wrapS, i, widthPx)]!;
  const [u, v] = [s * widthPx, t * heightPx];
  if (filter === 'nearest') return texel(Math.floor(u), Math.floor(v));
  const [i, j] = [Math.floor(u - 0.5), Math.floor(v - 0.5)];
  const [alpha, beta] = [u - 0.5 - i, v - 0.5 - j];
  const corners: readonly (readonly [number, Rgba])[] = [
    [(1 - alpha) * (1 - beta), texel(i, j)],
    [alpha * (1 - beta), texel(i + 1, j)],
    [(1 - alpha) * beta, texel(i, j + 1)],
    [alpha * beta, texel(i + 1, j + 1)],
  ];
  return [0, 1, 2, 3].map((c) =>
    corners.reduce((sum, [weight, color]) => sum + weight * color[c]!, 0),
  ) as unknown as Rgba;
}

/**
 * Returns the distance of a texture coordinate from the closest border between two texels, in
 * texels.
 */
export function distanceToTexelBorder(coordinate: number, size: number): number {
  const u = coordinate * size;
  return Math.abs(u - Math.round(u));
}
