/** The basis of a triangle for kernels: what TriangleBasis of triangle-basis.ts says, operation by operation. */
import { type Expr, f64, get, i32, ifThen, type Local, set } from '@tessera/shader/wasm';
import type { KernelCode } from '../kernel/kernel-code.ts';
import type { Pair } from './attribute-planes-kernel.ts';
import { MIN_HEIGHT_SUBPIXELS } from './triangle-basis.ts';

/** Where it starts, in pixels, and the weights of the second and third corner per pixel. */
interface TriangleBasisCode {
  readonly start: Pair;
  readonly first: Pair;
  readonly second: Pair;
}

/**
 * Computes the basis of a triangle: over exact corners, or over rounded ones where samples may lie too far outside.
 *
 * @param exact Corners before rounding. @param reciprocals 1 / w at the corners.
 * @param roundedArea Twice the area of the rounded ones.
 */
export function emitTriangleBasis(
  code: KernelCode,
  rounded: readonly [Pair, Pair, Pair],
  exact: { readonly x: readonly [Expr, Expr, Expr]; readonly y: readonly [Expr, Expr, Expr] },
  [r0, r1, r2]: readonly [Expr, Expr, Expr],
  roundedArea: Expr,
): TriangleBasisCode {
  const { x: exactX, y: exactY } = exact;
  const local = (value: Expr): Local => {
    const made = code.fn.local('f64');
    code.add(set(made, value));
    return made;
  };
  const x0 = local(exactX[0]);
  const y0 = local(exactY[0]);
  const ex1 = local(f64.sub(exactX[1], exactX[0]));
  const ey1 = local(f64.sub(exactY[1], exactY[0]));
  const ex2 = local(f64.sub(exactX[2], exactX[0]));
  const ey2 = local(f64.sub(exactY[2], exactY[0]));
  const area = local(f64.sub(f64.mul(get(ex1), get(ey2)), f64.mul(get(ex2), get(ey1))));
  const size = code.keep(f64.abs(get(area)));
  const length = (x: Expr, y: Expr) => f64.add(f64.abs(x), f64.abs(y));
  const longest = f64.max(
    f64.max(length(get(ex1), get(ey1)), length(get(ex2), get(ey2))),
    length(f64.sub(get(ex2), get(ex1)), f64.sub(get(ey2), get(ey1))),
  );
  const dr1 = code.keep(f64.sub(r1, r0));
  const dr2 = code.keep(f64.sub(r2, r0));
  const rise = f64.add(
    f64.abs(f64.sub(f64.mul(dr1, get(ey2)), f64.mul(dr2, get(ey1)))),
    f64.abs(f64.sub(f64.mul(dr2, get(ex1)), f64.mul(dr1, get(ex2)))),
  );
  const isExact = i32.and(
    i32.and(
      f64.gt(size, f64.const(0)),
      f64.ge(size, f64.mul(f64.const(MIN_HEIGHT_SUBPIXELS), longest)),
    ),
    f64.le(rise, f64.mul(f64.min(f64.min(r0, r1), r2), size)),
  );
  const [p0, p1, p2] = rounded;
  code.add(
    ifThen(i32.eqz(isExact), [
      set(x0, p0.x),
      set(y0, p0.y),
      set(ex1, f64.sub(p1.x, p0.x)),
      set(ey1, f64.sub(p1.y, p0.y)),
      set(ex2, f64.sub(p2.x, p0.x)),
      set(ey2, f64.sub(p2.y, p0.y)),
      set(area, roundedArea),
    ]),
  );
  const perPixel = code.keep(f64.div(f64.const(256), get(area)));
  const scaled = (value: Expr) => code.keep(f64.mul(value, perPixel));
  const inPixels = (value: Local) => code.keep(f64.mul(get(value), f64.const(1 / 256)));
  return {
    start: { x: inPixels(x0), y: inPixels(y0) },
    first: { x: scaled(get(ey2)), y: scaled(f64.neg(get(ex2))) },
    second: { x: scaled(f64.neg(get(ey1))), y: scaled(get(ex1)) },
  };
}
