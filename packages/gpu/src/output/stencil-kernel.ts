/** Stencil test and update of one quad (GL ES 3.0, sections 4.1.4 and 4.1.5). */
import type { StencilFaceState, StencilOperation } from '@tessera/frame';
import { type Expr, get, i32x4, type Local, set, v128 } from '@tessera/shader/wasm';
import type { KernelCode } from '../kernel/kernel-code.ts';
import { compareLanes } from './compare-kernel.ts';

const splatI = (value: number): Expr => i32x4.const([value, value, value, value]);

/**
 * Tests the covered lanes, updates the stencil values and leaves the lanes that pass stencil and depth
 * in `pass`.
 *
 * @param pass On entry the covered lanes.
 * @param depthPass Lanes whose depth passes, `null` if all do.
 */
export function emitStencil(
  code: KernelCode,
  face: StencilFaceState,
  stencilAddress: Expr,
  pass: Local,
  depthPass: Expr | null,
): void {
  const stored = code.keep(v128.load(stencilAddress));
  const reference = splatI(face.reference & face.readMask);
  const masked = v128.and(stored, splatI(face.readMask));
  const covered = code.keep(get(pass));
  const stencilPass = code.keep(v128.and(covered, compareLanes(face.compare, reference, masked)));
  const allPass = depthPass === null ? stencilPass : code.keep(v128.and(stencilPass, depthPass));

  const depthOrPass =
    depthPass === null
      ? operate(face.onPass, face, stored)
      : v128.bitselect(
          operate(face.onPass, face, stored),
          operate(face.onDepthFail, face, stored),
          allPass,
        );
  const updated = v128.bitselect(
    depthOrPass,
    operate(face.onStencilFail, face, stored),
    stencilPass,
  );
  const written = v128.and(covered, splatI(face.writeMask));
  code.add(v128.store(stencilAddress, v128.bitselect(updated, stored, written)));
  code.add(set(pass, allPass));
}

/** The stored values, 0 to 255, after `operation`. */
function operate(operation: StencilOperation, face: StencilFaceState, stored: Expr): Expr {
  switch (operation) {
    case 'keep':
      return stored;
    case 'zero':
      return splatI(0);
    case 'replace':
      return splatI(face.reference);
    case 'increment-clamp':
      return i32x4.minS(i32x4.add(stored, splatI(1)), splatI(255));
    case 'increment-wrap':
      return v128.and(i32x4.add(stored, splatI(1)), splatI(255));
    case 'decrement-clamp':
      return i32x4.maxS(i32x4.sub(stored, splatI(1)), splatI(0));
    case 'decrement-wrap':
      return v128.and(i32x4.sub(stored, splatI(1)), splatI(255));
    case 'invert':
      return v128.xor(stored, splatI(255));
  }
}
