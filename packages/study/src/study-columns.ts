/** Columns that the CSV of every study has, and how its cells are written. */
import { formatValue } from '@tessera/chiplet-spec';
import { quoteCsv, textField } from './csv-fields.ts';
import type { RowEnergy } from './row-energy.ts';
import type { StudyRequest } from './study-request.ts';
import type { StudyRow } from './study-row.ts';

/** Unit and meaning of a column. */
export interface ColumnInfo {
  /** Unit of the figure; `name` for a word, `text` for any other text. */
  readonly unit: string;
  readonly meaning: string;
}

/**
 * Columns in order. Swept hardware parameters follow `specDigest`, each under its own name.
 * {@link ENERGY_COLUMNS} follow `commit`, and counters follow these.
 */
export const STUDY_COLUMNS = {
  scene: { unit: 'text', meaning: 'name of the file, or title of the posted frame' },
  frame: { unit: 'text', meaning: 'id of the posted frame; empty without a service' },
  frameIndex: { unit: 'index', meaning: 'frame of a capture, counted from 0; 0 for other scenes' },
  widthPx: { unit: 'pixels', meaning: 'width of the image' },
  heightPx: { unit: 'pixels', meaning: 'height of the image' },
  spec: { unit: 'name', meaning: 'specification of the chiplets, with its changes' },
  specDigest: {
    unit: 'text',
    meaning: 'first 12 digits of the SHA-256 of all hardware parameters',
  },
  bins: { unit: 'bins', meaning: 'requested number of coarse bins' },
  grid: { unit: 'text', meaning: 'columns × rows of coarse bins of the last pass, as rendered' },
  split: { unit: 'times', meaning: 'number of times that the costliest bin is halved' },
  visibility: { unit: 'name', meaning: 'vertex shader of the visibility phase' },
  occlusion: { unit: 'switch', meaning: 'whether the visibility phase culls hidden primitives' },
  organization: { unit: 'name', meaning: 'way in which chiplets share frames' },
  visibilityChiplets: { unit: 'chiplets', meaning: 'chiplets that share each visibility phase' },
  visibilityDelivery: {
    unit: 'name',
    meaning: 'phase: visibility is sent when its phase ends; stream: while it runs',
  },
  coupling: {
    unit: 'name',
    meaning: 'exact, or none: cycles are an estimate from bins that were timed by themselves',
  },
  policy: { unit: 'name', meaning: 'assignment of coarse bins to chiplets' },
  chiplets: { unit: 'chiplets', meaning: 'size of the GPU, the visibility chiplet included' },
  linkTopology: { unit: 'name', meaning: 'topology of the crosslink or packet network' },
  linkBytesPerCycle: { unit: 'bytes per cycle', meaning: 'bandwidth of one channel' },
  linkLatencyCycles: { unit: 'cycles', meaning: 'latency of one channel' },
  placement: { unit: 'text', meaning: 'places of resources in the memories of the chiplets' },
  overlap: { unit: 'name', meaning: 'time at which chiplet 0 starts the next visibility phase' },
  cycles: { unit: 'cycles', meaning: 'time of the frame' },
  simulatedMs: { unit: 'milliseconds', meaning: 'cycles ÷ clock of the specification' },
  visibilityCycles: { unit: 'cycles', meaning: 'time of all visibility phases' },
  lowerBoundCycles: {
    unit: 'cycles',
    meaning: 'sum over the passes of max(all bins ÷ chiplets that render, longest bin)',
  },
  boundBy: {
    unit: 'name',
    meaning: 'largest part of the frame: visibility, longest-bin, all-bins or other',
  },
  speedUp: {
    unit: 'ratio',
    meaning: 'cycles on one chiplet with static-blocks and no overlap ÷ cycles',
  },
  efficiency: { unit: 'ratio', meaning: 'speedUp ÷ chiplets; 1 is best' },
  imbalance: { unit: 'ratio', meaning: 'largest share of bin cycles ÷ mean share; 1 is best' },
  linkBytes: { unit: 'bytes', meaning: 'transfers over the link; a broadcast counts once' },
  remoteBytes: { unit: 'bytes', meaning: 'messages between the memories of chiplets' },
  imageSha256: { unit: 'text', meaning: 'SHA-256 of the pixels' },
  version: { unit: 'text', meaning: 'version of the software' },
  commit: {
    unit: 'text',
    meaning: 'commit that is checked out; unknown outside a repository',
  },
} as const satisfies Record<
  Exclude<keyof StudyRow, 'settings' | 'counters' | keyof RowEnergy>,
  ColumnInfo
>;

