/** Stencil test and update of one quad (GL ES 3.0, sections 4.1.4 and 4.1.5). */
import type { StencilFaceState, StencilOperation } from '@tessera/frame';
import { type Expr, get, i32x4, type Local, set, v128 } from '@tessera/shader/wasm';
import { compareLanes } from '../../kernel/compare-kernel.ts';
import type { KernelCode } from '../../kernel/kernel-code.ts';

/**
 * Tests the covered lanes and updates the stencil values. Leaves the lanes that pass stencil and
 * depth in `pass`.
 *
 * @param pass Covered lanes on entry.
 * @param depthPass Lanes whose depth passes; `null` if all do.
 */
export function emitStencil(
  code: KernelCode,
  face: StencilFaceState,
  stencilAddress: Expr,
  pass: Local,
  depthPass: Expr | null,
): void {
  const stored = code.keep(v128.load(stencilAddress));
  const reference = code.splatI(face.reference & face.readMask);
  const masked = v128.and(stored, code.splatI(face.readMask));
  const covered = code.keep(get(pass));
  const stencilPass = code.keep(v128.and(covered, compareLanes(face.compare, reference, masked)));
  const allPass = depthPass === null ? stencilPass : code.keep(v128.and(stencilPass, depthPass));

  const depthOrPass =
    depthPass === null
      ? operate(code, face.onPass, face, stored)
      : v128.bitselect(
          operate(code, face.onPass, face, stored),
          operate(code, face.onDepthFail, face, stored),
          allPass,
        );
  const updated = v128.bitselect(
    depthOrPass,
    operate(code, face.onStencilFail, face, stored),
    stencilPass,
  );
  const written = v128.and(covered, code.splatI(face.writeMask));
  code.add(v128.store(stencilAddress, v128.bitselect(updated, stored, written)));
  code.add(set(pass, allPass));
}

/** Returns the stored values, 0 to 255, after `operation`. */
function operate(
  code: KernelCode,
  operation: StencilOperation,
  face: StencilFaceState,
  stored: Expr,
): Expr {
  switch (operation) {
    case 'keep':
      return stored;
    case 'zero':
      return code.splatI(0);
    case 'replace':
      return code.splatI(face.reference);
    case 'increment-clamp':
      return i32x4.minS(i32x4.add(stored, code.splatI(1)), code.splatI(255));
    case 'increment-wrap':
      return v128.and(i32x4.add(stored, code.splatI(1)), code.splatI(255));
    case 'decrement-clamp':
      return i32x4.maxS(i32x4.sub(stored, code.splatI(1)), code.splatI(0));
    case 'decrement-wrap':
      return v128.and(i32x4.sub(stored, code.splatI(1)), code.splatI(255));
    case 'invert':
      return v128.xor(stored, code.splatI(255));
  }
}
