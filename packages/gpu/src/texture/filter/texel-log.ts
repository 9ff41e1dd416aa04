/**
 * Code that logs the cache lines that a lookup reads (execution-log.ts of the shader back end). It
 * is at the lowest level, where texel addresses are used, and so covers every filter, dimension and
 * format.
 */
import { EXECUTION_LOG, LOG_LINE_SHIFT } from '@tessera/shader/codegen';
import { type Expr, i32, i32x4, v128 } from '@tessera/shader/wasm';
import type { KernelCode } from '../../kernel/kernel-code.ts';

const VECTOR_BYTES = 16;

/** Address of the log; `null` in kernels without a log. */
export type TexelLog = number | null;

/**
 * Logs the lines of one texel per lane.
 *
 * @param addresses Texel addresses; −1 in lanes that read none.
 */
export function logTexels(code: KernelCode, log: TexelLog, addresses: Expr): void {
  if (log === null) return;
  const word = i32.const(log + EXECUTION_LOG.cursor);
  const reads = i32.const(log + EXECUTION_LOG.reads);
  const cursor = code.keep(i32.load(word));
  const live = v128.or(addresses, deadLanes(log));
  const lines = code.keep(i32x4.shrS(live, i32.const(LOG_LINE_SHIFT)));
  const before = v128.load(i32.sub(cursor, i32.const(VECTOR_BYTES)));
  const isRepeated = i32x4.allTrue(i32x4.eq(lines, before));
  const isKept = i32.xor(isRepeated, i32.const(1));
  code.add(
    v128.store(cursor, lines),
    i32.store(word, i32.add(cursor, i32.shl(isKept, i32.const(4)))),
    i32.store(reads, i32.add(i32.load(reads), i32.const(1))),
  );
}

/** Returns the lanes that read nothing. */
function deadLanes(log: number): Expr {
  return v128.load(i32.const(log + EXECUTION_LOG.deadLanes));
}

/**
 * Emits the start of reads whose result only lane `lane` uses. Until {@link endSingleLane}, no
 * other lane is logged.
 *
 * @returns Lanes that were dead before.
 */
export function beginSingleLane(code: KernelCode, log: TexelLog, lane: number): Expr | null {
  if (log === null) return null;
  const before = code.keep(deadLanes(log));
  const others = i32x4.const([0, 1, 2, 3].map((index) => (index === lane ? 0 : -1)));
  setDeadLanes(code, log, v128.or(before, others));
  return before;
}

/** Emits the end of reads for a single lane and restores the dead lanes. */
export function endSingleLane(code: KernelCode, log: TexelLog, before: Expr | null): void {
  if (log !== null && before !== null) setDeadLanes(code, log, before);
}

function setDeadLanes(code: KernelCode, log: number, lanes: Expr): void {
  code.add(v128.store(i32.const(log + EXECUTION_LOG.deadLanes), lanes));
}
