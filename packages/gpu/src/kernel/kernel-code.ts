/**
 * Straight-line kernel code under construction. Values that are used more than once get a local.
 */
import {
  type Expr,
  type FunctionBuilder,
  f32x4,
  get,
  i32,
  i32x4,
  type Local,
  type Stmt,
  set,
  v128,
} from '@tessera/shader/wasm';

/**
 * Constants of a function with a loop, in locals set before the loop by loads from memory. V8 does
 * not rebuild loaded values at each use.
 */
export class LoopConstants {
  /** Statements to emit before the loop. */
  readonly statements: Stmt[] = [];
  readonly #fn: FunctionBuilder;
  readonly #ptr: Expr;
  readonly #localByKey = new Map<string, Local>();

  /** @param ptr Address of 16 bytes that the function may overwrite. */
  constructor(fn: FunctionBuilder, ptr: Expr) {
    this.#fn = fn;
    this.#ptr = ptr;
  }

  /** Returns the vector of four integers. */
  vector(words: readonly number[]): Expr {
    const key = words.join(' ');
    let local = this.#localByKey.get(key);
    if (local === undefined) {
      local = this.#fn.local('v128');
      this.#localByKey.set(key, local);
      this.statements.push(
        ...words.map((word, lane) => i32.store(this.#ptr, i32.const(word), { offset: 4 * lane })),
        set(local, v128.load(this.#ptr, { align: 4 })),
      );
    }
    return get(local);
  }
}

const wordBytes = new DataView(new ArrayBuffer(4));

function floatBits(value: number): number {
  wordBytes.setFloat32(0, value);
  return wordBytes.getInt32(0);
}

/** Collects the statements of one part of a function. */
export class KernelCode {
  readonly fn: FunctionBuilder;
  readonly statements: Stmt[] = [];
  readonly #constants: Map<string, Expr>;
  readonly #loopConstants: LoopConstants | null;

  /**
   * @param fn Function whose locals the code uses. The caller emits the statements into it.
   * @param loopConstants Storage of constants that are set before a loop.
   */
  constructor(
    fn: FunctionBuilder,
    loopConstants: LoopConstants | null = null,
    constants: ReadonlyMap<string, Expr> = new Map(),
  ) {
    this.fn = fn;
    this.#loopConstants = loopConstants;
    this.#constants = new Map(constants);
  }

  /** Computes `value` here and returns an expression for any number of later uses. */
  keep(value: Expr): Expr {
    const local = this.fn.local(value.type);
    this.statements.push(set(local, value));
    return get(local);
  }

  /**
   * Returns the float in all four lanes, from a local set at its first use in this list or an
   * enclosing one. V8 rebuilds a vector constant at each use with three instructions, but sets a
   * local only once.
   */
  splatF(value: number): Expr {
    if (this.#loopConstants !== null) return this.splatI(floatBits(value));
    return this.#constant(`f32 ${value}`, f32x4.const([value, value, value, value]));
  }

  /** Returns the integer in all four lanes, as {@link splatF} does. */
  splatI(value: number): Expr {
    if (this.#loopConstants !== null) {
      return this.#loopConstants.vector([value, value, value, value]);
    }
    return this.#constant(`i32 ${value}`, i32x4.const([value, value, value, value]));
  }

  /** Appends statements. */
  add(...statements: readonly Stmt[]): void {
    this.statements.push(...statements);
  }

  /**
   * Returns the statements that `build` creates outside of this list: the branch of an `if`, a
   * loop's body.
   */
  branch(build: (code: KernelCode) => void): readonly Stmt[] {
    const code = new KernelCode(this.fn, this.#loopConstants, this.#constants);
    build(code);
    return code.statements;
  }

  #constant(key: string, value: Expr): Expr {
    const known = this.#constants.get(key);
    if (known !== undefined) return known;
    const kept = this.keep(value);
    this.#constants.set(key, kept);
    return kept;
  }
}
