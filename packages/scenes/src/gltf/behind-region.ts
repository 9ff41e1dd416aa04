/**
 * Part of the image behind transmitting surfaces that they may read: its levels, and a rectangle of
 * each. Rows of rectangles count down, and rows of texture coordinates up.
 */
import { fullLevelCountOf, levelSizeOf, type RectPx, type UniformValue } from '@tessera/frame';
import { BoundingBox } from '../math/bounding-box.ts';
import type { Matrix4 } from '../math/matrix.ts';
import { type ImageSize, projectBoxes, type Range } from './screen-region.ts';
import type { SurfaceDraw } from './surface-draws.ts';

/** Parts of the levels that are read, from the largest level. */
export type BehindRegion = readonly RectPx[];

/**
 * Roughness that curvature within a pixel may add for the choice of levels. Surfaces that bend more
 * are blurred as if they bent this much.
 */
const MAX_CURVATURE = 1 / 3;
/** Texels that the cubic filter reads on each side of a position, and one for its rounding. */
const FILTER_TEXELS = 3;

/**
 * Finds the region.
 *
 * @param draws Transmitting surfaces, at least one.
 */
export function findBehindRegion(
  draws: readonly Pick<SurfaceDraw, 'draw' | 'features' | 'box'>[],
  viewProjection: Matrix4,
  size: ImageSize,
): BehindRegion {
  const lastLevel = Math.min(
    fullLevelCountOf(size) - 1,
    Math.max(...draws.map((draw) => Math.ceil(Math.log2(size.widthPx) * mostBlur(draw)))),
  );
  const exits = draws.map(({ box, draw }) => inflated(box, draw.uniforms));
  const [columns, rows] = projectBoxes(exits, viewProjection, size);
  const sizes = Array.from({ length: lastLevel + 1 }, (_, level) => levelSizeOf(size, level));
  const columnsOf = rangesOf(
    columns,
    sizes.map(({ widthPx }) => widthPx),
  );
  const rowsOf = rangesOf(
    rows,
    sizes.map(({ heightPx }) => heightPx),
  );
  return sizes.map(({ heightPx }, level) => {
    const [left, right] = columnsOf[level]!;
    const [bottom, top] = rowsOf[level]!;
    return {
      x: left,
      y: heightPx - 1 - top,
      width: right - left + 1,
      height: top - bottom + 1,
    };
  });
}

/** Returns the largest share of all levels by which a surface blurs; see transmission.ts. */
function mostBlur({ draw: { uniforms }, features }: Pick<SurfaceDraw, 'draw' | 'features'>) {
  const numberOf = (name: string, missing: number) => firstOf(uniforms[name]) ?? missing;
  const layers = features.full?.layers;
  // The roughness factor of the other model is a glossiness.
  const factor = layers?.has('specular-glossiness') ? 1 : numberOf('u_roughnessFactor', 1);
  const roughness = Math.min(Math.max(factor, 0.045) + MAX_CURVATURE, 1);
  const ior = numberOf('u_ior', 1.5);
  const spread = Math.max(0, ior - 1) * 0.025 * numberOf('u_dispersion', 0);
  return roughness * Math.min(Math.max((ior + spread) * 2 - 2, 0), 1);
}

/** Returns the box of the points where light that passes through the thickness leaves. */
function inflated(
  { min, max }: BoundingBox,
  { u_thickness, u_modelScale }: SurfaceDraw['draw']['uniforms'],
): BoundingBox {
  const thickness = firstOf(u_thickness) ?? 0;
  const [x = 0, y = 0, z = 0] = Array.from(u_modelScale ?? [], (scale) => thickness * scale);
  const exits = new BoundingBox();
  exits.addPoint(min[0] - x, min[1] - y, min[2] - z);
  exits.addPoint(max[0] + x, max[1] + y, max[2] + z);
  return exits;
}

function firstOf(value: UniformValue | undefined): number | undefined {
  return value?.[0];
}

/**
 * Returns, for each level, the first and the last texel along one axis that surfaces read or that a
 * smaller level is made of.
 *
 * @param reads Coordinates at which surfaces read.
 * @param sizesPx Sizes of the levels.
 */
function rangesOf([from, to]: Range, sizesPx: readonly number[]): Range[] {
  const ranges: Range[] = [];
  for (let level = sizesPx.length - 1; level >= 0; level--) {
    const sizePx = sizesPx[level]!;
    const clamp = (texel: number) => Math.min(Math.max(texel, 0), sizePx - 1);
    let first = Math.floor(from * sizePx - 0.5) - FILTER_TEXELS;
    let last = Math.ceil(to * sizePx - 0.5) + FILTER_TEXELS;
    const smaller = ranges[0];
    if (smaller !== undefined) {
      const perTexel = sizePx / sizesPx[level + 1]!;
      first = Math.min(first, Math.floor((smaller[0] + 0.5) * perTexel - 0.5) - 1);
      last = Math.max(last, Math.ceil((smaller[1] + 0.5) * perTexel - 0.5) + 1);
    }
    ranges.unshift([clamp(first), clamp(last)]);
  }
  return ranges;
}
