/** Logical operations on colors (OpenGL 2.1, section 4.1.10). */
import { type Expr, v128 } from '@tessera/shader/wasm';
import type { KernelCode } from '../../kernel/kernel-code.ts';

/**
 * Returns the result of a logical operation.
 *
 * @param operation Results for (1, 1), (1, 0), (0, 1), (0, 0) in bits 0 to 3.
 */
export function combineLogically(
  code: KernelCode,
  operation: number,
  source: Expr,
  stored: Expr,
): Expr {
  const terms: readonly Expr[] = [
    v128.and(source, stored),
    v128.andnot(source, stored),
    v128.andnot(stored, source),
    v128.not(v128.or(source, stored)),
  ];
  const chosen = terms.filter((_, bit) => ((operation >> bit) & 1) === 1);
  return chosen.reduce((sum, term) => v128.or(sum, term), code.splatI(0));
}
