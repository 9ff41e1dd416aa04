/**
 * Locals that hold the state of one group: registers, masks, outputs, discarded lanes. Kernels that
 * run several groups side by side keep the state of each in a frame in memory. This class records
 * which locals a segment of code has touched, so that only those are loaded and stored.
 */
import { type Expr, type FunctionBuilder, get, type Local, type Stmt, set } from '../wasm/index.ts';

/** Allocates the locals of the state and records accesses to them. */
export class GroupState {
  readonly #fn: FunctionBuilder;
  /** Index of a local in the frame, in vectors. */
  readonly #placeByLocal = new Map<Local, number>();
  /** Locals touched since the last `takeTouched`; true if a local was assigned. */
  #touched = new Map<Local, boolean>();

  constructor(fn: FunctionBuilder) {
    this.#fn = fn;
  }

  /** Current number of vectors in a frame. */
  get vectorCount(): number {
    return this.#placeByLocal.size;
  }

  /** Returns a new local of the state. */
  createLocal(): Local {
    const local = this.#fn.local('v128');
    this.#placeByLocal.set(local, this.#placeByLocal.size);
    return local;
  }

  /**
   * Returns the index of `local` in the frame, in vectors.
   *
   * @throws {Error} If `local` is not part of the state.
   */
  place(local: Local): number {
    const place = this.#placeByLocal.get(local);
    if (place === undefined)
      throw new Error(`local ${local.index} is not part of the group's state`);
    return place;
  }

  /** Returns the value of `local` and records the access. */
  read(local: Local): Expr {
    if (this.#placeByLocal.has(local)) {
      this.#touched.set(local, this.#touched.get(local) ?? false);
    }
    return get(local);
  }

  /** Assigns `value` to `local` and records the access. */
  assign(local: Local, value: Expr): Stmt {
    if (this.#placeByLocal.has(local)) this.#touched.set(local, true);
    return set(local, value);
  }

  /** Returns the locals touched since the last call, and whether they were assigned. */
  takeTouched(): ReadonlyMap<Local, boolean> {
    const touched = this.#touched;
    this.#touched = new Map();
    return touched;
  }
}
