/**
 * Hold-out validation of the cost model of bins: the coefficients that are judged on a scene are
 * fitted to the other scenes only. Bins of one scene resemble each other, so scenes are held out as
 * a whole, together with the scenes of their family.
 */
import {
  BIN_COST_MODEL,
  BIN_COST_TERMS,
  type BinCostModel,
  binCostError,
  type FrameMeasurement,
  fitBinCost,
  type MeasuredCost,
} from '@tessera/multi-chiplet';
import type { CsvRecord, KeyedTable, Table } from '../../tables/csv.ts';
import { percent, rowsWhere } from '../chiplets/chiplet-study.ts';

/** A scene and its measurement. */
export interface MeasuredScene {
  readonly scene: string;
  readonly measurement: FrameMeasurement;
}

/** Coefficients that are judged on a scene, with the scenes that they were fitted to. */
export const JUDGED_COEFFICIENTS = {
  'in use': '52 of these scenes, with cycles of an earlier model',
  'fitted to all': 'all scenes, including the judged one',
  'held out': 'scenes of other families only',
} as const;

type JudgedCoefficients = keyof typeof JUDGED_COEFFICIENTS;

/**
 * Returns the family of a scene: its name up to the first blank or hyphen. Captures of one scene
 * that differ in size, API or options are a family, such as `buffer`, `buffer 200x150` and
 * `buffer-interleave`.
 */
export function familyOf(scene: string): string {
  return scene.split(/[ -]/, 1)[0]!;
}

/** Returns the bins of scenes for a fit. Early bins are part of visibility phases. */
export function binsOf(scenes: readonly MeasuredScene[]): MeasuredCost[] {
  return scenes.flatMap(({ measurement }) =>
    measurement.passes.flatMap(({ bins }) =>
      bins
        .filter(({ isEarly }) => !isEarly)
        .map(({ costTerms, cycles }) => ({ costTerms, cycles: cycles! })),
    ),
  );
}

/** Judges the coefficients in use, which need no fit, on each scene. */
export function judgeInUse(scenes: readonly MeasuredScene[]): KeyedTable {
  return tableOf(scenes.map((scene) => rowOf(scene, 'in use', BIN_COST_MODEL)));
}

/**
 * Judges the coefficients in use, those that are fitted to all scenes, and those that are fitted to
 * the scenes of other families.
 *
 * @param scenes Scenes of at least two families.
 */
export function judgeCoefficients(scenes: readonly MeasuredScene[]): KeyedTable {
  const toAll = fitBinCost(binsOf(scenes));
  const families = [...new Set(scenes.map(({ scene }) => familyOf(scene)))];
  const toOthers = new Map(
    families.map((family) => {
      const others = scenes.filter(({ scene }) => familyOf(scene) !== family);
      return [family, fitBinCost(binsOf(others))] as const;
    }),
  );
  return tableOf(
    scenes.flatMap((each) => [
      rowOf(each, 'in use', BIN_COST_MODEL),
      rowOf(each, 'fitted to all', toAll),
      rowOf(each, 'held out', toOthers.get(familyOf(each.scene))!),
    ]),
  );
}

function tableOf(rows: KeyedTable['rows']): KeyedTable {
  return {
    head: [
      'scene',
      'coefficients',
      'family',
      'binsRendered',
      'cycles',
      'error',
      'errorWithinScene',
    ],
    keyColumns: 2,
    rows,
  };
}

function rowOf(
  scene: MeasuredScene,
  coefficients: JudgedCoefficients,
  model: BinCostModel,
): KeyedTable['rows'][number] {
  const bins = binsOf([scene]);
  const cycles = bins.reduce((sum, bin) => sum + bin.cycles, 0);
  const errors = [model, scaleTo(bins, cycles, model)].map((each) =>
    binCostError(each, bins).toFixed(4),
  );
  return [scene.scene, coefficients, familyOf(scene.scene), bins.length, cycles, ...errors];
}

/** Scales the coefficients so that the predictions of a scene's bins sum up to its cycles. */
function scaleTo(bins: readonly MeasuredCost[], cycles: number, model: BinCostModel): BinCostModel {
  const predicted = bins.reduce(
    (sum, { costTerms }) =>
      sum + BIN_COST_TERMS.reduce((cost, name, i) => cost + model[name] * costTerms[i]!, 0),
    0,
  );
  const scale = predicted === 0 ? 1 : cycles / predicted;
  return Object.fromEntries(
    BIN_COST_TERMS.map((name) => [name, model[name] * scale]),
  ) as unknown as BinCostModel; // The array has an entry for each term.
}

/**
 * Returns the errors by coefficients from a results file: over all bins, where a costly scene
 * counts more, of the median and the worst scene, and over all bins once the sum of each scene's
 * predictions is right.
 */
export function summarizeErrors(rows: readonly CsvRecord[]): Table {
  return {
    head: ['coefficients', 'fitted to', 'error', 'median scene', 'worst scene', 'within scenes'],
    rows: Object.entries(JUDGED_COEFFICIENTS).map(([coefficients, scenes]) => {
      const own = rowsWhere(rows, { coefficients });
      const cycles = own.reduce((sum, row) => sum + Number(row.cycles), 0);
      const overAll = (error: 'error' | 'errorWithinScene') =>
        own.reduce((sum, row) => sum + Number(row[error]) * Number(row.cycles), 0) / cycles;
      const errors = own.map(({ error }) => Number(error)).sort((a, b) => a - b);
      const figures = [overAll('error'), errors[errors.length >> 1]!, errors.at(-1)!];
      return [coefficients, scenes, ...[...figures, overAll('errorWithinScene')].map(percent)];
    }),
  };
}

/** Formats the number of scenes, families and bins of a results file. */
export function countJudged(rows: readonly CsvRecord[]): string {
  const own = rowsWhere(rows, { coefficients: 'in use' });
  const families = new Set(own.map(({ family }) => family)).size;
  const bins = own.reduce((sum, row) => sum + Number(row.binsRendered), 0);
  return `${bins} bins of ${own.length} scenes of ${families} families.\n`;
}
