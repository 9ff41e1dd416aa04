/**
 * Code of the entry walk for hierarchical depth. It performs the operations of
 * hierarchical-depth.ts in the same order.
 */

import { type Expr, f64, get, i32, ifThen, type Local, select, set } from '@tessera/shader/wasm';
import type { KernelCode } from '../../kernel/kernel-code.ts';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { DEPTH_24_MAX } from '../../records/depth-24.ts';
import { DEPTH_USES } from '../../records/entry-walk-layout.ts';
import { DEPTH_C, DEPTH_DX, DEPTH_DY, ORIGIN_X, ORIGIN_Y } from '../../records/raster-record.ts';
import type { WalkVariables } from './entry-walk-variables.ts';
import { SPAN_PX } from './hierarchical-depth.ts';

/** Emits the test of blocks with one sample per pixel. */
export class BoundTest {
  readonly #memory: ChipletMemory;
  readonly #at: WalkVariables;
  readonly #originX: Local;
  readonly #originY: Local;
  readonly #c: Local;
  readonly #dx: Local;
  readonly #dy: Local;
  readonly #down: Local;
  readonly #up: Local;
  readonly #kill: Local;

  constructor(memory: ChipletMemory, variables: WalkVariables) {
    this.#memory = memory;
    this.#at = variables;
    const { fn } = variables;
    this.#originX = fn.local('i32');
    this.#originY = fn.local('i32');
    this.#c = fn.local('f64');
    this.#dx = fn.local('f64');
    this.#dy = fn.local('f64');
    this.#down = fn.local('f64');
    this.#up = fn.local('f64');
    this.#kill = fn.local('i32');
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

  /**
   * Emits the test of the block at x, y. Updates the bound by its depth.
   *
   * @returns 1 if the block is dropped.
   */
  emit(code: KernelCode, x: Expr, y: Expr, isWhole: Expr): Expr {
    const use = this.#at.param('depthUse');
    const isUse = (name: keyof typeof DEPTH_USES) => i32.eq(use, i32.const(DEPTH_USES[name]));
    const place = { offset: this.#memory.depthBoundsPtr };
    const known = code.branch((inner) => {
      const row = i32.shrS(i32.sub(y, this.#at.param('boundsY')), i32.const(2));
      const column = i32.shrS(i32.sub(x, this.#at.param('boundsX')), i32.const(2));
      const at = inner.keep(
        i32.shl(i32.add(i32.mul(row, this.#at.param('boundsPerRow')), column), i32.const(3)),
      );
      const tested = inner.branch((test) => {
        const distance = (position: Expr, origin: Local) =>
          f64.convertI32S(i32.sub(position, get(origin)));
        const bound = test.keep(f64.load(at, place));
        const z = test.keep(
          f64.add(
            f64.add(get(this.#c), f64.mul(get(this.#dx), distance(x, this.#originX))),
            f64.mul(get(this.#dy), distance(y, this.#originY)),
          ),
        );
        // Comparisons with NaN are false, so such a block is neither dropped nor used for the
        // bound.
        const nearest = f64.min(f64.add(z, get(this.#down)), f64.const(DEPTH_24_MAX));
        const highest = test.keep(f64.add(f64.add(z, get(this.#up)), f64.const(1)));
        const isLower = i32.and(i32.and(isWhole, isUse('test')), f64.lt(highest, bound));
        test.add(
          set(this.#kill, f64.ge(nearest, f64.add(bound, f64.const(1)))),
          ifThen(
            select(i32.const(0), isLower, get(this.#kill)),
            f64.store(at, f64.max(highest, f64.const(0)), place),
          ),
        );
      });
      inner.add(ifThen(isUse('raise'), f64.store(at, f64.const(DEPTH_24_MAX), place), tested));
    });
    code.add(set(this.#kill, i32.const(0)), ifThen(use, known));
    return get(this.#kill);
  }
}
