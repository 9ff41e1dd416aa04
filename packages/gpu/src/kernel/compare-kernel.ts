/**
 * Comparison functions of depth and stencil on lanes of non-negative int32: new value against
 * stored value.
 */
import type { CompareFunction } from '@tessera/frame';
import { type Expr, i32x4 } from '@tessera/shader/wasm';

/** Returns all ones in the lanes where `incoming` compares true with `stored`. */
export function compareLanes(compare: CompareFunction, incoming: Expr, stored: Expr): Expr {
  switch (compare) {
    case 'never':
      return i32x4.const([0, 0, 0, 0]);
    case 'less':
      return i32x4.ltS(incoming, stored);
    case 'equal':
      return i32x4.eq(incoming, stored);
    case 'less-equal':
      return i32x4.leS(incoming, stored);
    case 'greater':
      return i32x4.gtS(incoming, stored);
    case 'not-equal':
      return i32x4.ne(incoming, stored);
    case 'greater-equal':
      return i32x4.geS(incoming, stored);
    case 'always':
      return i32x4.const([-1, -1, -1, -1]);
  }
}
