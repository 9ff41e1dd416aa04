/**
 * Code of a triangle's basis for kernels. It performs the operations of TriangleBasis in
 * triangle-basis.ts in the same order. Points are double vectors with x in lane 0 and y in lane 1.
 */
import {
  type Expr,
  f64,
  f64x2,
  get,
  i8x16,
  i32,
  ifThen,
  type Local,
  set,
} from '@tessera/shader/wasm';
import type { KernelCode } from '../../kernel/kernel-code.ts';
import { MIN_HEIGHT_SUBPIXELS } from './triangle-basis.ts';

/**
 * Start of the basis in pixels, and gradients of the second and third corner's weights per pixel.
 */
export interface TriangleBasisCode {
  readonly start: Expr;
  readonly first: Expr;
  readonly second: Expr;
}

/** Returns the x of two points. */
export function lanesX(a: Expr, b: Expr): Expr {
  return i8x16.shuffle(a, b, [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]);
}

/** Returns the y of two points. */
export function lanesY(a: Expr, b: Expr): Expr {
  return i8x16.shuffle(a, b, [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31]);
}

function swapLanes(point: Expr): Expr {
  return i8x16.shuffle(point, point, [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7]);
}

/** Returns x + y of a point. */
export function emitSum(code: KernelCode, point: Expr): Expr {
  const kept = code.keep(point);
  return f64.add(f64x2.extractLane(kept, 0), f64x2.extractLane(kept, 1));
}

/** Returns twice the area between two sides from one corner. */
export function emitArea(code: KernelCode, first: Expr, second: Expr): Expr {
  const products = code.keep(f64x2.mul(first, swapLanes(code.keep(second))));
  return f64.sub(f64x2.extractLane(products, 0), f64x2.extractLane(products, 1));
}

/**
 * Emits the basis of a triangle: over exact corners, or over rounded ones if samples may be too far
 * outside.
 *
 * @param exact Corners before rounding.
 * @param reciprocals 1 / w at the corners.
 * @param roundedArea Twice the area of the rounded triangle.
 * @param signs The vector 1, −1.
 */
export function emitTriangleBasis(
  code: KernelCode,
  rounded: readonly [Expr, Expr, Expr],
  exact: readonly [Expr, Expr, Expr],
  [r0, r1, r2]: readonly [Expr, Expr, Expr],
  roundedArea: Expr,
  signs: Expr,
): TriangleBasisCode {
  const local = (value: Expr): Local => {
    const made = code.fn.local(value.type);
    code.add(set(made, value));
    return made;
  };
  const start = local(exact[0]);
  const side1 = local(f64x2.sub(exact[1], exact[0]));
  const side2 = local(f64x2.sub(exact[2], exact[0]));
  const area = local(emitArea(code, get(side1), get(side2)));
  const size = code.keep(f64.abs(get(area)));
  const turned1 = local(swapLanes(get(side1)));
  const turned2 = local(swapLanes(get(side2)));

  const size1 = code.keep(f64x2.abs(get(side1)));
  const size2 = code.keep(f64x2.abs(get(side2)));
  const lengths = code.keep(f64x2.add(lanesX(size1, size2), lanesY(size1, size2)));
  const length3 = emitSum(code, f64x2.abs(f64x2.sub(get(side2), get(side1))));
  const longest = greater(
    code,
    greater(code, f64x2.extractLane(lengths, 0), f64x2.extractLane(lengths, 1)),
    length3,
  );
  const dr1 = f64x2.splat(f64.sub(r1, r0));
  const dr2 = f64x2.splat(f64.sub(r2, r0));
  const rise = emitSum(
    code,
    f64x2.abs(f64x2.sub(f64x2.mul(dr1, get(turned2)), f64x2.mul(dr2, get(turned1)))),
  );
  const least = less(code, less(code, r0, r1), r2);
  const isExact = i32.and(
    i32.and(
      f64.gt(size, f64.const(0)),
      f64.ge(size, f64.mul(f64.const(MIN_HEIGHT_SUBPIXELS), longest)),
    ),
    f64.le(rise, f64.mul(least, size)),
  );
  const [p0, p1, p2] = rounded;
  code.add(
    ifThen(i32.eqz(isExact), [
      set(start, p0),
      set(turned1, swapLanes(f64x2.sub(p1, p0))),
      set(turned2, swapLanes(f64x2.sub(p2, p0))),
      set(area, roundedArea),
    ]),
  );
  const perPixel = code.keep(f64x2.mul(signs, f64x2.splat(f64.div(f64.const(256), get(area)))));
  return {
    start: code.keep(f64x2.mul(get(start), code.keep(f64x2.splat(f64.const(1 / 256))))),
    first: code.keep(f64x2.mul(get(turned2), perPixel)),
    second: code.keep(f64x2.mul(f64x2.neg(get(turned1)), perPixel)),
  };
}

/** Returns the larger of two doubles, without the special cases of `f64.max` for zeros and NaN. */
function greater(code: KernelCode, a: Expr, b: Expr): Expr {
  return pick(code, a, b, f64x2.pmax);
}

function less(code: KernelCode, a: Expr, b: Expr): Expr {
  return pick(code, a, b, f64x2.pmin);
}

function pick(code: KernelCode, a: Expr, b: Expr, of: (a: Expr, b: Expr) => Expr): Expr {
  return code.keep(f64x2.extractLane(of(f64x2.splat(a), f64x2.splat(b)), 0));
}
