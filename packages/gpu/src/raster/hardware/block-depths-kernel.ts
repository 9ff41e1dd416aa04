/**
 * Code of the entry walk for the depths of blocks. It performs the operations of block-depths.ts in
 * the same order.
 */

import { FAR_LIMIT } from '@tessera/chip/records';
import { type Expr, f64, get, i32, ifThen, type Local, select, set } from '@tessera/shader/wasm';
import type { KernelCode } from '../../kernel/kernel-code.ts';
import { DEPTH_24_MAX } from '../../records/depth-24.ts';
import { DEPTH_USES } from '../../records/entry-walk-layout.ts';
import { DEPTH_C, DEPTH_DX, DEPTH_DY, ORIGIN_X, ORIGIN_Y } from '../../records/raster-record.ts';
import { DEPTH_STEPS, NO_DEPTHS, SPAN_PX } from './block-depths.ts';
import type { WalkVariables } from './entry-walk-variables.ts';

/** Emits the depths of blocks with one sample per pixel. */
export class BlockDepthsCode {
  readonly #at: WalkVariables;
  readonly #originX: Local;
  readonly #originY: Local;
  readonly #c: Local;
  readonly #dx: Local;
  readonly #dy: Local;
  readonly #down: Local;
  readonly #up: Local;
  readonly #depths: Local;

  constructor(variables: WalkVariables) {
    this.#at = variables;
    const { fn } = variables;
    this.#originX = fn.local('i32');
    this.#originY = fn.local('i32');
    this.#c = fn.local('f64');
    this.#dx = fn.local('f64');
    this.#dy = fn.local('f64');
    this.#down = fn.local('f64');
    this.#up = fn.local('f64');
    this.#depths = fn.local('i32');
  }

  /** Emits the parameters of the depth plane, once per primitive. */
  emitPlane(code: KernelCode, record: Expr): void {
    const span = f64.const(SPAN_PX);
    const zero = f64.const(0);
    const dx = get(this.#dx);
    const dy = get(this.#dy);
    // Every sample is at its pixel's center. An infinite slope still makes the reach NaN.
    const reach = f64.mul(zero, f64.add(f64.abs(dx), f64.abs(dy)));
    const extent = (least: (a: Expr, b: Expr) => Expr) =>
      f64.mul(span, f64.add(least(dx, zero), least(dy, zero)));
    const isTest = i32.geU(this.#at.param('depthUse'), i32.const(DEPTH_USES.test));
    code.add(
      ifThen(isTest, [
        set(this.#originX, i32.load(record, { offset: 4 * ORIGIN_X })),
        set(this.#originY, i32.load(record, { offset: 4 * ORIGIN_Y })),
        set(this.#c, f64.load(record, { offset: 8 * DEPTH_C })),
        set(this.#dx, f64.load(record, { offset: 8 * DEPTH_DX })),
        set(this.#dy, f64.load(record, { offset: 8 * DEPTH_DY })),
        set(this.#down, f64.sub(extent(f64.min), reach)),
        set(this.#up, f64.add(extent(f64.max), reach)),
      ]),
    );
  }

  /** Emits the depths of the block at x, y. Returns the word BLOCK.depths. */
  emit(code: KernelCode, x: Expr, y: Expr, isWhole: Expr): Expr {
    const use = this.#at.param('depthUse');
    const steps = f64.const(DEPTH_STEPS);
    const known = code.branch((inner) => {
      const distance = (position: Expr, origin: Local) =>
        f64.convertI32S(i32.sub(position, get(origin)));
      const z = inner.keep(
        f64.add(
          f64.add(get(this.#c), f64.mul(get(this.#dx), distance(x, this.#originX))),
          f64.mul(get(this.#dy), distance(y, this.#originY)),
        ),
      );
      // Conversions and comparisons of NaN give 0 and false, so such a block is neither dropped nor
      // used for the bound. Conversions of negative numbers give 0.
      const nearest = f64.min(f64.add(z, get(this.#down)), f64.const(DEPTH_24_MAX));
      const near = i32.truncSatF64U(f64.div(nearest, steps));
      const highest = inner.keep(f64.add(f64.add(z, get(this.#up)), f64.const(1)));
      const leavesBound = i32.and(
        i32.and(isWhole, i32.eq(use, i32.const(DEPTH_USES.test))),
        f64.lt(highest, f64.const(DEPTH_24_MAX)),
      );
      const far = i32.truncSatF64U(f64.div(f64.add(highest, f64.const(1)), steps));
      const bound = select(far, i32.const(FAR_LIMIT), leavesBound);
      inner.add(set(this.#depths, i32.or(near, i32.shl(bound, i32.const(16)))));
    });
    const isTest = i32.geU(use, i32.const(DEPTH_USES.test));
    code.add(set(this.#depths, i32.const(NO_DEPTHS)), ifThen(isTest, known));
    return get(this.#depths);
  }
}
