/** Results of units as the engine stores them: hashes of files in the cluster's blob store. */
import { createHash } from 'node:crypto';
import { canonicalJson, unitKeyOf } from '@tessera/engine';
import type { Report } from '@tessera/frame';
import type { FrameMeasurement } from '@tessera/multi-chiplet/rendering';
import type { StudyRow } from '@tessera/study';
import type { StoredBlob } from '../store/blob-store.ts';

/** Files of a rendered frame. */
export interface FrameFiles {
  readonly image: StoredBlob;
  readonly targets: readonly StoredBlob[];
  readonly timeline: StoredBlob | null;
  readonly measurement: StoredBlob;
  readonly report: StoredBlob;
  readonly imageSha256: string;
  readonly frameSha256: string;
}

/** Part of a report that rows need, which is the same for all specifications. */
export type RowReport = Pick<Report, 'frame' | 'image'> & { readonly chiplets: [] };

/** Files of a rendered point. */
export interface PointFiles {
  readonly report: RowReport;
  /** Measurement, from which other studies compute their rows; null with `coupling: exact`. */
  readonly measurement: KeptMeasurement | null;
}

/** Measurement as a file of the cluster, or, if it is small, as zstd in base64. */
export type KeptMeasurement = StoredBlob | { readonly zstd: string };

/** Returns the digest of a frame: its image and its report without wall times. */
export function frameDigest({ wall: _wall, ...report }: Report): string {
  return unitKeyOf(report);
}

/** Returns the part of a report that rows need. */
export function rowReportOf({ frame, image }: Report): RowReport {
  return { frame, image, chiplets: [] };
}

/**
 * Returns the digest of a point with `coupling: none`: its image and its measurement.
 *
 * @param content File of the measurement.
 */
export function measuredDigest({ image }: RowReport, content: Uint8Array): string {
  return createHash('sha256').update(image.sha256).update(content).digest('hex');
}

/** Returns the digest of a point with `coupling: exact`: its rows without the study's names. */
export function rowsDigest(rows: readonly StudyRow[]): string {
  return unitKeyOf(rows.map((row) => withoutNames(row)));
}

/** Returns rows of another study with the names of this one. */
export function renamedRows(
  rows: readonly StudyRow[],
  names: Pick<StudyRow, 'scene' | 'frame' | 'spec' | 'settings'>,
): StudyRow[] {
  return rows.map((row) => ({ ...row, ...names }));
}

function withoutNames({
  scene: _scene,
  frame: _frame,
  spec: _spec,
  settings: _set,
  ...row
}: StudyRow) {
  return row;
}

/** Returns a measurement that does not depend on the specifications rendered beside its own. */
export function plainMeasurement({ passes }: FrameMeasurement): FrameMeasurement {
  return {
    passes: passes.map(({ alternativeVisibilityCycles: _, bins, copyWork, ...pass }) => ({
      ...pass,
      copyWork: {
        ...copyWork,
        timings: copyWork.timings.map(({ cycles }) => ({ cycles, counters: {} })),
      },
      bins: bins.map(({ alternativeCycles: __, ...bin }) => bin),
    })),
  };
}

/** Returns the file of a measurement. Equal measurements have equal files. */
export function measurementFile(measurement: FrameMeasurement): Buffer {
  return Buffer.from(canonicalJson(measurement));
}
