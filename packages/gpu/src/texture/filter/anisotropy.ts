/**
 * Anisotropic filter (EXT_texture_filter_anisotropic): the footprint of a pixel is covered by N
 * probes along its longer side, each at the level of detail of a part.
 *
 *     Pmax, Pmin = longer and shorter of the coordinate steps along x and y, in texels of level 0
 *     N          = min(⌈Pmax / Pmin⌉, maximum anisotropy)
 *     λ          = log2(Pmax / N)
 *     probe i    = coordinate + step × (i / (N + 1) − ½), i = 1 … N
 *
 * The result is the mean of the probes. N is common to a quad, as λ is. Lookups with an implicit
 * level in 2D textures and arrays with levels are anisotropic, all others are not.
 */
import { type Expr, f32x4, i8x16, v128 } from '@tessera/shader/wasm';
import type { KernelCode } from '../../kernel/kernel-code.ts';
import { splatFirstLane } from './filter-kernel.ts';
import { emitHalfLog2, halfLog2, quadSquares, squaredLength } from './level-of-detail.ts';
import type { SamplingState } from './sampling-state.ts';

const { fround } = Math;

/** Footprint of a quad as expressions; numbers are in all lanes of a v128. */
export interface ProbeExpressions {
  /** Number of probes, an integral float. */
  readonly count: Expr;
  /** Level of detail in lane 0. */
  readonly lod: Expr;
  /** Step of the coordinates s and t along the longer side. */
  readonly steps: readonly Expr[];
}

/** Returns the maximum number of probes of an implicit lookup: 1 without an anisotropic filter. */
export function maxProbesOf({ sampler, dimension, texelClass }: SamplingState): number {
  const isFlat = dimension === '2d' || dimension === '2d-array';
  const isFiltered = sampler.mipmapFilter !== 'none' && texelClass !== 'int32';
  return isFlat && isFiltered ? (sampler.maxAnisotropy ?? 1) : 1;
}

/** Returns the footprint of a quad from the coordinates of its lanes. */
export function emitProbes(
  code: KernelCode,
  state: SamplingState,
  descriptor: Expr,
  coordinates: readonly Expr[],
): ProbeExpressions {
  const { squares, steps } = quadSquares(code, state.dimension, descriptor, coordinates);
  const alongX = code.keep(splatFirstLane(squares));
  const alongY = code.keep(splatSecondLane(squares));
  const isY = code.keep(f32x4.lt(alongX, alongY));
  const longest = code.keep(v128.bitselect(alongY, alongX, isY));
  const shortest = v128.bitselect(alongX, alongY, isY);
  const ratio = f32x4.sqrt(f32x4.div(longest, shortest));
  const most = code.splatF(maxProbesOf(state));
  const count = code.keep(f32x4.ceil(f32x4.pmin(most, f32x4.pmax(code.splatF(1), ratio))));
  return {
    count,
    lod: emitHalfLog2(code, f32x4.div(longest, f32x4.mul(count, count))),
    steps: steps.map((step) =>
      code.keep(v128.bitselect(splatSecondLane(step), splatFirstLane(step), isY)),
    ),
  };
}

function splatSecondLane(value: Expr): Expr {
  return i8x16.shuffle(value, value, [4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7]);
}

/** Footprint of a quad. */
export interface Probes {
  readonly count: number;
  readonly lod: number;
  readonly steps: readonly number[];
}

/**
 * Returns the footprint of a quad as the kernels compute it.
 *
 * @param sizes Size of level 0 in texels.
 */
export function probesOf(
  maxProbes: number,
  sizes: readonly number[],
  alongX: readonly number[],
  alongY: readonly number[],
): Probes {
  const squareX = squaredLength(sizes, alongX);
  const squareY = squaredLength(sizes, alongY);
  const isY = squareX < squareY;
  const [longest, shortest] = isY ? [squareY, squareX] : [squareX, squareY];
  const ratio = fround(Math.sqrt(fround(longest / shortest)));
  const limited = ratio > 1 ? Math.min(ratio, maxProbes) : 1;
  const count = Math.ceil(limited);
  const lod = halfLog2(fround(longest / fround(count * count)));
  return { count, lod, steps: isY ? alongY : alongX };
}

/** Returns the position of probe `index`, from 1, along the footprint: −½ to ½. */
export function probePosition(index: number, count: number): number {
  return fround(fround(index / fround(count + 1)) - 0.5);
}
