/**
 * The arrays of a {@link RecordedRun}. They are nearly all of its bytes, so runs are measured,
 * stored and sent array by array.
 */
import { RenderError } from './errors.ts';
import { MAX_RUN_BYTES, type RecordedRun } from './recorded-run.ts';

/** Array of a run. */
export type RunArray = Int32Array | Float64Array;

/** Function that returns an array in place of another one of the same type and length. */
export type MapArray = <T extends RunArray>(array: T) => T;

/** Bytes on whose multiples arrays start in common memory. */
const ALIGNMENT_BYTES = 8;

/** Returns the run with `map(array)` in place of each array. The order of the calls is fixed. */
export function mapRunArrays(run: RecordedRun, map: MapArray): RecordedRun {
  return {
    ...run,
    plan: map(run.plan),
    commands: map(run.commands),
    entries: map(run.entries),
    blocks: map(run.blocks),
    fragmentTraces: map(run.fragmentTraces),
    fragmentTraceWords: map(run.fragmentTraceWords),
    vertices: map(run.vertices),
    draws: map(run.draws),
    arrays: map(run.arrays),
    pageHeads: map(run.pageHeads),
    drawSites: map(run.drawSites),
    vertexLogs: run.vertexLogs.map((log) => ({
      ...log,
      words: map(log.words),
      order: map(log.order),
      starts: map(log.starts),
    })),
  };
}

/** Returns the bytes of the arrays of a run. */
export function countRunBytes(run: RecordedRun): number {
  let bytes = 0;
  mapRunArrays(run, (array) => {
    bytes += array.byteLength;
    return array;
  });
  return bytes;
}

/**
 * Rejects a run that is too large to be sent.
 *
 * @throws {RenderError} LIMIT_EXCEEDED.
 */
export function refuseLargeRun(run: RecordedRun): void {
  const bytes = countRunBytes(run);
  if (bytes <= MAX_RUN_BYTES) return;
  throw new RenderError(
    'LIMIT_EXCEEDED',
    `coupling=exact: a coarse bin or visibility phase has ${bytes} bytes of records; at most ${MAX_RUN_BYTES}. More coarse bins have less each`,
  );
}

/**
 * Returns the run with copies of its arrays in one piece of shared memory, which threads exchange
 * without copying it again.
 */
export function runInSharedMemory(run: RecordedRun): RecordedRun {
  let bytes = 0;
  mapRunArrays(run, (array) => {
    bytes += alignUp(array.byteLength);
    return array;
  });
  const memory = new SharedArrayBuffer(bytes);
  let at = 0;
  return mapRunArrays(run, <T extends RunArray>(array: T): T => {
    const Words = array.constructor as new (memory: SharedArrayBuffer, at: number, n: number) => T;
    const copy = new Words(memory, at, array.length);
    copy.set(array);
    at += alignUp(array.byteLength);
    return copy;
  });
}

function alignUp(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
}
