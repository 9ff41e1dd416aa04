/**
 * Figures of every frame of a sequence, in a compact CSV: features, cycles, and the length of the
 * bin phase by policy and number of chiplets. Samples are drawn from them without rendering.
 */
import { BIN_ASSIGNMENT_POLICIES, type BinAssignmentPolicyName } from '@tessera/multi-chiplet';
import { FEATURES, type FrameFeatures } from '@tessera/sampling';
import { formatCsv, parseCsv, readRecords } from '../../tables/csv.ts';

/** Figures of one frame. */
export interface FrameFigures {
  readonly features: FrameFeatures;
  /** Cycles of the frame alone, with the default specification, chiplets and policy. */
  readonly cycles: number;
  /** Cycles of the bin phase by entry of {@link ASSIGNMENTS}; bins are timed by themselves. */
  readonly makespans: readonly number[];
}

/** Numbers of chiplets for which policies are compared. */
const CHIPLET_COUNTS = [2, 4, 6, 8, 12, 16] as const;

/**
 * Policies that are compared: all but those that predict from earlier frames, which a sampled frame
 * does not have.
 */
const COMPARED_POLICIES = Object.entries(BIN_ASSIGNMENT_POLICIES)
  .filter(([, { prediction }]) => prediction !== 'history')
  .map(([name]) => name as BinAssignmentPolicyName);

/** Policy and number of chiplets of each makespan. */
export const ASSIGNMENTS = CHIPLET_COUNTS.flatMap((chiplets) =>
  COMPARED_POLICIES.map((policy) => ({ policy, chiplets })),
);

type FeatureName = keyof typeof FEATURES;
const FEATURE_NAMES = Object.keys(FEATURES) as FeatureName[];
const MAKESPAN_COLUMNS = ASSIGNMENTS.map(({ policy, chiplets }) => `${policy}@${chiplets}`);
/** Digits of a hash that identify a frame in the file. */
const ID_DIGITS = 12;

/** Returns values for all features by their names. */
export function mapFeatures(valuesOf: (name: FeatureName) => number[]): FrameFeatures['values'] {
  const entries = FEATURE_NAMES.map((name) => [name, valuesOf(name)] as const);
  return Object.fromEntries(entries) as Record<FeatureName, number[]>;
}

/** Returns the figures as CSV, in whole numbers. Sets of programs have numbers. */
export function formatFigures(frames: readonly FrameFigures[]): string {
  const numbers = new Map<string, number>();
  const numberOf = ({ programs }: FrameFeatures): number => {
    const set = programs.join(' ');
    const known = numbers.get(set) ?? numbers.size;
    numbers.set(set, known);
    return known;
  };
  return formatCsv({
    head: ['frame', 'id', 'programSet', ...FEATURE_NAMES, 'cycles', ...MAKESPAN_COLUMNS],
    keyColumns: 1,
    rows: frames.map(({ features, cycles, makespans }, index) => [
      index,
      features.id.slice(0, ID_DIGITS),
      numberOf(features),
      ...FEATURE_NAMES.map((name) => features.values[name].map(Math.round).join(' ')),
      cycles,
      ...makespans,
    ]),
  });
}

/**
 * Reads the output of {@link formatFigures}.
 *
 * @throws {Error} If a column is missing or a cell is not a list of numbers.
 */
export function parseFigures(csv: string): FrameFigures[] {
  return readRecords(parseCsv(csv)).map((record, row) => {
    const text = (column: string): string => {
      const cell = record[column];
      if (cell === undefined) throw new Error(`sequence figures: there is no column ${column}`);
      return cell;
    };
    const list = (column: string): number[] => {
      const numbers = text(column) === '' ? [] : text(column).split(' ').map(Number);
      if (numbers.every(Number.isFinite)) return numbers;
      throw new Error(`sequence figures: row ${row}, ${column}: '${text(column)}' is no number`);
    };
    return {
      features: {
        id: text('id'),
        programs: list('programVertices').map((_, i) => `${text('programSet')}.${i}`),
        values: mapFeatures(list),
      },
      cycles: list('cycles')[0]!,
      makespans: MAKESPAN_COLUMNS.map((column) => list(column)[0]!),
    };
  });
}
