/**
 * Limits of frames with `coupling: exact`. Their records are in memory until all chiplets are
 * simulated, and each simulated chiplet has a machine of some megabytes.
 */
import { countRunBytes, MAX_CHIPLETS, RenderError } from '@tessera/frame';
import { type FrameMeasurement, visibilityPartsOf } from './frame-measurement.ts';

/** Upper bound on the chiplets of a GPU that is simulated with `coupling: exact`. */
export const MAX_COUPLED_CHIPLETS = 256;

/** Returns the bytes of all records of a frame. */
export function countRecordBytes({ passes }: FrameMeasurement): number {
  let bytes = 0;
  for (const pass of passes) {
    for (const { records } of [...visibilityPartsOf(pass), ...pass.bins]) {
      if (records !== undefined) bytes += countRunBytes(records);
    }
  }
  return bytes;
}

/** Returns the error for too many bytes of records. */
export function tooManyRecords(limit: number): RenderError {
  return new RenderError(
    'LIMIT_EXCEEDED',
    `coupling=exact: the phases and bins have more than ${limit} bytes of records; coupling=none has no such limit`,
  );
}

/**
 * Rejects frames whose records are too large in total. A frame that occurs several times counts
 * once.
 *
 * @throws {RenderError} LIMIT_EXCEEDED.
 */
export function refuseManyRecords(frames: Iterable<FrameMeasurement>, limit: number): void {
  let bytes = 0;
  for (const frame of new Set(frames)) bytes += countRecordBytes(frame);
  if (bytes > limit) throw tooManyRecords(limit);
}

/**
 * Rejects a GPU with too many chiplets.
 *
 * @throws {RenderError} LIMIT_EXCEEDED.
 */
export function refuseManyMachines(chipletCount: number): void {
  if (chipletCount <= MAX_COUPLED_CHIPLETS) return;
  throw new RenderError(
    'LIMIT_EXCEEDED',
    `coupling=exact: ${chipletCount} chiplets; at most ${MAX_COUPLED_CHIPLETS}, and ${MAX_CHIPLETS} with coupling=none`,
  );
}
