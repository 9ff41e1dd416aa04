/**
 * Level of detail (GL ES 3.0, section 3.8.10): λ = log2 ρ = ½ log2 ρ². ρ² is the larger squared
 * length, in texels of level 0, of the coordinate steps between pixels along x and along y.
 *
 * log2 x = e + t p(t), with x = 2^e (1 + t) and 1 + t in [√½, √2), is accurate to 1.5e-5 and exact
 * at powers of two. Each step exists twice, on vectors and on numbers, with equal rounding.
 *
 * On a cube, the steps of a quad are projected on the face of its average direction, as in Mesa's
 * softpipe. The first lane may be a helper invocation far outside of its triangle, on another face.
 */
import type { TextureDimension } from '@tessera/frame';
import { type Expr, f32x4, i8x16, i32, i32x4, v128 } from '@tessera/shader/wasm';
import type { KernelCode } from '../../kernel/kernel-code.ts';
import { LEVEL_FIELD, LEVEL_RECORDS_OFFSET } from '../layout/texture-descriptor.ts';
import { faceNumber, faceSteps, selectFace } from './cube-kernel.ts';
import { splatFirstLane } from './filter-kernel.ts';
import { type LookupOperands, spatialCountOf } from './lookup-operands.ts';

const { fround } = Math;

/** Minimax polynomial of log2(1 + t) / t. */
const LOG2 = [
  1.4425779581069946, -0.7202417850494385, 0.4866861402988434, -0.3945753574371338,
  0.25266024470329285,
] as const;
const SQRT_HALF_BITS = 0x3f3504f3;
/** Lower bound of ρ²; the upper bound is 2^100. λ is thus within ±50, past every level. */
const MIN_SQUARE = 2 ** -100;
const MAX_SQUARE = 2 ** 100;

/**
 * Returns λ of a quad in lane 0, from the coordinate steps of its first lane to the right and down.
 */
export function quadLevelOfDetail(
  code: KernelCode,
  dimension: TextureDimension,
  descriptor: Expr,
  coordinates: readonly Expr[],
): Expr {
  const { squares } = quadSquares(code, dimension, descriptor, coordinates);
  const alongY = i8x16.shuffle(squares, squares, [4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7]);
  return emitHalfLog2(code, f32x4.pmax(squares, alongY));
}

/**
 * Returns the coordinate steps of a quad's first lane to the right, in lane 0, and down, in lane 1,
 * and their squared lengths in texels.
 */
export function quadSquares(
  code: KernelCode,
  dimension: TextureDimension,
  descriptor: Expr,
  coordinates: readonly Expr[],
): { readonly squares: Expr; readonly steps: readonly Expr[] } {
  /** Returns the differences of lanes 1 and 2 from lane 0, in lanes 0 and 1. */
  const stepOf = (coordinate: Expr): Expr => {
    const others = i8x16.shuffle(
      coordinate,
      coordinate,
      [4, 5, 6, 7, 8, 9, 10, 11, 4, 5, 6, 7, 8, 9, 10, 11],
    );
    return f32x4.sub(others, splatFirstLane(coordinate));
  };
  const origin =
    dimension === 'cube' ? quadDirection(code, coordinates) : coordinates.map(splatFirstLane);
  const steps = coordinates
    .slice(0, spatialCountOf(dimension))
    .map((each) => code.keep(stepOf(each)));
  return { squares: emitSquaredLength(code, dimension, descriptor, origin, steps), steps };
}

/**
 * Returns the direction at which the steps of a quad are projected, in all lanes: that of the first
 * lane, or the average if that is on another face.
 */
function quadDirection(code: KernelCode, coordinates: readonly Expr[]): readonly Expr[] {
  const first = coordinates.map((axis) => code.keep(splatFirstLane(axis))) as Direction;
  const average = coordinates.map((axis) => {
    const pairs = code.keep(f32x4.add(axis, i8x16.shuffle(axis, axis, SWAPPED_NEIGHBORS)));
    const sum = f32x4.add(pairs, i8x16.shuffle(pairs, pairs, SWAPPED_ROWS));
    return code.keep(f32x4.mul(sum, code.splatF(0.25)));
  }) as Direction;
  const numberOf = (direction: Direction) => faceNumber(code, selectFace(code, direction));
  const isSame = code.keep(i32x4.eq(numberOf(first), numberOf(average)));
  return first.map((axis, i) => v128.bitselect(axis, average[i]!, isSame));
}

type Direction = [Expr, Expr, Expr];

/** Byte indices that swap lanes 0 and 1, and 2 and 3. */
const SWAPPED_NEIGHBORS = [4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11];
/** Byte indices that swap lanes 0 and 2, and 1 and 3. */
const SWAPPED_ROWS = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7];

