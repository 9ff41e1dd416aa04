/** Rows of the journal's table of frames, which `FrameStore` writes. */
import type { ErrorCode } from '@tessera/frame';
import type { FrameOptions } from '../prepare/frame-options.ts';
import type { FrameSource } from '../prepare/frame-source.ts';
import { upgradeSpec } from '../specs/upgrade-spec.ts';
import type { Row } from '../store/database.ts';
import { readStored } from '../store/stored-row.ts';
import type { FrameRecord, FrameResult, FrameStatus, FrameSummary } from './frame-record.ts';

/** Columns without the report and the source, which may be large. */
export const SUMMARY_COLUMNS = `number, id, submitted_ms, finished_ms, status, name, tags, model, options, warnings, bins_done,
  bin_count, error_code, error_message, result, fingerprint, trace_id`;
/** All columns but the report. */
export const FRAME_COLUMNS = `${SUMMARY_COLUMNS}, source`;

/**
 * Returns the frame in a row of {@link FRAME_COLUMNS}.
 *
 * @throws {DatabaseError} If the row is damaged.
 */
export function readFrame(row: Row): FrameRecord {
  const source = readStored(placeOf(row), () => JSON.parse(String(row.source)) as FrameSource);
  return { ...readSummary(row), source };
}

function placeOf({ id }: Row): string {
  return `frames, ${String(id)}`;
}

/**
 * Returns the frame in a row of {@link SUMMARY_COLUMNS}, without its source.
 *
 * @throws {DatabaseError} If the row is damaged.
 */
export function readSummary(row: Row): FrameSummary {
  return readStored(placeOf(row), () => summaryOf(row));
}

function summaryOf(row: Row): FrameSummary {
  const isOver = row.finished_ms !== null;
  return {
    id: String(row.id),
    submittedAt: new Date(Number(row.submitted_ms)),
    name: String(row.name),
    tags: JSON.parse(String(row.tags)) as string[],
    model: String(row.model),
    traceId: String(row.trace_id ?? ''),
    options: upgradeOptions(JSON.parse(String(row.options)) as FrameOptions),
    status: row.status as FrameStatus,
    phase: isOver ? 'over' : 'waiting',
    binsDone: Number(row.bins_done),
    binCount: Number(row.bin_count),
    warnings: JSON.parse(String(row.warnings)) as string[],
    result: readResult(row),
    error: readError(row),
  };
}

/**
 * Returns stored options, which an earlier version may have written. Version 0.1 stored no
 * specification but at most a preset, and rendered models as `quality=simple` does. Without that
 * quality its frames and studies would have other images when they continue.
 */
export function upgradeOptions(options: FrameOptions): FrameOptions {
  const { alternativeSpecs } = options;
  const spec = options.spec as FrameOptions['spec'] | string | null; // `upgradeSpec` says when.
  const isOfVersion01 = typeof spec !== 'object' || spec === null;
  return {
    ...options,
    spec: upgradeSpec(spec),
    ...(isOfVersion01 ? { modelOptions: { quality: 'simple' } } : {}),
    ...(alternativeSpecs === undefined
      ? {}
      : { alternativeSpecs: alternativeSpecs.map(upgradeSpec) }),
  };
}

/**
 * Returns the result in a row, or null.
 *
 * @throws {DatabaseError} If the row is damaged.
 */
export function readResult(row: Row): FrameResult | null {
  const { result } = row;
  if (result === null) return null;
  return readStored(placeOf(row), () => JSON.parse(String(result)) as FrameResult);
}

/** Returns the error in a row, or null. */
export function readError({ error_code: code, error_message: message }: Row): FrameRecord['error'] {
  return code === null ? null : { code: code as ErrorCode, message: String(message) };
}
