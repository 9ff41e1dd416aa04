/** Values that a study sweeps, its rows, and the frames to render for it. */
import type { Timing, VisibilityShader } from '@tessera/frame';

/** Request of a study: all combinations of these values. */
export interface StudyRequest {
  readonly title: string;
  /** Ids of frames whose models, captures or native frames are rendered. */
  readonly frames: readonly string[];
  /** Numbers of chiplets, each including the visibility chiplet. */
  readonly chiplets: readonly number[];
  readonly policies: readonly string[];
  /** Presets; null stands for the one that the service was started with. */
  readonly specs: readonly (string | null)[];
  /** Numbers of coarse bins. */
  readonly bins: readonly number[];
  readonly visibility: readonly VisibilityShader[];
}

/**
 * Frame that is rendered for a study. All numbers of chiplets and policies are simulated from it.
 */
export interface StudyPoint {
  /** Position in the study, from 0. */
  readonly position: number;
  /** Index of the frame in the request. */
  readonly frameIndex: number;
  readonly spec: string | null;
  readonly bins: number;
  readonly visibility: VisibilityShader;
}

/** Row of the results. */
export interface StudyRow {
  /** Id of the frame whose source was rendered. */
  readonly frame: string;
  readonly model: string;
  readonly spec: string;
  readonly bins: number;
  readonly visibility: VisibilityShader;
  readonly policy: string;
  readonly chiplets: number;
  readonly cycles: number;
  readonly simulatedMs: number;
  readonly visibilityCycles: number;
  /** Cycles on one chiplet ÷ cycles. */
  readonly speedup: number;
  /** Speed-up ÷ chiplets; 1 is best. */
  readonly efficiency: number;
  /** Largest share of bins ÷ mean share, in cycles; 1 is best. */
  readonly imbalance: number;
  readonly linkBytes: number;
  readonly imageSha256: string;
}

/** Columns of the CSV, in order. */
export const STUDY_COLUMNS = [
  'frame',
  'model',
  'spec',
  'bins',
  'visibility',
  'policy',
  'chiplets',
  'cycles',
  'simulatedMs',
  'visibilityCycles',
  'speedup',
  'efficiency',
  'imbalance',
  'linkBytes',
  'imageSha256',
] as const satisfies readonly (keyof StudyRow)[];

/** Timing of all studies, because their rows are cycles. */
export const STUDY_TIMING: Timing = 'cycle';

/** Returns the frames to render, in order. */
export function listPoints(request: StudyRequest): StudyPoint[] {
  const points: StudyPoint[] = [];
  for (const [frameIndex] of request.frames.entries()) {
    for (const spec of request.specs) {
      for (const bins of request.bins) {
        for (const visibility of request.visibility) {
          points.push({ position: points.length, frameIndex, spec, bins, visibility });
        }
      }
    }
  }
  return points;
}

/** Yields rows as CSV (RFC 4180): a header, then a piece per list of rows. */
export function* csvPieces(lists: Iterable<readonly StudyRow[]>): Generator<string, void> {
  yield `${STUDY_COLUMNS.join(',')}\r\n`;
  for (const rows of lists) {
    const lines = rows.map((row) => STUDY_COLUMNS.map((column) => csvCell(row[column])).join(','));
    yield lines.map((line) => `${line}\r\n`).join('');
  }
}

function csvCell(value: string | number): string {
  const text = String(value);
  // Spreadsheets would evaluate a cell that starts like a formula.
  const safe = /^[=+@\t\r-]/.test(text) && typeof value === 'string' ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
