/** What a study sweeps, and the frames that have to be rendered for it. */
import type { Timing, VisibilityShader } from '@tessera/frame';

/** A study: every combination of these. */
export interface StudyRequest {
  readonly title: string;
  /** Ids of frames; their models, captures or native frames are rendered anew. */
  readonly frames: readonly string[];
  /** Numbers of chiplets, the visibility chiplet among them. */
  readonly chiplets: readonly number[];
  readonly policies: readonly string[];
  /** Presets; `null` in place of a name is the one that the service was started with. */
  readonly specs: readonly (string | null)[];
  /** Numbers of coarse bins. */
  readonly bins: readonly number[];
  readonly visibility: readonly VisibilityShader[];
}

/** One frame that is rendered for a study: all numbers of chiplets and all policies follow from it. */
export interface StudyPoint {
  /** Counted over the study. */
  readonly position: number;
  /** Index of the frame in the request. */
  readonly frameIndex: number;
  readonly spec: string | null;
  readonly bins: number;
  readonly visibility: VisibilityShader;
}

/** One row of the results. */
export interface StudyRow {
  /** Id of the frame that the model was taken from. */
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
  /** Speed-up ÷ chiplets; best 1. */
  readonly efficiency: number;
  /** Longest share of bins ÷ mean share, in cycles; best 1. */
  readonly imbalance: number;
  readonly linkBytes: number;
  readonly imageSha256: string;
}

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

/** Studies are about time. */
export const STUDY_TIMING: Timing = 'cycle';

/** The frames to render, in order. */
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

/** Yields rows as CSV (RFC 4180): a header, then a piece for each list of rows. */
export function* csvPieces(lists: Iterable<readonly StudyRow[]>): Generator<string, void> {
  yield `${STUDY_COLUMNS.join(',')}\r\n`;
  for (const rows of lists) {
    const lines = rows.map((row) => STUDY_COLUMNS.map((column) => csvCell(row[column])).join(','));
    yield lines.map((line) => `${line}\r\n`).join('');
  }
}

function csvCell(value: string | number): string {
  const text = String(value);
  // A cell that begins like a formula is one to spreadsheets.
  const safe = /^[=+@\t\r-]/.test(text) && typeof value === 'string' ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