/** Returns λ of each lane from the function's operands. */
export function lanesLevelOfDetail(
  code: KernelCode,
  operation: 'bias' | 'lod' | 'grad',
  dimension: TextureDimension,
  descriptor: Expr,
  { coordinates, levelOfDetail }: Pick<LookupOperands<Expr>, 'coordinates' | 'levelOfDetail'>,
): Expr {
  switch (operation) {
    case 'lod':
      return levelOfDetail[0]!;
    case 'bias': {
      const quad = quadLevelOfDetail(code, dimension, descriptor, coordinates);
      return f32x4.add(splatFirstLane(quad), levelOfDetail[0]!);
    }
    case 'grad': {
      const count = spatialCountOf(dimension);
      const squared = (steps: readonly Expr[]): Expr =>
        emitSquaredLength(code, dimension, descriptor, coordinates, steps);
      const alongX = squared(levelOfDetail.slice(0, count));
      const alongY = squared(levelOfDetail.slice(count));
      return emitHalfLog2(code, f32x4.pmax(alongX, alongY));
    }
  }
}

/**
 * Returns the squared length of a step in texels of level 0.
 *
 * @param origin Start of a step on a cube.
 */
function emitSquaredLength(
  code: KernelCode,
  dimension: TextureDimension,
  descriptor: Expr,
  origin: readonly Expr[],
  steps: readonly Expr[],
): Expr {
  const texels = (coordinate: Expr, size: Expr): Expr => code.keep(f32x4.mul(coordinate, size));
  const sizeAt = (field: number): Expr =>
    v128.load32Splat(descriptor, { offset: LEVEL_RECORDS_OFFSET + field });
  const onFace = dimension === 'cube' ? stepOnFace(code, origin, steps) : steps;
  const s = texels(onFace[0]!, sizeAt(LEVEL_FIELD.width));
  const t = texels(onFace[1]!, sizeAt(LEVEL_FIELD.height));
  const square = code.keep(f32x4.add(f32x4.mul(s, s), f32x4.mul(t, t)));
  if (dimension !== '3d') return square;
  const slices = i32x4.add(sizeAt(LEVEL_FIELD.maxSlice), code.splatI(1));
  const r = texels(onFace[2]!, f32x4.convertI32x4S(slices));
  return code.keep(f32x4.add(square, f32x4.mul(r, r)));
}

function stepOnFace(
  code: KernelCode,
  origin: readonly Expr[],
  steps: readonly Expr[],
): readonly Expr[] {
  const direction = origin.map((axis) => code.keep(axis)) as [Expr, Expr, Expr];
  const step = steps.map((axis) => code.keep(axis)) as [Expr, Expr, Expr];
  return faceSteps(code, selectFace(code, direction), direction, step);
}

/** Returns ½ log2 of each lane. NaN counts as the smallest number. */
export function emitHalfLog2(code: KernelCode, square: Expr): Expr {
  const x = f32x4.pmin(code.splatF(MAX_SQUARE), f32x4.pmax(code.splatF(MIN_SQUARE), square));
  const bits = code.keep(x);
  const shift = i32.const(23);
  const e = code.keep(i32x4.shrS(i32x4.sub(bits, code.splatI(SQRT_HALF_BITS)), shift));
  const t = code.keep(f32x4.sub(i32x4.sub(bits, i32x4.shl(e, shift)), code.splatF(1)));
  const pair = (k: 0 | 2): Expr =>
    f32x4.add(f32x4.mul(code.splatF(LOG2[k + 1]!), t), code.splatF(LOG2[k]));
  const t2 = code.keep(f32x4.mul(t, t));
  const p24 = f32x4.add(f32x4.mul(code.splatF(LOG2[4]), t2), pair(2));
  const p = f32x4.add(f32x4.mul(p24, t2), pair(0));
  const log2 = f32x4.add(f32x4.convertI32x4S(e), f32x4.mul(t, p));
  return code.keep(f32x4.mul(code.splatF(0.5), log2));
}

/**
 * Returns λ of one lane as the kernels compute it.
 *
 * @param sizes Size of level 0, in texels, along each coordinate of the steps.
 */
export function levelOfDetail(
  sizes: readonly number[],
  alongX: readonly number[],
  alongY: readonly number[],
): number {
  const squareX = squaredLength(sizes, alongX);
  const squareY = squaredLength(sizes, alongY);
  if (squareX < squareY) return halfLog2(squareY);
  return halfLog2(squareX); // This is also the result if squareY is NaN.
}

/** Returns the squared length of a step in texels. */
export function squaredLength(sizes: readonly number[], step: readonly number[]): number {
  const [first, ...others] = step.map((along, axis) => fround(along * sizes[axis]!));
  return others.reduce(
    (sum, texels) => fround(sum + fround(texels * texels)),
    fround(first! * first!),
  );
}

const floatView = new Float32Array(1);
const intView = new Int32Array(floatView.buffer);

/** Returns ½ log2 of a number as the kernels compute it. */
export function halfLog2(square: number): number {
  floatView[0] = Number.isNaN(square)
    ? MIN_SQUARE
    : Math.min(Math.max(square, MIN_SQUARE), MAX_SQUARE);
  const bits = intView[0]!;
  const e = (bits - SQRT_HALF_BITS) >> 23;
  intView[0] = bits - (e << 23);
  const t = fround(floatView[0] - 1);
  const pair = (k: 0 | 2): number => fround(fround(LOG2[k + 1]! * t) + LOG2[k]);
  const t2 = fround(t * t);
  const p24 = fround(fround(LOG2[4] * t2) + pair(2));
  const p = fround(fround(p24 * t2) + pair(0));
  return fround(0.5 * fround(e + fround(t * p)));
}
