/** Values that a study sweeps, its rows, and the frames to render for it. */
import {
  formatValue,
  recordsKeyOf,
  type SettingValue,
  type SpecSettings,
  specOfSummary,
  summarizeSpec,
  withSettings,
} from '@tessera/chiplet-spec';
import {
  type Coupling,
  MAX_ALTERNATIVE_SPECS,
  type SpecSummary,
  type Timing,
  type VisibilityShader,
} from '@tessera/frame';

/** Request of a study: all combinations of these values. */
export interface StudyRequest {
  readonly title: string;
  /** Ids of frames whose models, captures or native frames are rendered. */
  readonly frames: readonly string[];
  /** Numbers of chiplets, each including the visibility chiplet. */
  readonly chiplets: readonly number[];
  readonly policies: readonly string[];
  /** Presets and stored specifications; null stands for the preset of the service. */
  readonly specs: readonly (string | null)[];
  /** The same when the study was posted. */
  readonly bases: readonly SpecSummary[];
  /** Values by hardware parameter; all combinations are applied to each of `bases`. */
  readonly sweep: Readonly<Record<string, readonly SettingValue[]>>;
  /** Numbers of coarse bins. */
  readonly bins: readonly number[];
  readonly visibility: readonly VisibilityShader[];
  /** Coupling of the chiplets; `none` by default, and in studies before version 0.2. */
  readonly coupling?: Coupling | undefined;
}

/**
 * Frame that is rendered for a study. All numbers of chiplets and policies are simulated from it.
 */
export interface StudyPoint {
  /** Position in the study, from 0. */
  readonly position: number;
  /** Index of the frame in the request. */
  readonly frameIndex: number;
  readonly spec: SpecSummary;
  /** Values of the swept parameters. */
  readonly settings: SpecSettings;
  readonly bins: number;
  readonly visibility: VisibilityShader;
}

/** Row of the results. */
export interface StudyRow {
  /** Id of the frame whose source was rendered. */
  readonly frame: string;
  readonly model: string;
  readonly spec: string;
  /** Values of the swept parameters. Rows before version 0.2 have none. */
  readonly settings?: SpecSettings | undefined;
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
  /** Coupling of the chiplets; with `none`, the default, cycles are an estimate. */
  readonly coupling?: Coupling | undefined;
}

/** Columns of the CSV, in order. Swept parameters follow `spec`. */
const STUDY_COLUMNS = [
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
  'coupling',
] as const satisfies readonly Exclude<keyof StudyRow, 'settings'>[];

/** Coupling of rows before version 0.2. */
const NO_COUPLING: Coupling = 'none';

/** Timing of all studies, because their rows are cycles. */
export const STUDY_TIMING: Timing = 'cycle';

/** Returns the number of frames to render, without listing them. */
export function countPoints(
  request: Pick<StudyRequest, 'frames' | 'specs' | 'sweep' | 'bins' | 'visibility'>,
): number {
  const { frames, specs, sweep, bins, visibility } = request;
  const settings = Object.values(sweep).reduce((product, values) => product * values.length, 1);
  return frames.length * specs.length * settings * bins.length * visibility.length;
}

/**
 * Returns the frames to render, in order.
 *
 * @throws {RangeError} If a swept value is not valid. The message names the parameter, the value
 *   and the range.
 */
export function listPoints(request: StudyRequest): StudyPoint[] {
  const hardware = request.bases.flatMap((base) =>
    combine(request.sweep).map((settings) => ({
      settings,
      spec: summarizeSpec(withSettings(specOfSummary(base), settings)),
    })),
  );
  const points: StudyPoint[] = [];
  for (const [frameIndex] of request.frames.entries()) {
    for (const { spec, settings } of hardware) {
      for (const bins of request.bins) {
        for (const visibility of request.visibility) {
          points.push({ position: points.length, frameIndex, spec, settings, bins, visibility });
        }
      }
    }
  }
  return points;
}

/**
 * Returns the points in groups that one rendering serves: those of a frame with the same bins and
 * visibility shader whose specifications need the same records.
 */
export function groupPoints(points: readonly StudyPoint[]): StudyPoint[][] {
  const groups: StudyPoint[][] = [];
  const openByKey = new Map<string, StudyPoint[]>();
  for (const point of points) {
    const { frameIndex, bins, visibility, spec } = point;
    const key = [frameIndex, bins, visibility, recordsKeyOf(specOfSummary(spec))].join(' ');
    const open = openByKey.get(key);
    if (open !== undefined && open.length <= MAX_ALTERNATIVE_SPECS) {
      open.push(point);
      continue;
    }
    const group = [point];
    openByKey.set(key, group);
    groups.push(group);
  }
  return groups;
}

/** Returns all combinations of values, the last parameter varying fastest. */
function combine(sweep: StudyRequest['sweep']): SpecSettings[] {
  return Object.entries(sweep).reduce<SpecSettings[]>(
    (combinations, [name, values]) =>
      combinations.flatMap((settings) => values.map((value) => ({ ...settings, [name]: value }))),
    [{}],
  );
}

/**
 * Yields rows as CSV (RFC 4180): a header, then a piece per list of rows.
 *
 * @param swept Hardware parameters that have a column.
 */
export function* csvPieces(
  lists: Iterable<readonly StudyRow[]>,
  swept: readonly string[],
): Generator<string, void> {
  const [before, after] = [STUDY_COLUMNS.slice(0, 3), STUDY_COLUMNS.slice(3)];
  yield `${[...before, ...swept, ...after].join(',')}\r\n`;
  for (const rows of lists) {
    const lines = rows.map((row) =>
      [
        ...before.map((column) => row[column] ?? NO_COUPLING),
        ...swept.map((name) => formatValue(row.settings?.[name] ?? '')),
        ...after.map((column) => row[column] ?? NO_COUPLING),
      ]
        .map(csvCell)
        .join(','),
    );
    yield lines.map((line) => `${line}\r\n`).join('');
  }
}

function csvCell(value: string | number): string {
  const text = String(value);
  // Spreadsheets would evaluate a cell that starts like a formula.
  const safe = /^[=+@\t\r-]/.test(text) && typeof value === 'string' ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
