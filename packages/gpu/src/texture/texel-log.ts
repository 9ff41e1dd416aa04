/**
 * Code that writes down which texels a lookup reads (execution-log.ts of the shader back end): one vector of
 * addresses for each texel that a lane reads, −1 in lanes that read none. It belongs at the lowest level, where
 * addresses are used: then it holds for every filter, dimension and format.
 */
import { EXECUTION_LOG } from '@tessera/shader/codegen';
import { type Expr, i32, i32x4, v128 } from '@tessera/shader/wasm';
import type { KernelCode } from '../kernel/kernel-code.ts';

/** Address of the log; `null` in kernels that keep none. */
export type TexelLog = number | null;

/** Logs the addresses of one texel per lane. */
export function logTexels(code: KernelCode, log: TexelLog, addresses: Expr): void {
  if (log === null) return;
  const word = i32.const(log + EXECUTION_LOG.cursor);
  const cursor = code.keep(i32.load(word));
  const live = v128.or(addresses, deadLanes(log));
  code.add(v128.store(cursor, live), i32.store(word, i32.add(cursor, i32.const(16))));
}

/** Lanes that read nothing. */
function deadLanes(log: number): Expr {
  return v128.load(i32.const(log + EXECUTION_LOG.deadLanes));
}

/**
 * Code for reads whose result only lane `lane` takes: until {@link endSingleLane} no other is logged.
 *
 * @returns The lanes that were dead before.
 */
export function beginSingleLane(code: KernelCode, log: TexelLog, lane: number): Expr | null {
  if (log === null) return null;
  const before = code.keep(deadLanes(log));
  const others = i32x4.const([0, 1, 2, 3].map((index) => (index === lane ? 0 : -1)));
  setDeadLanes(code, log, v128.or(before, others));
  return before;
}

export function endSingleLane(code: KernelCode, log: TexelLog, before: Expr | null): void {
  if (log !== null && before !== null) setDeadLanes(code, log, before);
}

function setDeadLanes(code: KernelCode, log: number, lanes: Expr): void {
  code.add(v128.store(i32.const(log + EXECUTION_LOG.deadLanes), lanes));
}
