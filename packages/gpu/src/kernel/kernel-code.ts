/** Straight-line kernel code in the making: values that are used more than once get a local. */
import {
  type Expr,
  type FunctionBuilder,
  f32x4,
  get,
  i32x4,
  type Stmt,
  set,
} from '@tessera/shader/wasm';

/** Collects the statements of one stretch of a function. */
export class KernelCode {
  readonly fn: FunctionBuilder;
  readonly statements: Stmt[] = [];
  readonly #constants: Map<string, Expr>;

  /** @param fn The function whose locals the code uses; the caller emits the statements into it. */
  constructor(fn: FunctionBuilder, constants: ReadonlyMap<string, Expr> = new Map()) {
    this.fn = fn;
    this.#constants = new Map(constants);
  }

  /** Computes `value` here and returns an expression that may stand in any later place, often. */
  keep(value: Expr): Expr {
    const local = this.fn.local(value.type);
    this.statements.push(set(local, value));
    return get(local);
  }

  /**
   * The float in all four lanes, from a local that is set at the first use in this list or the lists around
   * it. V8 makes a vector constant anew at each place (three instructions), a local only once.
   */
  splatF(value: number): Expr {
    return this.#constant(`f32 ${value}`, f32x4.const([value, value, value, value]));
  }

  /** The integer in all four lanes; as {@link splatF}. */
  splatI(value: number): Expr {
    return this.#constant(`i32 ${value}`, i32x4.const([value, value, value, value]));
  }

  /** Appends statements. */
  add(...statements: readonly Stmt[]): void {
    this.statements.push(...statements);
  }

  /** The statements that `build` makes, apart from this list: the branch of an `if`, a loop's body. */
  branch(build: (code: KernelCode) => void): readonly Stmt[] {
    const code = new KernelCode(this.fn, this.#constants);
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