/**
 * Columns of studies that ask for energy. Each figure has a range: the ends are those of what is
 * published, see docs/energy.md.
 */
export const ENERGY_COLUMNS = {
  energyLowPj: { unit: 'picojoules', meaning: 'energy of the frame, low end of its range' },
  energyTypicalPj: { unit: 'picojoules', meaning: 'energy of the frame, typical' },
  energyHighPj: { unit: 'picojoules', meaning: 'energy of the frame, high end of its range' },
  powerLowMw: { unit: 'milliwatts', meaning: 'energyLowPj ÷ time of the frame' },
  powerTypicalMw: { unit: 'milliwatts', meaning: 'energyTypicalPj ÷ time of the frame' },
  powerHighMw: { unit: 'milliwatts', meaning: 'energyHighPj ÷ time of the frame' },
  energyDelayLowPjS: { unit: 'picojoule seconds', meaning: 'energyLowPj × time of the frame' },
  energyDelayTypicalPjS: {
    unit: 'picojoule seconds',
    meaning: 'energyTypicalPj × time of the frame',
  },
  energyDelayHighPjS: { unit: 'picojoule seconds', meaning: 'energyHighPj × time of the frame' },
} as const satisfies Record<keyof RowEnergy, ColumnInfo>;

/** Name of a column of {@link STUDY_COLUMNS}. */
export type StudyColumn = keyof typeof STUDY_COLUMNS;

/** Names of the columns that every study has, in order. */
export const STUDY_COLUMN_NAMES = Object.keys(STUDY_COLUMNS) as readonly StudyColumn[];

const ENERGY_COLUMN_NAMES = Object.keys(ENERGY_COLUMNS) as readonly (keyof RowEnergy)[];

/** Column that swept parameters follow. */
const BEFORE_SWEPT: StudyColumn = 'specDigest';

/** Columns that vary with the request. */
export interface RequestedColumns {
  /** Names of swept hardware parameters. */
  readonly swept: readonly string[];
  readonly counters: readonly string[];
  /** Whether there are {@link ENERGY_COLUMNS}; false by default. */
  readonly hasEnergy?: boolean | undefined;
}

/** Returns the columns of a request. */
export function requestedColumns({
  sweep,
  counters,
  energy,
}: Pick<StudyRequest, 'sweep' | 'counters' | 'energy'>): RequestedColumns {
  return { swept: Object.keys(sweep), counters, hasEnergy: energy !== undefined };
}

/** Returns the names of all columns, in order. */
export function columnNames({ swept, counters, hasEnergy = false }: RequestedColumns): string[] {
  const at = STUDY_COLUMN_NAMES.indexOf(BEFORE_SWEPT) + 1;
  return [
    ...STUDY_COLUMN_NAMES.slice(0, at),
    ...swept,
    ...STUDY_COLUMN_NAMES.slice(at),
    ...(hasEnergy ? ENERGY_COLUMN_NAMES : []),
    ...counters,
  ];
}

/** Value of a cell: a missing figure of an earlier version is an empty text. */
export type StudyCell = string | number | boolean;

/** Returns the cells of a row, in the order of {@link columnNames}. */
export function cellsOf(row: Partial<StudyRow>, requested: RequestedColumns): StudyCell[] {
  const { swept } = requested;
  return columnNames(requested).map((name) => {
    if (swept.includes(name)) return row.settings?.[name] ?? '';
    if (Object.hasOwn(STUDY_COLUMNS, name) || Object.hasOwn(ENERGY_COLUMNS, name)) {
      return row[name as StudyColumn | keyof RowEnergy] ?? '';
    }
    return row.counters?.[name] ?? '';
  });
}

/** Yields rows as CSV (RFC 4180, lines end with LF): a header, then a piece per list of rows. */
export function* csvPieces(
  lists: Iterable<readonly Partial<StudyRow>[]>,
  requested: RequestedColumns,
): Generator<string, void> {
  yield csvHeader(requested);
  for (const rows of lists) yield csvRows(rows, requested);
}

/** Returns the first line of a CSV. */
export function csvHeader(requested: RequestedColumns): string {
  return csvLine(columnNames(requested));
}

/** Returns the lines of rows. */
export function csvRows(rows: readonly Partial<StudyRow>[], requested: RequestedColumns): string {
  return rows.map((row) => csvLine(cellsOf(row, requested))).join('');
}

/** Returns a line of CSV with its end. Switches are written as `on` and `off`. */
function csvLine(cells: readonly StudyCell[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}

function csvCell(value: StudyCell): string {
  return typeof value === 'string' ? textField(value) : quoteCsv(formatValue(value));
}
