/** Straight-line kernel code in the making: values that are used more than once get a local. */
import { type Expr, type FunctionBuilder, get, type Stmt, set } from '@tessera/shader/wasm';

/** Collects the statements of one stretch of a function. */
export class KernelCode {
  readonly fn: FunctionBuilder;
  readonly statements: Stmt[] = [];

  /** @param fn The function whose locals the code uses; the caller emits the statements into it. */
  constructor(fn: FunctionBuilder) {
    this.fn = fn;
  }

  /** Computes `value` here and returns an expression that may stand in any later place, often. */
  keep(value: Expr): Expr {
    const local = this.fn.local(value.type);
    this.statements.push(set(local, value));
    return get(local);
  }

  /** Appends statements. */
  add(...statements: readonly Stmt[]): void {
    this.statements.push(...statements);
  }

  /** The statements that `build` makes, apart from this list: the branch of an `if`, a loop's body. */
  branch(build: (code: KernelCode) => void): readonly Stmt[] {
    const code = new KernelCode(this.fn);
    build(code);
    return code.statements;
  }
}
